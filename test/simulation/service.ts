import { auditLog } from '../../shared/audit/audit-log.ts';
import type { VantagePoints } from '../../shared/domains/dns/check-dns.ts';
import { domainServices } from '../../shared/domains/domain-services.ts';
import { isUnreconciled } from '../../shared/domains/life/reconciliation.ts';
import { eachDomain } from '../../shared/domains/steps/each-domain.ts';
import { domainCommands } from '../../shared/operator/domain-commands.ts';
import { domainRoutingCommands } from '../../shared/operator/domain-routing-commands.ts';
import { operator } from '../../shared/operator/operator.ts';

/** The tables by their partition keys. */
export const TABLES = { domains: 'domain', projects: 'id', audit: 'requestId' } as const;
export const PLATFORM_ZONE = { id: 'Z-PLATFORM', name: 'apps.petstore.test' } as const;
/** A zone of the account whose records the flow may make. */
export const MANAGED_ZONE = { id: 'Z-MANAGED', name: 'managed-zoo.com' } as const;
export const REDIRECTS = { apiId: 'redirects', stage: 'redirect' } as const;

/** The environment variables of the functions. */
const VARIABLES: Readonly<Record<string, string>> = {
  AWS_REGION: 'us-east-1',
  DOMAINS_TABLE: 'domains',
  PROJECTS_TABLE: 'projects',
  PLATFORM_DOMAIN: PLATFORM_ZONE.name,
  PLATFORM_ZONE_ID: PLATFORM_ZONE.id,
  MANAGED_ZONE_IDS: JSON.stringify([MANAGED_ZONE.id]),
  REDIRECT_API_ID: REDIRECTS.apiId,
  REDIRECT_STAGE: REDIRECTS.stage,
  VERIFY_MACHINE_ARN: 'arn:aws:states:us-east-1:0:stateMachine:Verify',
  REMOVE_MACHINE_ARN: 'arn:aws:states:us-east-1:0:stateMachine:Remove',
};

/** What the service needs that is neither its own code nor an AWS client. */
export interface Surroundings {
  readonly now: () => number;
  readonly vantagePoints: (registrable: string) => Promise<VantagePoints>;
}

/** The service, put together by its own composition root, over the clients of the SDK. */
export function serviceIn(surroundings: Surroundings) {
  const services = domainServices(name => VARIABLES[name] ?? '', surroundings);
  const { domains, verification, attachment, removal, forget, recordFailure } = services;
  const operate = operator(
    { ...domainCommands(services), ...domainRoutingCommands(services) },
    auditLog('audit'),
    surroundings.now,
  );

  /** By the names of their constructs. */
  const steps: Readonly<Record<string, (event: never) => Promise<unknown>>> = {
    CheckDns: verification.checkDns,
    CheckCertificate: verification.checkCertificate,
    AttachDomain: attachment.attach,
    RecordFailure: recordFailure,
    TakeDown: removal.takeDown,
    ForgetDomain: forget,
  };

  /** What the daily check does with each live domain. */
  const recheckLive = async (name: string) => {
    const domain = await domains.find(name);
    if (domain?.status === 'live') await services.recheck(domain);
  };
  /** What the scheduled reconcile does. */
  const reconcileAll = async () => {
    const unreconciled = (await domains.all()).filter(isUnreconciled);
    await eachDomain(unreconciled, services.reconcile);
    return unreconciled.length;
  };
  return { steps, operate, recheckLive, reconcileAll };
}
