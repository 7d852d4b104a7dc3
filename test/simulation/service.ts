import { auditLog } from '../../shared/audit/audit-log.ts';
import type { Lookup } from '../../shared/domains/dns/lookup.ts';
import type { VantagePoints } from '../../shared/domains/dns/vantage-points.ts';
import { domainServices } from '../../shared/domains/domain-services.ts';
import type { Reach } from '../../shared/domains/https/reach.ts';
import { recheckAll, reconcileAll } from '../../shared/domains/steps/scheduled-work.ts';
import { domainCommands } from '../../shared/operator/domain-commands.ts';
import { domainRoutingCommands } from '../../shared/operator/domain-routing-commands.ts';
import { operator } from '../../shared/operator/operator.ts';

/** The key of each table: the partition key and, where there is one, the sort key. */
export const TABLES = { domains: ['domain', 'project'], projects: ['id'], audit: ['requestId'] } as const;
export const PLATFORM_ZONE = { id: 'Z-PLATFORM', name: 'apps.petstore.test' } as const;
/** A zone of the account in which the flow creates the records itself. */
export const MANAGED_ZONE = { id: 'Z-MANAGED', name: 'managed-zoo.com' } as const;
export const REDIRECTS = { apiId: 'redirects', stage: 'redirect' } as const;

/** The environment variables of the functions. */
const VARIABLES: Readonly<Record<string, string>> = {
  AWS_REGION: 'us-east-1',
  ENVIRONMENT: 'staging',
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

/** What the service needs besides its own code and the AWS clients: a clock, DNS, and HTTPS. */
export interface Surroundings {
  readonly now: () => number;
  readonly vantagePoints: (domain: string) => Promise<VantagePoints>;
  readonly resolvers: readonly Lookup[];
  readonly reach: Reach;
}

/** The real service, built by its own composition root on the SDK's clients. */
export function serviceIn(surroundings: Surroundings) {
  const services = domainServices(name => VARIABLES[name], surroundings);
  const { verification, attachment, removal, forget, recordFailure } = services;
  const operate = operator(
    { ...domainCommands(services), ...domainRoutingCommands(services) },
    auditLog('audit'),
    surroundings.now,
  );

  /** The tasks of the state machines, by the construct names of their functions. */
  const steps: Readonly<Record<string, (event: never) => Promise<unknown>>> = {
    CheckDns: verification.checkDns,
    CheckCertificate: verification.checkCertificate,
    AttachDomain: attachment.attach,
    RecordFailure: recordFailure,
    TakeDown: removal.takeDown,
    ForgetDomain: forget,
  };

  return {
    steps,
    operate,
    recheckAll: () => recheckAll(services),
    reconcileAll: () => reconcileAll(services),
  };
}
