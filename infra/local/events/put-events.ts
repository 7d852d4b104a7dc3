import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { type Operation, operation } from '../aws-api/operation.ts';
import { entryFault } from './entry-fault.ts';
import { busArn, Entry } from './event-entry.ts';
import type { AwsEvent } from './rules.ts';

const PutEvents = z.strictObject({ Entries: z.array(Entry) });

/** All entries of a request together must be smaller than this. */
const MAX_TOTAL_BYTES = 256 * 1024;
/** What EventBridge counts for the time of an entry. */
const TIME_BYTES = 14;

export interface PutEventsOptions {
  /** Takes an accepted event. */
  accept(event: AwsEvent): void;
}

export function putEvents({ accept }: PutEventsOptions): Operation {
  return operation({
    name: 'PutEvents',
    input: PutEvents,
    resource: ({ Entries = [] }) => busArn(Entries[0]?.EventBusName),
    alsoRequires: ({ Entries = [] }) =>
      Entries.slice(1).map(({ EventBusName }) => ({
        action: 'events:PutEvents',
        resource: busArn(EventBusName),
      })),
    // Whether AWS evaluates each entry by itself or all together is not known: here a condition sees all of them.
    conditionKeys: ({ Entries }) => ({
      'events:source': distinct(Entries.map(({ Source }) => Source)),
      'events:detail-type': distinct(Entries.map(({ DetailType }) => DetailType)),
    }),
    perform({ Entries }) {
      const totalBytes = Entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
      if (totalBytes >= MAX_TOTAL_BYTES) {
        const message = 'Total size of the entries in the request is over the limit.';
        throw new AwsApiError('ValidationException', message);
      }
      const results = Entries.map(entry => {
        const fault = entryFault(entry);
        if (fault !== undefined) return fault;
        const event = eventOf(entry);
        accept(event);
        return { EventId: event.id };
      });
      return { FailedEntryCount: results.filter(result => 'ErrorCode' in result).length, Entries: results };
    },
  });
}

function eventOf({ Source = '', DetailType = '', Detail = '', Resources, Time }: Entry) {
  const time = Time === undefined ? new Date() : new Date(Time * 1000);
  return {
    id: randomUUID(),
    source: Source,
    'detail-type': DetailType,
    time: time.toISOString().replace(/\.\d+Z$/, 'Z'),
    resources: Resources,
    detail: JSON.parse(Detail) as unknown,
  };
}

function sizeOf({ Source = '', DetailType = '', Detail = '', Resources, Time }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return textBytes + (Time === undefined ? 0 : TIME_BYTES);
}

function distinct(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter(value => value !== undefined))];
}
