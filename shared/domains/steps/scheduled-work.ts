import type { Domain } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';
import { isUnreconciled } from '../life/reconciliation.ts';
import { eachDomain } from './each-domain.ts';

interface ScheduledWorkParts {
  readonly domains: DomainStore;
  readonly reconcile: (domain: Domain) => Promise<Domain>;
  readonly recheck: (domain: Domain) => Promise<Domain>;
}

/** Reconciles the domains whose command ended between commit and reconcile; returns how many there were. */
export async function reconcileAll({
  domains,
  reconcile,
}: Pick<ScheduledWorkParts, 'domains' | 'reconcile'>): Promise<number> {
  const unreconciled = (await domains.all()).filter(isUnreconciled);
  await eachDomain(unreconciled, reconcile);
  return unreconciled.length;
}

/** Checks the live domains again, or those of them with one of these certificates; returns how many there were. */
export async function recheckAll(
  { domains, recheck }: Pick<ScheduledWorkParts, 'domains' | 'recheck'>,
  certificateArns?: readonly string[],
): Promise<number> {
  const isAffected = (arn: string | null) => !certificateArns || certificateArns.includes(arn ?? '');
  const live = (await domains.all()).filter(
    ({ status, certificate }) => status === 'live' && isAffected(certificate.arn),
  );
  await eachDomain(live, recheck);
  return live.length;
}
