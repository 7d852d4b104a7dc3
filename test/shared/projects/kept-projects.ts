import { isDeepStrictEqual } from 'node:util';
import type { Project, Routing } from '../../../shared/projects/project.ts';
import { type ProjectStore, RoutingChanged } from '../../../shared/projects/project-store.ts';
import { keptWrite } from '../aws/kept-writes.ts';

/** Projects in memory, whose routing can change. */
export function keptProjects(projects: readonly Project[]) {
  const byId = new Map(projects.map(project => [project.id, project]));
  const store: Pick<ProjectStore, 'find' | 'list' | 'routingChange'> = {
    find: async id => byId.get(id),
    list: async () => [...byId.values()].toSorted((left, right) => left.id.localeCompare(right.id)),
    routingChange: (read, after) =>
      keptWrite(
        {
          key: `project ${read.id}`,
          holds: () => isDeepStrictEqual(rolesOf(byId.get(read.id)), rolesOf(read)),
          apply: () => {
            const present = byId.get(read.id);
            if (present)
              byId.set(read.id, { ...present, ...rolesOf(after), ...awayAfter(present, read, after) });
          },
        },
        () => new RoutingChanged(`The domains of ${read.id} were changed in the meantime.`),
      ),
  };
  return store as ProjectStore;
}

/** What a change of the routing is conditional on. */
function rolesOf(routing: Routing | undefined): Omit<Routing, 'awayDomains'> | undefined {
  if (!routing) return undefined;
  const { liveDomains, primary, redirects } = routing;
  return { liveDomains, primary, redirects };
}

/** A change adds domains to those that are away, and takes others from them, whatever else was added since. */
function awayAfter(present: Routing, before: Routing, after: Routing): Pick<Routing, 'awayDomains'> {
  const [was, is] = [new Set(before.awayDomains), new Set(after.awayDomains)];
  const awayDomains = new Set(present.awayDomains).difference(was.difference(is)).union(is.difference(was));
  return { awayDomains: [...awayDomains].toSorted() };
}
