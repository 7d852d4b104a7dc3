import type { PutEventsCommandInput } from '@aws-sdk/client-eventbridge';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import type { Call } from './calls.ts';
import type { Actor } from './virtual-time.ts';

const MAX_ENTRIES = 10;

/** An event as its subscribers get it. */
export interface DeliveredEvent {
  readonly source: string;
  readonly detailType: string;
  readonly time: string;
  /** The text of the detail, and what it says. */
  readonly text: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The default event bus of the account. An entry may fail by itself while the others of its request are accepted. */
export class EventBridgeModel {
  /** Called for every event that is accepted, which may be lost to its sender. */
  onEvent: (event: DeliveredEvent, by: Actor) => void = () => {};
  readonly #isRejected: () => boolean;
  #count = 0;

  constructor(isRejected: () => boolean) {
    this.#isRejected = isRejected;
  }

  readonly service = ({ operation, input, actor }: Call): unknown => {
    if (operation !== 'PutEvents') throw new Error(`The model does not support ${operation}.`);
    const { Entries = [] } = input as PutEventsCommandInput;
    if (Entries.length < 1 || Entries.length > MAX_ENTRIES) {
      throw new AwsApiError('ValidationException', `PutEvents takes 1 to ${MAX_ENTRIES} entries.`);
    }
    const results = Entries.map(({ Source = '', DetailType = '', Detail = '', Time }) => {
      if (this.#isRejected()) {
        actor.hasMetFault = true;
        return { ErrorCode: 'InternalFailure', ErrorMessage: 'Try again.' };
      }
      const time = Time?.toISOString() ?? '';
      const event = {
        source: Source,
        detailType: DetailType,
        time,
        text: Detail,
        detail: JSON.parse(Detail),
      };
      this.onEvent(event, actor);
      this.#count += 1;
      return { EventId: `event-${this.#count}` };
    });
    return { FailedEntryCount: results.filter(result => 'ErrorCode' in result).length, Entries: results };
  };
}
