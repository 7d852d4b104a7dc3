import type { OperatorParts } from '../../domains/composition.ts';
import { firstLook } from '../../domains/first-look.ts';
import { CommandError, type CommandOf } from '../command.ts';
import { domainLookup } from '../lookup.ts';
import { requireFree, requirePaidPlan } from './requirements.ts';

export function checkDomain(parts: OperatorParts): CommandOf<'domains.check'> {
  const { readName, requireProject } = domainLookup(parts);

  return {
    async run(input) {
      const name = readName(input.domain);
      const project = await requireProject(input.project);
      const present = await parts.domains.find(name.domain, project.id);
      const standing = { project: project.id, isPresent: present !== undefined };
      const points = await parts.vantagePoints(name.domain);
      try {
        requirePaidPlan(project);
        const { isContested } = present ? { isContested: false } : await requireFree(parts, name, project);
        return await firstLook(name, points, { ...standing, isContested, refusal: null });
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        const { reason, message } = error;
        return firstLook(name, points, { ...standing, isContested: false, refusal: { reason, message } });
      }
    },
  };
}
