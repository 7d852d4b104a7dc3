import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { controlPlaneClient } from '../../aws/control-plane.ts';
import { type DomainEvent, detailTypeOf, eventSourceOf } from '../life/domain-event.ts';

/** What became of one event of a request. */
type PutOutcome = { readonly isAccepted: true } | { readonly isAccepted: false; readonly error: string };

/** The default event bus of the account. */
export interface EventBus {
  /** Puts at most ten events. The outcomes are in the order of the events: each is accepted or rejected by itself. */
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
        // An event without an id was not accepted, whatever else the response says.
        return EventId !== undefined && ErrorCode === undefined
          ? { isAccepted: true }
          : { isAccepted: false, error: `${ErrorCode ?? 'no answer'}: ${ErrorMessage ?? ''}` };
      });
    },
  };
}
