import { domainServices } from '../../shared/domains/domain-services.ts';
import { reconcileAll } from '../../shared/domains/steps/scheduled-work.ts';

const services = domainServices();

/** Every few minutes: makes up for what a command committed and did not reconcile, because it ended in between. */
export async function handler(): Promise<{ reconciled: number }> {
  return { reconciled: await reconcileAll(services) };
}
