import type { OperatorParts } from '../../domains/composition.ts';
import { viewed } from '../../domains/life/change.ts';
import type { Domain } from '../../domains/life/domain.ts';
import { STATUSES } from '../../domains/life/domain-status.ts';
import { waitsForRecords } from '../../domains/life/todo.ts';
import { withFoundRecords } from '../../domains/pass/found-records.ts';
import { isLookOverdue } from '../../domains/pass/look.ts';
import { type DomainReport, report } from '../../domains/report.ts';
import type { CommandOf } from '../command.ts';
import { type DomainInput, domainLookup } from '../lookup.ts';

/** The report of a domain, as it's stored or as somebody sees it by then. */
function shown(parts: OperatorParts) {
  const { domains, certificates, clock } = parts;
  const { requireDomain, takenMessage } = domainLookup(parts);

  return async (input: DomainInput, see = async (claim: Domain, _stored: DomainReport) => claim) => {
    const { project, domain } = await requireDomain(input);
    // If another project owns the name, creating records is pointless. Once the claim has been checked, its reason says so.
    const isUnchecked = domain.provenAt === null && domain.reason === null;
    const taken = isUnchecked ? await takenMessage(domain.domain, project.id) : undefined;
    const [looked = domain] = await domains.withLooks([await withValidationRecords(domain)]);
    const reportOf = (claim: Domain) => report(claim, project, clock, taken ? [taken] : []);
    const stored = reportOf(looked);
    const seen = await see(looked, stored);
    return seen === looked ? stored : reportOf(seen);
  };

  /** The domain with the validation records that ACM names seconds after the request; they aren't stored here. */
  async function withValidationRecords(domain: Domain): Promise<Domain> {
    const { arn, validations } = domain.certificate;
    if (STATUSES[domain.status].awaits !== 'verification' || arn === null || validations.length > 0)
      return domain;
    const view = await certificates.view(arn);
    return { ...domain, certificate: { ...viewed(domain, view), arn } };
  }
}

export function showDomain(parts: OperatorParts): CommandOf<'domains.show'> {
  const show = shown(parts);
  return { run: input => show(input) };
}

export function lookAtDomain(parts: OperatorParts): CommandOf<'domains.look'> {
  const { domains, clock, vantagePoints } = parts;
  const { requireDomain } = domainLookup(parts);
  const show = shown(parts);

  return {
    async run(input) {
      const { domain } = await requireDomain(input);
      const [looked = domain] = await domains.withLooks([domain]);
      if (isLookOverdue(looked, clock)) await parts.tend(domain);
      return show(input, async (claim, { records }) => {
        // The records of a zone that the service manages, it creates itself.
        const isAwaited = claim.managed.length === 0 && waitsForRecords(records);
        return isAwaited ? withFoundRecords(claim, vantagePoints, clock.now()) : claim;
      });
    },
  };
}
