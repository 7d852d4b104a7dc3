import { claimOf, type Domain } from '../../shared/domains/life/domain.ts';
import { isUnreconciled } from '../../shared/domains/life/reconciliation.ts';
import { activeRedirect } from '../../shared/projects/routing.ts';
import { Violation } from './invariants.ts';
import { MANAGED_ZONE, PLATFORM_ZONE, REDIRECTS } from './service.ts';
import { apiOf, type World } from './world.ts';

/** About a quarter of the 25,000 events that an execution may have, which leaves room for retries beyond those simulated. */
export const MAX_HISTORY_EVENTS = 6000;

/**
 * Holds whenever no function runs and every operator is answered: every unfinished verification and removal has a
 * running execution, and every live domain is mapped to the API that the table says.
 */
export function checkIdle(world: World): void {
  const projects = new Map(world.projects().map(project => [project.id, project]));
  const isRunning = (machine: string, { target, attempt }: Domain) =>
    world.states
      .running()
      .some(
        ({ name, machine: ownMachine }) =>
          ownMachine === machine && name === `${claimOf({ target })}-${attempt}`,
      );
  const pending = new Set(world.pendingMappings());
  for (const domain of world.domains()) {
    const { domain: name, status, reason, project } = domain;
    // The next scheduled reconcile starts what is missing.
    if (world.isReconcileDue && isUnreconciled(domain)) continue;
    const isInProgress =
      status === 'removing'
        ? reason !== null || isRunning('Remove', domain)
        : !['verifying', 'issuing'].includes(status) || isRunning('Verify', domain);
    if (!isInProgress) throw new Violation(`${name} is ${status}, and nothing works on it`);
    // The last step of a verification that ended between its commit and its mapping is retried by its execution.
    if (status !== 'live' || isRunning('Verify', domain)) continue;
    if (world.isReconcileDue && pending.has(name)) continue;
    const routing = projects.get(project);
    const required = routing && activeRedirect(routing, name) ? REDIRECTS.apiId : apiOf(project);
    const mapping = world.gateway.names.get(name)?.mapping;
    if (mapping?.apiId !== required)
      throw new Violation(`${name} is mapped to ${mapping?.apiId}, not to ${required}`);
  }
}

/** Holds when every execution has ended: no history is too long, and every failure is one that the flow recorded. */
export function checkHistories(world: World): void {
  const longest = longestHistory(world);
  if (longest >= MAX_HISTORY_EVENTS) throw new Violation(`An execution has ${longest} events`);
  for (const { name, machine, outcome } of world.states.executions.values()) {
    const isRecorded = outcome?.error === 'VerificationFailed' || outcome?.error === 'RemovalFailed';
    if (outcome?.status === 'FAILED' && !isRecorded) {
      throw new Violation(`${machine} ${name} failed: ${outcome.cause}`);
    }
  }
}

/** Holds when every domain was removed: no resource of the service is left. */
export function checkNothingIsLeft({ dynamodb, acm, gateway, route53 }: World): void {
  const left = [
    ...[...dynamodb.items('domains').keys()].filter(key => !key.startsWith('#')),
    ...acm.certificates.keys(),
    ...gateway.names.keys(),
    ...[PLATFORM_ZONE, MANAGED_ZONE]
      .flatMap(({ id }) => route53.records(id))
      .map(({ Name, Type }) => `${Type} ${Name}`),
  ];
  if (left.length > 0) throw new Violation(`Everything was removed, but there is ${left.join(', ')}`);
}

/** The number of events in the longest execution history. */
export function longestHistory({ states }: World): number {
  return Math.max(0, ...[...states.executions.values()].map(({ outcome }) => outcome?.events ?? 0));
}
