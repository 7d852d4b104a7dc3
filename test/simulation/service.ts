import { auditLog } from '../../shared/audit/audit-log.ts';
import { gatewayAddresses } from '../../shared/domains/aws/gateway-addresses.ts';
import { clock } from '../../shared/domains/clock.ts';
import {
  type OperatorParts,
  operatorParts,
  projectUrls,
  reconcileParts,
  worker,
} from '../../shared/domains/composition.ts';
import type { Lookup } from '../../shared/domains/dns/lookup.ts';
import { currentDelegation } from '../../shared/domains/dns/platform-delegation.ts';
import type { VantagePoints } from '../../shared/domains/dns/vantage-points.ts';
import { outbox } from '../../shared/domains/life/outbox.ts';
import { reconcileAll, tendAffected } from '../../shared/domains/pass/scheduled-work.ts';
import { eventBus, publisher } from '../../shared/domains/publisher.ts';
import type { Observed, Reach } from '../../shared/domains/reach.ts';
import { operator } from '../../shared/operator/operator.ts';
import { publishingCommands } from '../../shared/operator/publishing-commands.ts';
import { defaultEndpoint } from '../../shared/projects/default-endpoint.ts';
import { DEPLOYED } from './deployed.ts';

/** The environments of the account, each with tables, a platform zone and state machines of its own. */
export const ENVIRONMENTS = ['staging', 'production'] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** The tables of an environment, with their keys: the partition key and, where there is one, the sort key. */
const TABLE_KEYS = { domains: ['domain', 'project'], projects: ['id'], audit: ['requestId'] } as const;

/** A zone of the account in which the flows of both environments create the records themselves. */
export const MANAGED_ZONE = { id: 'Z-MANAGED', name: 'managed-zoo.com' } as const;

export function tableOf(environment: EnvironmentName, table: keyof typeof TABLE_KEYS): string {
  return `${environment}-${table}`;
}

export function platformZoneOf(environment: EnvironmentName) {
  return { id: `Z-${environment}`, name: `apps.${environment}.test` };
}

/** The API that serves the domains of an environment that redirect. */
export function redirectApiOf(environment: EnvironmentName): string {
  return `${environment}-redirects`;
}

/** The stage of that API. */
export const REDIRECT_STAGE = 'redirect';

/** The API that a project is published at. */
export function apiOf(environment: EnvironmentName, project: string): string {
  return `${environment}-${project}`;
}

/** The keys of all tables of the account. */
export const TABLES = Object.fromEntries(
  ENVIRONMENTS.flatMap(environment =>
    Object.entries(TABLE_KEYS).map(([table, keys]) => [`${environment}-${table}`, keys]),
  ),
);

/** The hosted zones of the account, by id. */
export const ZONES = Object.fromEntries(
  [MANAGED_ZONE, ...ENVIRONMENTS.map(platformZoneOf)].map(({ id, name }) => [id, name]),
);

/** The environment variables of the functions. */
function variablesOf(environment: EnvironmentName): Readonly<Record<string, string>> {
  const { id, name } = platformZoneOf(environment);
  return {
    AWS_REGION: 'us-east-1',
    URL_SUFFIX: 'amazonaws.com',
    ENVIRONMENT: environment,
    DOMAINS_TABLE: tableOf(environment, 'domains'),
    PROJECTS_TABLE: tableOf(environment, 'projects'),
    PLATFORM_DOMAIN: name,
    PLATFORM_ZONE_ID: id,
    MANAGED_ZONE_IDS: JSON.stringify([MANAGED_ZONE.id]),
    REDIRECT_API_ID: redirectApiOf(environment),
    REDIRECT_STAGE,
    REST_API_ID: apiOf(environment, 'petstore'),
    STAGE_NAME: environment,
    TEND_MACHINE_ARN: DEPLOYED[environment].tendMachine,
  };
}

/** What the service needs besides its own code and the AWS clients: a clock, DNS, and HTTPS. */
interface SimulatedParts {
  readonly now: () => number;
  readonly vantagePoints: (domain: string) => Promise<VantagePoints>;
  readonly resolvers: readonly Lookup[];
  /** With the addresses of API Gateway that the environment remembers. */
  readonly reach: (
    remembered: () => Promise<ReadonlySet<string>>,
    ...request: Parameters<Reach>
  ) => Promise<Observed>;
}

/** The real service in an environment, built by its own composition root on the SDK's clients. */
export function serviceIn(environment: EnvironmentName, parts: SimulatedParts) {
  const values = variablesOf(environment);
  const variables = (name: string) => values[name];
  // The delegation of the platform domain is always in place.
  const answeringZones = [async () => values.PLATFORM_DOMAIN];
  const { remembered } = gatewayAddresses(tableOf(environment, 'domains'), parts.now);
  const reach: Reach = (...request) => parts.reach(remembered, ...request);
  const outside = { ...parts, reach, answeringZones, clock: clock(1, parts.now) };
  const domainParts: OperatorParts = {
    ...operatorParts(variables, outside),
    // The service remembers a delegation for minutes. Here it must not, since one service runs in one world after another.
    platformDelegation: () => currentDelegation(domainParts),
  };
  const reconcile = reconcileParts(variables, outside);
  const published = { apiId: apiOf(environment, 'petstore'), stage: environment };
  const endpoint = defaultEndpoint({ ...domainParts, ...published, now: parts.now });
  const operate = operator(
    publishingCommands(domainParts, { published, endpoint }),
    auditLog(tableOf(environment, 'audit')),
    parts.now,
  );

  const urls = projectUrls(variables, outside);
  /** The scheduled function of default URLs, without the default endpoint of the service's own API. */
  const reconcileUrls = () => urls.reconcile();

  return {
    /** The task of the state machine. */
    tend: worker(variables, outside) as (event: unknown) => Promise<unknown>,
    operate,
    reconcileAll: () => reconcileAll(reconcile),
    tendAffected: (certificateArns: readonly string[]) => tendAffected(reconcile, certificateArns),
    reconcileUrls,
    publishAll: publisher({
      outbox: outbox(tableOf(environment, 'domains')),
      bus: eventBus(environment),
    }),
  };
}
