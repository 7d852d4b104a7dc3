import { auditLog } from '../../shared/audit/audit-log.ts';
import { flows } from '../../shared/domains/aws/flows.ts';
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
import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { outbox } from '../../shared/domains/life/outbox.ts';
import { reconcileAll, tendAffected } from '../../shared/domains/pass/scheduled-work.ts';
import { eventBus, publisher } from '../../shared/domains/publisher.ts';
import type { Observed, Reach } from '../../shared/domains/reach.ts';
import { operator } from '../../shared/operator/operator.ts';
import { publishingCommands } from '../../shared/operator/publishing-commands.ts';
import { defaultEndpoint } from '../../shared/projects/default-endpoint.ts';
import { projectStore } from '../../shared/projects/project-store.ts';
import { askForLook } from '../../shared/setup/ask-for-look.ts';
import { DEPLOYED, ENVIRONMENTS, type EnvironmentName } from './deployed.ts';
import { MANAGED_ZONE } from './managed-zone.ts';

type TableName = keyof (typeof DEPLOYED)['staging']['tables'];

export function tableOf(environment: EnvironmentName, table: TableName): string {
  return DEPLOYED[environment].tables[table].name;
}

/** The API that serves the domains of an environment that redirect. */
export function redirectApiOf(environment: EnvironmentName): string {
  return DEPLOYED[environment].redirects.apiId;
}

/** The API that a project is published at. */
export function apiOf(environment: EnvironmentName, project: string): string {
  return `${environment}-${project}`;
}

/** The keys of all tables of the account. */
export const TABLES = Object.fromEntries(
  ENVIRONMENTS.flatMap(environment =>
    Object.values(DEPLOYED[environment].tables).map(({ name, keys }) => [name, keys]),
  ),
);

/** The hosted zones of the account, by id. */
export const ZONES = Object.fromEntries(
  [MANAGED_ZONE, ...ENVIRONMENTS.map(environment => DEPLOYED[environment].platformZone)].map(
    ({ id, name }) => [id, name],
  ),
);

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
  const { operator: operating, worker: tending, scheduled, platformZone, published } = DEPLOYED[environment];
  // The delegation of the platform domain is always in place.
  const answeringZones = [async () => platformZone.name];
  const { remembered } = gatewayAddresses(tableOf(environment, 'domains'), parts.now);
  const reach: Reach = (...request) => parts.reach(remembered, ...request);
  const outside = { ...parts, reach, answeringZones, clock: clock(1, parts.now) };
  const domainParts: OperatorParts = {
    ...operatorParts(operating.variables, outside),
    // The service remembers a delegation for minutes. Here it must not, since one service runs in one world after another.
    platformDelegation: () => currentDelegation(domainParts),
  };
  const reconcile = reconcileParts(scheduled.ReconcileDomains.variables, outside);
  const endpoint = defaultEndpoint({ ...domainParts, ...published, now: parts.now });
  const operate = operator(
    publishingCommands(domainParts, { published, endpoint }),
    auditLog(tableOf(environment, 'audit')),
    parts.now,
  );

  const urls = projectUrls(scheduled.ReconcileEndpoint.variables, outside);
  /** The scheduled function of default URLs, without the default endpoint of the service's own API. */
  const reconcileUrls = () => urls.reconcile();

  return {
    /** The task of the state machine. */
    tend: worker(tending.variables, outside) as (event: unknown) => Promise<unknown>,
    operate,
    askForLook: askForLook({
      domains: domainStore(tableOf(environment, 'domains'), parts.now),
      projects: projectStore(tableOf(environment, 'projects')),
      clock: outside.clock,
      flows: flows(DEPLOYED[environment].tendMachine),
    }),
    reconcileAll: () => reconcileAll(reconcile),
    tendAffected: (certificateArns: readonly string[]) => tendAffected(reconcile, certificateArns),
    reconcileUrls,
    publishAll: publisher({
      outbox: outbox(tableOf(environment, 'domains')),
      bus: eventBus(environment),
    }),
  };
}
