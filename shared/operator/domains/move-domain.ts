import type { OperatorParts } from '../../domains/composition.ts';
import { type Domain, nextRevision } from '../../domains/life/domain.ts';
import { hasVisitors } from '../../domains/life/domain-reason.ts';
import { isBeingRemoved, isInFlow, isServed } from '../../domains/life/domain-status.ts';
import { AlreadyClaimed } from '../../domains/life/domain-store.ts';
import { moved } from '../../domains/life/wishes.ts';
import { report } from '../../domains/report.ts';
import { rolesMoved, siblingOf, withArrival, withMoved } from '../../projects/routing.ts';
import { CommandError, type CommandOf } from '../command.ts';
import { domainLookup, retryOnConflict } from '../lookup.ts';
import { addedReport, additionError, requireNotRemoving, requirePaidPlan } from './requirements.ts';
import { remapProject } from './route-domain.ts';

export function moveDomain(parts: OperatorParts): CommandOf<'domains.move'> {
  const { projects, domains, clock } = parts;
  const { requireProject, requireDomain, readName } = domainLookup(parts);

  return {
    run: (input, change) =>
      retryOnConflict(async () => {
        const { project: from, domain: named } = await requireDomain(input);
        const to = await requireProject(input.to);
        if (to.id === from.id) {
          const message = `${named.domain} is already in project ${to.id}.`;
          throw new CommandError('conflict', message, 'domain_exists');
        }
        requireNotRemoving(named);
        const sibling = input.alone ? undefined : await domains.find(siblingOf(named.domain), from.id);
        const moving = [named, ...(sibling && !isBeingRemoved(sibling) ? [sibling] : [])];
        requireNotInFlow(moving);
        requirePaidPlan(to);
        const at = clock.now();
        const moves = moving.map(before => ({ before, next: nextRevision(moved(before, to.id, at)) }));
        const names = moving.map(({ domain }) => domain);
        const after = withMoved(names, from, to);
        const routing = moves
          .filter(({ next }) => isServed(next))
          .reduce((all, { next }) => withArrival(all, next.domain, hasVisitors(next)), after.to);
        const notes = rolesMoved(names, from, to);
        const result = addedReport(moves.map(({ next }) => report(next, routing, clock, notes)));
        try {
          await change.commit(
            [
              ...(await domains.move(moves, at)),
              projects.routingChange(from, after.from),
              projects.routingChange(to, routing, { isPaid: true }),
            ],
            result,
          );
        } catch (error) {
          if (!(error instanceof AlreadyClaimed)) throw additionError(error);
          const message = `Project ${to.id} has added ${error.claim.domain}, too. Remove it there first.`;
          throw new CommandError('conflict', message, 'domain_exists', { cause: error });
        }
        return result;
      }),
    async followUp(input) {
      const names = [input.domain, siblingOf(readName(input.domain).domain)];
      return [
        ...(await remapProject(parts, input.to, ...names)),
        ...(await remapProject(parts, input.project)),
      ];
    },
  };
}

/** Refuses to move domains if one of them is being verified; the first is the one that was named. */
function requireNotInFlow(moving: readonly Domain[]): void {
  const busy = moving.find(isInFlow);
  if (!busy) return;
  const alone = busy === moving[0] ? '' : ` Or move ${moving[0]?.domain} alone.`;
  const message = `${busy.domain} is being verified. Move it when that's done.${alone}`;
  throw new CommandError('conflict', message, 'verification_in_progress');
}
