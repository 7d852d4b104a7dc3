import type { DomainReport } from '../../../../shared/operator/contract.ts';

/** The domains that this one can redirect to: live ones that serve the project themselves, the primary one first. */
export function redirectTargets({ domain }: DomainReport, all: readonly DomainReport[]): string[] {
  return all
    .filter(other => other.domain !== domain && other.status === 'live' && other.redirect === null)
    .toSorted((left, right) => Number(right.primary) - Number(left.primary))
    .map(other => other.domain);
}
