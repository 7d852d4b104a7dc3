import { type DomainName, HOUR_MS } from '../../../infra/local/simulation.ts';
import { CLAIM_TAG, ENVIRONMENT_TAG } from '../../../shared/aws/ownership-tags.ts';
import { DEFAULT_CLAIM } from '../claims-view.ts';
import { ENVIRONMENTS } from '../deployed.ts';
import type { Environment } from '../environment.ts';
import { tableOf, ZONES } from '../service.ts';
import type { World } from '../world.ts';
import { Violation } from './claims.ts';

/** About a quarter of the 25,000 events that an execution may have, which leaves room for retries beyond those simulated. */
export const MAX_HISTORY_EVENTS = 6000;

/** An execution that died is replaced within this time; storms keep the scheduled reconcile from it for that long. */
const MAX_UNATTENDED_MS = 8 * HOUR_MS;

/**
 * Holds whenever no function runs and no request of an operator is pending: every unfinished verification and removal has a
 * running execution, or is due for the scheduled reconcile, and so does every failed domain that is still mapped; every live
 * domain is mapped to the API that the table says.
 */
export class IdleInvariants {
  readonly #world: World;
  readonly #environment: Environment;
  /** Since when no execution works on a claim that needs one, by the claim's id and generation. */
  #unattendedSinceMs = new Map<string, number>();

  constructor(world: World, environment: Environment) {
    this.#world = world;
    this.#environment = environment;
  }

  check(): void {
    const environment = this.#environment;
    const pending = new Set(environment.pendingMappings());
    const unattendedSinceMs = new Map<string, number>();
    for (const domain of environment.domains()) {
      const { domain: name, status, id, generation, isAttached, isInFlow } = domain;
      const isWorkedOn = environment.isWorkedOn(domain);
      const isServedInVain = status === 'failed' && environment.nameOf(domain)?.mapping !== undefined;
      if ((isInFlow || isServedInVain) && !isWorkedOn) {
        const nowMs = this.#world.time.nowMs;
        const sinceMs = this.#unattendedSinceMs.get(`${id} ${generation}`) ?? nowMs;
        unattendedSinceMs.set(`${id} ${generation}`, sinceMs);
        const isDue = environment.isReconcileDue && nowMs - sinceMs < MAX_UNATTENDED_MS;
        if (!isDue) throw new Violation(`${name} is ${status}, and nothing works on it`);
      }
      // The last step of a verification that ended between its commit and its mapping is retried by its execution.
      if (!isAttached || isWorkedOn) continue;
      if (environment.isReconcileDue && pending.has(name)) continue;
      if (this.#world.tampered.has(name)) continue;
      const required = environment.requiredApi(domain);
      const { restApiId } = this.#world.domainNames.find(name)?.mapping ?? {};
      if (restApiId !== required)
        throw new Violation(`${name} is mapped to ${restApiId}, not to ${required}`);
    }
    this.#unattendedSinceMs = unattendedSinceMs;
  }
}

/** Holds when every execution has ended: no history is too long. A failure whose record doesn't tell it has a successor. */
export function checkHistories(world: World): void {
  const longest = longestHistory(world);
  if (longest >= MAX_HISTORY_EVENTS) throw new Violation(`An execution has ${longest} events`);
}

/**
 * Holds when every domain was removed: no resource of the service is left, but for validation records that others in the
 * account needed as well.
 */
export function checkNothingIsLeft({
  dynamodb,
  certificates,
  domainNames,
  route53,
  sharedValidations,
}: World): void {
  const domainTables = ENVIRONMENTS.map(environment => tableOf(environment, 'domains'));
  const left = [
    ...domainTables.flatMap(table => [...dynamodb.items(table).keys()]).filter(key => !key.includes('#')),
    ...certificates
      .list()
      .filter(({ tags }) => tags[ENVIRONMENT_TAG])
      .map(({ arn }) => arn),
    ...namesOf(domainNames.list().filter(({ tags }) => tags[ENVIRONMENT_TAG])),
    ...Object.keys(ZONES)
      .flatMap(id => route53.records(id))
      .filter(({ name }) => !sharedValidations.has(name))
      .map(({ name, type }) => `${type} ${name}`),
  ];
  if (left.length > 0) throw new Violation(`Everything was removed, but there is ${left.join(', ')}`);
}

function namesOf(names: readonly DomainName[]): string[] {
  return names.map(({ domainName }) => domainName);
}

/** What is left of the default URLs of an environment that has no other domains. */
export function defaultUrlsLeft(
  { certificates, domainNames, route53 }: World,
  { name: environment, platformZone }: Environment,
): string[] {
  const isOfDefaultUrls = ({ tags }: { tags: Readonly<Record<string, string>> }) =>
    tags[CLAIM_TAG] === DEFAULT_CLAIM && tags[ENVIRONMENT_TAG] === environment;
  return [
    ...certificates
      .list()
      .filter(isOfDefaultUrls)
      .map(({ arn }) => arn),
    ...namesOf(domainNames.list()).filter(name => name.endsWith(`.${platformZone.name}`)),
    ...route53.records(platformZone.id).map(({ name, type }) => `${type} ${name}`),
  ];
}

/** The number of events in the longest execution history. */
export function longestHistory({ histories }: World): number {
  return Math.max(0, ...histories);
}
