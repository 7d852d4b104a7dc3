import type { Domain, DomainStatus } from './domain.ts';

/** A row of the table of transitions: from which status, to which, and the fields that it writes. */
export function row<const Fields extends readonly (keyof Domain)[]>(
  from: readonly (DomainStatus | 'new')[],
  to: DomainStatus | 'same' | 'gone',
  changes: Fields,
) {
  return { from, to, changes };
}
