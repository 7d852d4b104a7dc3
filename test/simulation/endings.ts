import { claimOf, type Domain } from '../../shared/domains/life/domain.ts';
import { isUnreconciled } from '../../shared/domains/life/reconciliation.ts';
import { redirectOf } from '../../shared/projects/routing.ts';
import { Violation } from './invariants.ts';
import { MANAGED_ZONE, PLATFORM_ZONE, REDIRECTS } from './service.ts';
import { apiOf, type World } from './world.ts';

/** A quarter of the 25,000 that an execution may have: the worst 48 hours leave room for whatever comes on top. */
export const MOST_HISTORY_EVENTS = 6000;

/**
 * What must hold whenever no function runs and every operator is answered: AWS is in line with the records, and every
 * flow that is under way has an execution.
 */
export function checkQuiet(world: World): void {
  const projects = new Map(world.projects().map(project => [project.id, project]));
  const isRunning = (machine: string, { target, attempt }: Domain) =>
    world.states
      .running()
      .some(({ name, machine: of }) => of === machine && name === `${claimOf({ target })}-${attempt}`);
  for (const domain of world.domains()) {
    const { domain: name, status, reason, project } = domain;
    // The scheduled reconcile makes up for it.
    if (world.isReconcileDue && isUnreconciled(domain)) continue;
    const isGoingOn =
      status === 'removing'
        ? reason !== null || isRunning('Remove', domain)
        : !['verifying', 'issuing'].includes(status) || isRunning('Verify', domain);
    if (!isGoingOn) throw new Violation(`${name} is ${status}, and nothing works on it`);
    // The last step of a verification that ended between its commit and its mapping is retried by its execution.
    if (status !== 'live' || isRunning('Verify', domain)) continue;
    const routing = projects.get(project);
    const wanted = routing && redirectOf(routing, name) ? REDIRECTS.apiId : apiOf(project);
    const mapping = world.gateway.names.get(name)?.mapping;
    if (mapping?.apiId !== wanted)
      throw new Violation(`${name} is mapped to ${mapping?.apiId}, not to ${wanted}`);
  }
}

/** What must hold of the executions when all have ended. */
export function checkHistories(world: World): void {
  const longest = mostHistoryEvents(world);
  if (longest >= MOST_HISTORY_EVENTS) throw new Violation(`An execution has ${longest} events`);
  for (const { name, machine, outcome } of world.states.executions.values()) {
    const isRecorded = outcome?.error === 'VerificationFailed' || outcome?.error === 'RemovalFailed';
    if (outcome?.status === 'FAILED' && !isRecorded) {
      throw new Violation(`${machine} ${name} failed: ${outcome.cause}`);
    }
  }
}

/** What must hold when every domain was removed: nothing that was made is there. */
export function checkNothingIsLeft({ dynamodb, acm, gateway, route53 }: World): void {
  const left = [
    ...[...dynamodb.items('domains').keys()].filter(key => key !== '#slots'),
    ...acm.certificates.keys(),
    ...gateway.names.keys(),
    ...[PLATFORM_ZONE, MANAGED_ZONE]
      .flatMap(({ id }) => route53.records(id))
      .map(({ Name, Type }) => `${Type} ${Name}`),
  ];
  if (left.length > 0) throw new Violation(`Everything was removed, but there is ${left.join(', ')}`);
}

export function mostHistoryEvents({ states }: World): number {
  return Math.max(0, ...[...states.executions.values()].map(({ outcome }) => outcome?.events ?? 0));
}
