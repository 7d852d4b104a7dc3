import type { OperatorParts } from '../../domains/composition.ts';
import { viewed } from '../../domains/life/change.ts';
import type { Domain } from '../../domains/life/domain.ts';
import { STATUSES } from '../../domains/life/domain-status.ts';
import { isLookOverdue } from '../../domains/pass/look.ts';
import { report } from '../../domains/report.ts';
import type { CommandOf } from '../command.ts';
import { domainLookup } from '../lookup.ts';

export function showDomain(parts: OperatorParts): CommandOf<'domains.show'> {
  const { domains, certificates, clock } = parts;
  const { requireDomain, takenMessage } = domainLookup(parts);

  return {
    async run(input) {
      const { project, domain } = await requireDomain(input);
      // If another project owns the name, records would be created in vain. Once the claim was checked, its reason says so.
      const isUnchecked = domain.provenAt === null && domain.reason === null;
      const taken = isUnchecked ? await takenMessage(domain.domain, project.id) : undefined;
      const [looked = domain] = await domains.withLooks([await withValidationRecords(domain)]);
      return report(looked, project, clock, taken ? [taken] : []);
    },
  };

  /** The domain with the validation records that ACM names some seconds after the request; they are not stored here. */
  async function withValidationRecords(domain: Domain): Promise<Domain> {
    const { arn, validations } = domain.certificate;
    if (STATUSES[domain.status].awaits !== 'verification' || arn === null || validations.length > 0)
      return domain;
    const view = await certificates.view(arn);
    return { ...domain, certificate: { ...viewed(domain, view), arn } };
  }
}

export function lookAtDomain(parts: OperatorParts): CommandOf<'domains.look'> {
  const { domains, clock } = parts;
  const { requireDomain } = domainLookup(parts);
  const shown = showDomain(parts);

  return {
    async run(input, change) {
      const { domain } = await requireDomain(input);
      const [looked = domain] = await domains.withLooks([domain]);
      if (isLookOverdue(looked, clock)) await parts.tend(domain);
      return shown.run(input, change);
    },
  };
}
