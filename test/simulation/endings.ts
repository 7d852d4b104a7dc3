import { redirectOf } from '../../shared/projects/routing.ts';
import { Violation } from './invariants.ts';
import { MANAGED_ZONE, PLATFORM_ZONE, REDIRECTS } from './service.ts';
import { apiOf, type World } from './world.ts';

/** Half of what is allowed of an execution's 25,000 is left; more than this would be a loop. */
export const MOST_HISTORY_EVENTS = 6000;

/** What must hold when every operator is answered and every flow has ended. */
export function checkRest(world: World): void {
  const projects = new Map(world.projects().map(project => [project.id, project]));
  for (const { domain, status, reason, project } of world.domains()) {
    if (status === 'verifying' || status === 'issuing' || (status === 'removing' && reason === null)) {
      throw new Violation(`${domain} is ${status}, and nothing works on it`);
    }
    if (status !== 'live') continue;
    const routing = projects.get(project);
    const wanted = routing && redirectOf(routing, domain) ? REDIRECTS.apiId : apiOf(project);
    const mapping = world.gateway.names.get(domain)?.mapping;
    if (mapping?.apiId !== wanted) throw new Violation(`${domain} is mapped to ${mapping?.apiId}, not to ${wanted}`);
  }
  const longest = mostHistoryEvents(world);
  if (longest >= MOST_HISTORY_EVENTS) throw new Violation(`An execution has ${longest} events`);
  for (const { name, machine, outcome } of world.states.executions.values()) {
    if (outcome?.status === 'FAILED') throw new Violation(`${machine} ${name} failed: ${outcome.cause}`);
  }
}

/** What must hold when every domain was removed: nothing that was made is there. */
export function checkNothingIsLeft({ dynamodb, acm, gateway, route53 }: World): void {
  const left = [
    ...[...dynamodb.items('domains').keys()].filter(key => key !== '#turns'),
    ...acm.certificates.keys(),
    ...gateway.names.keys(),
    ...[PLATFORM_ZONE, MANAGED_ZONE].flatMap(({ id }) => route53.records(id)).map(({ Name, Type }) => `${Type} ${Name}`),
  ];
  if (left.length > 0) throw new Violation(`Everything was removed, but there is ${left.join(', ')}`);
}

export function mostHistoryEvents({ states }: World): number {
  return Math.max(0, ...[...states.executions.values()].map(({ outcome }) => outcome?.events ?? 0));
}
