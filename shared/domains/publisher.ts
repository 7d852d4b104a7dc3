import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { controlPlaneClient } from '../aws/control-plane.ts';
import { log } from '../log.ts';
import { type DomainEvent, detailTypeOf, eventSourceOf } from './life/domain-event.ts';
import type { Outbox } from './life/outbox.ts';

/** EventBridge takes at most ten events in one request. */
const BATCH_SIZE = 10;

/** EventBridge didn't accept some of the events. They're still in the outbox. */
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
 * Publishes the events of the outbox, oldest first. An event is deleted only once EventBridge has accepted it: if it was published
 * but not deleted, the next run publishes it again with the same id. Events that EventBridge rejects stay in the outbox without
 * holding up the others; the run then fails at its end, so Lambda repeats it soon and an alarm counts it.
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

/** The outcome of one event of a request. */
type PutOutcome = { readonly isAccepted: true } | { readonly isAccepted: false; readonly error: string };

/** The default event bus of the account. */
export interface EventBus {
  /** Puts at most ten events. The outcomes are in the order of the events: each is accepted or rejected separately. */
  put(events: readonly DomainEvent[]): Promise<readonly PutOutcome[]>;
}

export function eventBus(environment: string): EventBus {
  const eventBridge = controlPlaneClient(EventBridgeClient);
  const Source = eventSourceOf(environment);
  return {
    async put(events) {
      const Entries = events.map(({ type, ...detail }) => ({
        Source,
        DetailType: detailTypeOf(type),
        Time: new Date(detail.at),
        Detail: JSON.stringify(detail),
      }));
      const answer = await eventBridge.send(new PutEventsCommand({ Entries }));
      return events.map((_, position): PutOutcome => {
        const { EventId, ErrorCode, ErrorMessage } = answer.Entries?.[position] ?? {};
        // An event without an id wasn't accepted, whatever else the response says.
        return EventId !== undefined && ErrorCode === undefined
          ? { isAccepted: true }
          : { isAccepted: false, error: `${ErrorCode ?? 'no answer'}: ${ErrorMessage ?? ''}` };
      });
    },
  };
}
