import type { Domain } from './domain.ts';
import type { EventType } from './event-type.ts';
import { timeOf } from './history.ts';

type State = Pick<Domain, 'status' | 'reason'>;

/** What events tell of a domain in this state; undefined while a verification or a removal is under way. */
export function eventTypeOf({ status, reason }: State): Exclude<EventType, 'removed'> | undefined {
  switch (status) {
    case 'live':
      return reason === null ? 'live' : 'needs attention';
    case 'failed':
      return 'failed';
    case 'removing':
      // A removal that stalled has a reason, and waits for an operator.
      return reason === null ? undefined : 'needs attention';
    default:
      return undefined;
  }
}

/**
 * The last event of a domain whose state changes in this way: a new one, which the next write makes, if the change is one
 * that events tell, and else the one before.
 */
export function lastEventOf(domain: Domain, changes: Partial<State>, nowMs: number): Domain['lastEvent'] {
  const type = eventTypeOf({ ...domain, ...changes });
  if (type === undefined || type === eventTypeOf(domain)) return domain.lastEvent;
  return { type, revision: domain.revision + 1, at: timeOf(nowMs) };
}
