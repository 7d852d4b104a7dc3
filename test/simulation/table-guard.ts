import { DOMAINS_TABLE } from '../../shared/domains/life/domain-table.ts';
import { NO_ROUTING, type Routing } from '../../shared/projects/routing.ts';
import type { ItemWrite } from './dynamodb-model.ts';
import type { EnvironmentName } from './service.ts';
import type { Actor } from './virtual-time.ts';
import type { World } from './world.ts';

/** Watches every write: notes a violation when a name passes from owner to owner, or a domain loses its role. */
export function guardTables(world: World, onWrite: (write: ItemWrite) => void): void {
  world.dynamodb.onWrite = (write, by) => {
    onWrite(write);
    if (write.table.endsWith('-domains')) checkOwner(world, write, by);
    if (write.table.endsWith('-projects')) checkRoles(world, write, by);
  };
}

/** A name has one owner, until the owner's claim is gone. */
function checkOwner(world: World, { key, before, after }: ItemWrite, by: Actor): void {
  if (!key.endsWith(` ${DOMAINS_TABLE.ownerSortKey}`) || !before || !after) return;
  if (before.provenBy !== after.provenBy) {
    world.violate(
      `${by.name} makes ${after.provenBy} the owner of ${after.domain}, which is ${before.provenBy}'s`,
    );
  }
}

/** A domain keeps its roles until it is removed, or a command assigns the role to another one. */
function checkRoles(world: World, { key: project, before, after }: ItemWrite, by: Actor): void {
  if (!before?.routing) return;
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
}
