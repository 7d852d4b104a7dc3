import { auditLog } from '../../shared/audit/audit-log.ts';
import { transact } from '../../shared/aws/transaction.ts';
import { accountZones } from '../../shared/domains/aws/account-zones.ts';
import { certificates as acmCertificates } from '../../shared/domains/aws/certificates.ts';
import { flows } from '../../shared/domains/aws/flows.ts';
import { gatewayDomains } from '../../shared/domains/aws/gateway-domains.ts';
import { gatewaySlots as slotsOfGateway } from '../../shared/domains/aws/gateway-slots.ts';
import { platformZone } from '../../shared/domains/aws/platform-zone.ts';
import type { VantagePoints } from '../../shared/domains/dns/check-dns.ts';
import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { attachment } from '../../shared/domains/steps/attachment.ts';
import { managedRecords as recordsInZones } from '../../shared/domains/steps/managed-records.ts';
import { domainsOfProjects } from '../../shared/domains/steps/project-domains.ts';
import { recheck } from '../../shared/domains/steps/recheck.ts';
import { reconciler } from '../../shared/domains/steps/reconciler.ts';
import { forgetting, removal } from '../../shared/domains/steps/removal.ts';
import { verification } from '../../shared/domains/steps/verification.ts';
import { domainCommands } from '../../shared/operator/domain-commands.ts';
import { domainRoutingCommands } from '../../shared/operator/domain-routing-commands.ts';
import { operator } from '../../shared/operator/operator.ts';
import { projectStore } from '../../shared/projects/project-store.ts';

/** The tables by their partition keys. */
export const TABLES = { domains: 'domain', projects: 'id', audit: 'requestId' } as const;
export const PLATFORM_ZONE = { id: 'Z-PLATFORM', name: 'apps.petstore.test' } as const;
/** A zone of the account whose records the flow may make. */
export const MANAGED_ZONE = { id: 'Z-MANAGED', name: 'managed-zoo.com' } as const;
export const REDIRECTS = { apiId: 'redirects', stage: 'redirect' } as const;

/** What the service needs that is neither its own code nor an AWS client. */
export interface Surroundings {
  readonly now: () => number;
  readonly vantagePoints: (registrable: string) => Promise<VantagePoints>;
}

/** The code of the service, put together as its functions do, over the clients of the SDK. */
export function serviceIn({ now, vantagePoints }: Surroundings) {
  const store = domainStore('domains');
  const projects = projectStore('projects');
  const certificates = acmCertificates();
  const gateway = gatewayDomains();
  const zone = platformZone(PLATFORM_ZONE.id);
  const slots = slotsOfGateway('domains');
  const managedRecords = recordsInZones({ store, vantagePoints, zones: accountZones([MANAGED_ZONE.id]) });
  const ofProjects = domainsOfProjects({ projects, domains: store, redirects: REDIRECTS, commit: transact });
  const parts = {
    store,
    vantagePoints,
    certificates,
    gateway,
    zone,
    slots,
    managedRecords,
    now,
    ...ofProjects,
  };

  const { checkDns, checkCertificate, recordFailure } = verification(parts);
  const { attach } = attachment(parts);
  const { takeDown } = removal(parts);

  const reconcile = reconciler({
    domains: store,
    certificates,
    gateway,
    zone,
    flows: flows(
      'arn:aws:states:us-east-1:0:stateMachine:Verify',
      'arn:aws:states:us-east-1:0:stateMachine:Remove',
    ),
    ...ofProjects,
  });
  const look = recheck({ store, certificates, vantagePoints, now });
  const lookup = { projects, domains: store, platformDomain: PLATFORM_ZONE.name };
  const operate = operator(
    {
      ...domainCommands({
        ...lookup,
        reconcile,
        recheck: look,
        endpointOf: id => `${id}.execute-api.us-east-1.amazonaws.com`,
        now,
      }),
      ...domainRoutingCommands({ ...lookup, reconcile }),
    },
    auditLog('audit'),
    now,
  );

  /** By the names of their constructs. */
  const steps: Readonly<Record<string, (event: never) => Promise<unknown>>> = {
    CheckDns: checkDns,
    CheckCertificate: checkCertificate,
    AttachDomain: attach,
    RecordFailure: recordFailure,
    TakeDown: takeDown,
    ForgetDomain: forgetting(store),
  };

  /** What the daily look at the live domains does with each of them. */
  const recheckLive = async (name: string) => {
    const domain = await store.find(name);
    if (domain?.status === 'live') await look(domain);
  };
  return { steps, operate, recheckLive };
}
