import { domainServices } from '../../shared/domains/domain-services.ts';
import { domainCounts } from '../../shared/domains/life/domain-counts.ts';
import { reconcileAll } from '../../shared/domains/steps/scheduled-work.ts';
import { logCompletedRun } from '../../shared/log.ts';

const services = domainServices();

/**
 * Every few minutes: reconciles the domains whose command ended between commit and reconcile, and logs how all domains are
 * then.
 */
export async function handler(): Promise<{ reconciled: number }> {
  const reconciled = await reconcileAll(services);
  logCompletedRun({ reconciled, ...domainCounts(await services.domains.all(), services.now()) });
  return { reconciled };
}
