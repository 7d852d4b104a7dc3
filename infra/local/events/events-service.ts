import * as z from 'zod';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { type Operation, operationOf } from '../aws-api/operation.ts';
import type { ServiceApi } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import type { AwsEvent } from './rules.ts';

const operation = operationOf<typeof import('@aws-sdk/client-eventbridge')>();

/** The EventBridge API. */
export function eventsApi(options: PutEventsOptions): ServiceApi {
  return {
    title: 'EventBridge',
    sdk: () => import('@aws-sdk/client-eventbridge').then(sdk => [sdk, sdk.EventBridgeClient]),
    actionPrefix: 'events',
    operations: [putEvents(options)],
    model: () => loadServiceModel('events'),
  };
}

/** One event of a request. An invalid entry fails only itself, so every member is optional here. */
const Entry = z.strictObject({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  Resources: z.array(z.string()).default([]),
  Time: z.date().optional(),
  EventBusName: z.string().optional(),
});
type Entry = z.output<typeof Entry>;

/** The ARN of an event bus, which an entry names by name or ARN; without a name it is the default one. */
function busArn(nameOrArn = 'default'): string {
  return nameOrArn.startsWith('arn:') ? nameOrArn : regionalArn('events', `event-bus/${nameOrArn}`);
}

const PutEvents = z.strictObject({ Entries: z.array(Entry) });

/** All entries of a request together must be smaller than this. */
const MAX_TOTAL_BYTES = 256 * 1024;
/** What EventBridge counts for the time of an entry. */
const TIME_BYTES = 14;

interface PutEventsOptions extends Partial<Surroundings> {
  /** Receives an accepted event. */
  accept(event: AwsEvent): void;
}

function putEvents({ accept, ...given }: PutEventsOptions): Operation {
  const { now, newId, behavior } = surroundings(given);
  return operation({
    name: 'PutEvents',
    input: PutEvents,
    resource: ({ Entries = [] }) => busArn(Entries[0]?.EventBusName),
    alsoRequires: ({ Entries = [] }) =>
      Entries.slice(1).map(({ EventBusName }) => ({
        action: 'events:PutEvents',
        resource: busArn(EventBusName),
      })),
    // It is not known whether AWS evaluates the entries one by one or together: here a condition sees all of them.
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
        const fault = entryFault(entry) ?? (behavior().isEventRejected() ? FAILURE : undefined);
        if (fault !== undefined) return fault;
        const event = { id: newId('uuid'), ...eventOf(entry, now) };
        // An event for a bus that does not exist is accepted, and dropped.
        if (busArn(entry.EventBusName) === busArn()) accept(event);
        return { EventId: event.id };
      });
      return { FailedEntryCount: results.filter(result => 'ErrorCode' in result).length, Entries: results };
    },
  });
}

function eventOf(
  { Source = '', DetailType = '', Detail = '', Resources, Time }: Entry,
  now: Surroundings['now'],
) {
  const time = Time ?? new Date(now());
  return {
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

/** The result of an entry that EventBridge does not accept. */
interface EntryFault {
  readonly ErrorCode: string;
  readonly ErrorMessage: string;
}

const FAILURE: EntryFault = { ErrorCode: 'InternalFailure', ErrorMessage: 'Try again.' };

const MAX_LENGTHS = { Source: 256, DetailType: 128 } as const;

/** Why an entry is not accepted; undefined for one that is. */
function entryFault({ Source, DetailType, Detail }: Entry): EntryFault | undefined {
  for (const [name, value] of Object.entries({ Source, DetailType, Detail })) {
    if (!value) return invalid(name, `${name} is a required argument.`);
  }
  for (const [name, value] of Object.entries({ Source, DetailType })) {
    const max = MAX_LENGTHS[name as keyof typeof MAX_LENGTHS];
    if ((value ?? '').length > max) return invalid(name, `${name} is longer than ${max} characters.`);
  }
  if (Source?.startsWith('aws.')) {
    return {
      ErrorCode: 'NotAuthorizedForSourceException',
      ErrorMessage: 'Not authorized for the source.',
    };
  }
  if (!isJsonObject(Detail ?? ''))
    return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  return undefined;
}

function invalid(name: string, reason: string): EntryFault {
  return { ErrorCode: 'InvalidArgument', ErrorMessage: `Parameter ${name} is not valid. Reason: ${reason}` };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
