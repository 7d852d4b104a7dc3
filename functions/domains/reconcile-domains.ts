import { reconcileParts } from '../../shared/domains/composition.ts';
import { domainCounts } from '../../shared/domains/life/domain-counts.ts';
import { reconcileAll, tendAffected } from '../../shared/domains/pass/scheduled-work.ts';
import { logCompletedRun } from '../../shared/log.ts';

const parts = reconcileParts();

/** What EventBridge sends: every few minutes, and when ACM has an event about the certificates that it names. */
interface ReconcileEvent {
  readonly source?: string;
  readonly resources?: readonly string[];
}

/**
 * Every few minutes: brings AWS into line with the records of domains, looks at the attached ones, and logs the state of all
 * of them, whatever fails. When ACM sends an event about a certificate, it tends the domain.
 */
export async function handler({ source, resources = [] }: ReconcileEvent): Promise<Record<string, number>> {
  if (source === 'aws.acm') return { tended: await tendAffected(parts, resources) };
  const done = { reconciled: 0, looked: 0, tended: 0 };
  try {
    return { ...(await reconcileAll(parts, done)) };
  } finally {
    logCompletedRun({ ...done, ...domainCounts(await parts.domains.all(), parts.clock.now()) });
  }
}
