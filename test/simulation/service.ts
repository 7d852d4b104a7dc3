import { auditLog } from '../../shared/audit/audit-log.ts';
import { transact } from '../../shared/aws/transaction.ts';
import { domainsOfProjects } from '../../shared/domain-flow/domains-of-projects.ts';
import { settlement } from '../../shared/domain-flow/settlement.ts';
import { accountZones } from '../../shared/domains/account-zones.ts';
import { attachment } from '../../shared/domains/attachment.ts';
import { certificates as acmCertificates } from '../../shared/domains/certificates.ts';
import type { Places } from '../../shared/domains/check-dns.ts';
import { domainStore } from '../../shared/domains/domain-store.ts';
import { flows } from '../../shared/domains/flows.ts';
import { gatewayDomains } from '../../shared/domains/gateway-domains.ts';
import { managedRecords as recordsInZones } from '../../shared/domains/managed-records.ts';
import { platformZone } from '../../shared/domains/platform-zone.ts';
import { recheck } from '../../shared/domains/recheck.ts';
import { forgetting, removal } from '../../shared/domains/removal.ts';
import { turns as turnsAtGateway } from '../../shared/domains/turns.ts';
import { verification } from '../../shared/domains/verification.ts';
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
  readonly places: (registrable: string) => Promise<Places>;
}

/** The code of the service, put together as its functions do, over the clients of the SDK. */
export function serviceIn({ now, places }: Surroundings) {
  const store = domainStore('domains');
  const projects = projectStore('projects');
  const certificates = acmCertificates();
  const gateway = gatewayDomains();
  const zone = platformZone(PLATFORM_ZONE.id);
  const turns = turnsAtGateway('domains');
  const managedRecords = recordsInZones({ store, places, zones: accountZones([MANAGED_ZONE.id]) });
  const ofProjects = domainsOfProjects({ projects, domains: store, redirects: REDIRECTS, commit: transact });
  const parts = { store, places, certificates, gateway, zone, turns, managedRecords, now, ...ofProjects };

  const { checkDns, checkCertificate, recordFailure } = verification(parts);
  const { attach } = attachment(parts);
  const { takeDown } = removal(parts);

  const settle = settlement({
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
  const look = recheck({ store, certificates, places, now });
  const lookup = { projects, domains: store, platformDomain: PLATFORM_ZONE.name };
  const operate = operator(
    {
      ...domainCommands({
        ...lookup,
        settle,
        recheck: look,
        endpointOf: id => `${id}.execute-api.us-east-1.amazonaws.com`,
        now,
      }),
      ...domainRoutingCommands({ ...lookup, settle }),
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
