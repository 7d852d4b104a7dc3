import type { Project } from '../../../shared/projects/project.ts';
import { NO_ROUTING } from '../../../shared/projects/routing.ts';

export const AT = '2026-01-31T12:00:00.000Z';

/** The deploy of a project that was deployed once, with success. */
export const DEPLOYED = { state: 'succeeded', at: AT, succeededAt: AT } as const;

/** A project on a paid plan that was never deployed and has no domains, unless the fields say otherwise. */
export function someProject(fields: Partial<Project> = {}): Project {
  return {
    id: 'zoo',
    name: null,
    plan: 'pro',
    deploy: { state: 'none', at: null, succeededAt: null },
    apiId: 'abcdefghij',
    stage: 'test',
    createdAt: AT,
    whileLive: 'redirect',
    ...NO_ROUTING,
    ...fields,
  };
}
