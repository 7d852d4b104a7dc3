import { transact } from '../../aws/transaction.ts';
import { timeOf } from '../../domains/clock.ts';
import type { OperatorParts } from '../../domains/composition.ts';
import { PAGES_LABEL } from '../../domains/default-urls.ts';
import { nextRevision } from '../../domains/life/domain.ts';
import { report } from '../../domains/report.ts';
import { linkOf, newLinkKey } from '../../setup/link.ts';
import type { CommandOf } from '../command.ts';
import { domainLookup, requirePlatformDomain, retryOnConflict } from '../lookup.ts';
import { requireNotRemoving } from './requirements.ts';

export function linkDomain(parts: OperatorParts): CommandOf<'domains.link'> {
  const { domains, defaultUrls, clock } = parts;
  const { requireDomain } = domainLookup(parts);

  return {
    run: input =>
      retryOnConflict(async () => {
        const claim = requireNotRemoving((await requireDomain(input)).domain);
        const host = `${PAGES_LABEL}.${await requirePlatformDomain(parts)}`;
        const linkKey = claim.linkKey ?? newLinkKey();
        if (linkKey !== claim.linkKey) await transact(domains.change(nextRevision({ ...claim, linkKey })));
        const { path, untilMs } = linkOf({ ...claim, linkKey }, clock.now());
        const isServed = await defaultUrls.servesPages();
        return { url: `https://${host}/v1${path}`, until: timeOf(untilMs), isServed };
      }),
  };
}

/** The next link has another secret. The apex and its www that belong together have one page, so the links of both end. */
export function unlinkDomain(parts: OperatorParts): CommandOf<'domains.unlink'> {
  const { domains, clock } = parts;
  const { requireDomain } = domainLookup(parts);

  return {
    run: (input, change) =>
      retryOnConflict(async () => {
        const { project, domain } = await requireDomain(input);
        const result = report(domain, project, clock);
        const sibling = result.pair === null ? undefined : await domains.find(result.pair, project.id);
        const linked = [domain, ...(sibling ? [sibling] : [])].filter(({ linkKey }) => linkKey !== undefined);
        const ended = linked.map(claim => nextRevision({ ...claim, linkKey: undefined }));
        await change.commit(ended.flatMap(domains.change), result);
        return result;
      }),
  };
}
