import { log } from '../../log.ts';
import type { DomainEvent } from '../life/domain-event.ts';
import type { Outbox } from '../life/outbox.ts';
import type { EventBus } from './event-bus.ts';

/** EventBridge takes at most ten events in one request. */
const BATCH_SIZE = 10;

/** EventBridge has not accepted some of the events. They are still in the outbox. */
export class EventsRejected extends Error {
  override readonly name = 'EventsRejected';

  constructor(count: number) {
    super(`EventBridge has not accepted ${count} of the events. They are published again.`);
  }
}

interface PublisherParts {
  readonly outbox: Outbox;
  readonly bus: EventBus;
}

/**
 * Publishes the events of the outbox, the oldest first. An event is deleted once EventBridge has accepted it, and not
 * before: one that is published and not deleted is published again by the next run, with the same id. Events that
 * EventBridge rejects stay in the outbox, and do not keep the others from being published; the run fails at its end, so
 * that Lambda repeats it soon and an alarm counts it.
 */
export function publisher({ outbox, bus }: PublisherParts) {
  const publish = async (batch: readonly DomainEvent[]): Promise<number> => {
    const outcomes = await bus.put(batch);
    const accepted = batch.filter((_, position) => outcomes[position]?.isAccepted);
    if (accepted.length > 0) await outbox.remove(accepted);
    for (const [position, { id, domain, type }] of batch.entries()) {
      const outcome = outcomes[position];
      if (outcome?.isAccepted) continue;
      log.warn('An event was not accepted, and is published again.', {
        id,
        domain,
        type,
        error: outcome?.error,
      });
    }
    return accepted.length;
  };

  return async (): Promise<{ readonly published: number }> => {
    let published = 0;
    let rejected = 0;
    for await (const events of outbox.pages()) {
      for (let start = 0; start < events.length; start += BATCH_SIZE) {
        const batch = events.slice(start, start + BATCH_SIZE);
        const accepted = await publish(batch);
        published += accepted;
        rejected += batch.length - accepted;
      }
    }
    if (rejected > 0) throw new EventsRejected(rejected);
    return { published };
  };
}

/** How often the outbox is published. */
export const PUBLISH_MINUTES = 2;
