import { reconcileParts } from '../../shared/domains/composition.ts';
import { domainCounts } from '../../shared/domains/life/domain-counts.ts';
import { reconcileAll } from '../../shared/domains/steps/scheduled-work.ts';
import { logCompletedRun } from '../../shared/log.ts';

const parts = reconcileParts();

/**
 * Every few minutes: reconciles the domains whose command ended between commit and reconcile, and logs how all domains are
 * then.
 */
export async function handler(): Promise<{ reconciled: number }> {
  const reconciled = await reconcileAll(parts);
  logCompletedRun({ reconciled, ...domainCounts(await parts.domains.all(), parts.clock.now()) });
  return { reconciled };
}
