import type { OperatorParts } from '../../domains/composition.ts';
import { nextRevision } from '../../domains/life/domain.ts';
import { STATUSES } from '../../domains/life/domain-status.ts';
import { removalStarted } from '../../domains/life/wishes.ts';
import { removalNotes, report } from '../../domains/report.ts';
import { withoutDomain } from '../../projects/routing.ts';
import type { CommandOf } from '../command.ts';
import { domainLookup, retryOnConflict } from '../lookup.ts';
import { remapProject } from './route-domain.ts';

export function removeDomain(parts: OperatorParts): CommandOf<'domains.remove'> {
  const { projects, domains, reconcile, clock } = parts;
  const { requireDomain, findDomain } = domainLookup(parts);

  return {
    run: (input, change) =>
      retryOnConflict(async () => {
        const { project, domain: before } = await requireDomain(input);
        if (STATUSES[before.status].flow === 'removal') return report(before, project, clock);

        const after = nextRevision(removalStarted(before, clock.now()));
        const routing = withoutDomain(project, before.domain);
        const result = report(after, routing, clock, removalNotes(before, project));
        await change.commit([...domains.change(after), projects.routingChange(project, routing)], result);
        return result;
      }),
    async followUp(input) {
      const domain = await findDomain(input);
      if (domain && STATUSES[domain.status].flow === 'removal') await reconcile(domain);
      return remapProject(parts, input.project);
    },
  };
}
