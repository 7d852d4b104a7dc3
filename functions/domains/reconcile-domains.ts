import { domainServices } from '../../shared/domains/domain-services.ts';
import { isUnreconciled } from '../../shared/domains/life/reconciliation.ts';
import { eachDomain } from '../../shared/domains/steps/each-domain.ts';

const { domains, reconcile } = domainServices();

/** Every few minutes: makes up for what a command committed and did not reconcile, because it ended in between. */
export async function handler(): Promise<{ reconciled: number }> {
  const unreconciled = (await domains.all()).filter(isUnreconciled);
  await eachDomain(unreconciled, reconcile);
  return { reconciled: unreconciled.length };
}
