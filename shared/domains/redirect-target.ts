import { activeRedirect, type Redirect, type Routing } from '../projects/routing.ts';

type Find<Found> = (key: string) => Promise<Found | undefined>;

/** Looks up where a host redirects to: the routing of the project that owns the name says so. */
export function redirectTarget(ownerOf: Find<string>, findProject: Find<Routing>): Find<Redirect> {
  return async host => {
    const owner = await ownerOf(host);
    const project = owner && (await findProject(owner));
    return project ? activeRedirect(project, host) : undefined;
  };
}
