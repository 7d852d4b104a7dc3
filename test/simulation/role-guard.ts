import { NO_ROUTING, type Routing } from '../../shared/projects/routing.ts';
import type { EnvironmentName } from './service.ts';
import type { World } from './world.ts';

/**
 * Roles survive: notes a violation when a domain loses its role otherwise than by its removal, or by the command that
 * assigns the role to another one.
 */
export function guardRoles(world: World): void {
  world.dynamodb.onWrite = ({ table, key: project, before, after }, by) => {
    if (!table.endsWith('-projects') || !before?.routing) return;
    const environment = world[by.environment as EnvironmentName];
    const isRemoved = (domain: string) => {
      const status = environment.domain(domain, project)?.status;
      return status === undefined || status === 'removing';
    };
    const was = before.routing as Routing;
    const is = (after?.routing ?? NO_ROUTING) as Routing;
    const isPrimaryLost = was.primary !== null && is.primary !== was.primary && !isRemoved(was.primary);
    if (isPrimaryLost && !by.name.startsWith('Operate domains.primary')) {
      world.violate(`${was.primary} is no longer the primary of ${project}, by ${by.name}`);
    }
    for (const { from, to } of was.redirects) {
      const isKept = is.redirects.some(redirect => redirect.from === from && redirect.to === to);
      if (isKept || isRemoved(from) || isRemoved(to)) continue;
      if (!/^Operate domains\.(un)?redirect /.test(by.name)) {
        world.violate(`${from} no longer redirects to ${to}, by ${by.name}`);
      }
    }
  };
}
