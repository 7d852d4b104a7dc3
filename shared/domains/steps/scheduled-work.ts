import type { Domain } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';
import { isUnreconciled } from '../life/reconciliation.ts';
import { eachDomain } from './each-domain.ts';
import type { MappingFailure } from './pending-mappings.ts';

interface ScheduledWorkParts {
  readonly domains: DomainStore;
  readonly reconcile: (domain: Domain) => Promise<Domain>;
  readonly remap: () => Promise<readonly MappingFailure[]>;
  readonly recheck: (domain: Domain) => Promise<Domain>;
}

/**
 * Reconciles the domains whose command ended between commit and reconcile, and maps those whose mapping is pending;
 * returns how many of the former there were.
 */
export async function reconcileAll({
  domains,
  reconcile,
  remap,
}: Pick<ScheduledWorkParts, 'domains' | 'reconcile' | 'remap'>): Promise<number> {
  const unreconciled = (await domains.all()).filter(isUnreconciled);
  const failures = await remap();
  await eachDomain(unreconciled, reconcile);
  const [failure] = failures.filter(({ isRetried }) => isRetried);
  if (failure) throw failure.error;
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
