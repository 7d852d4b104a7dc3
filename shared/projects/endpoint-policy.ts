import type { Project } from './project.ts';
import { livePrimary } from './routing.ts';

/** Whether the default endpoint of an API answers; a closed one answers 403. */
export interface RequiredEndpoint {
  readonly state: 'open' | 'closed';
  /** Why the endpoint is open although some project at the API wants it closed. */
  readonly openBecause: string | null;
}

/**
 * What the projects ask of the default endpoint of an API. All projects that are published at the API have it in common:
 * it is closed only if each of them wants that and has a live primary domain, so that none loses its only address.
 */
export function requiredEndpoint(projects: readonly Project[], apiId: string): RequiredEndpoint {
  const published = projects.filter(project => project.apiId === apiId);
  if (!published.some(wantsClosed)) return { state: 'open', openBecause: null };
  const keeping = published.find(project => !wantsClosed(project));
  if (keeping) {
    return { state: 'open', openBecause: `The project ${keeping.id} at the same API keeps it open.` };
  }
  const dependent = published.find(project => livePrimary(project) === undefined);
  if (dependent) {
    return { state: 'open', openBecause: `The project ${dependent.id} has no live primary domain.` };
  }
  return { state: 'closed', openBecause: null };
}

export function wantsClosed({ endpointWhileLive }: Pick<Project, 'endpointWhileLive'>): boolean {
  return endpointWhileLive === 'closed';
}
