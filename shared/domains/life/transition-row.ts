import type { Domain, DomainStatus } from './domain.ts';
import type { EventType } from './event-type.ts';

/**
 * A row of the table of transitions: from which status, to which, the fields that it writes, and the events that it can
 * make.
 */
export function row<const Fields extends readonly (keyof Domain)[]>(
  from: readonly (DomainStatus | 'new')[],
  to: DomainStatus | 'same' | 'gone',
  changes: Fields,
  events: readonly EventType[] = [],
) {
  return { from, to, changes, events };
}
