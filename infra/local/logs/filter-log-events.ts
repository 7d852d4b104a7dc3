import { createHash } from 'node:crypto';
import * as z from 'zod';
import { notSupported } from '../aws-api/aws-api-error.ts';
import { type Operation, operation } from '../aws-api/operation.ts';
import { type FilterPattern, filterPattern } from './filter-pattern.ts';
import { FilterPatternError } from './filter-pattern-error.ts';
import type { LogEvent } from './log-file.ts';
import { logGroupArn } from './log-group-type.ts';
import type { LogGroups } from './log-groups.ts';
import { LogsError } from './logs-error.ts';

/** CloudWatch Logs gives 10,000 events or 1 MB at most. */
const MAX_LIMIT = 10_000;
const SCAN_BYTES = 1_048_576;

/** An event is found a few seconds after it was written: AWS states no time. */
const INGESTION_MS = 1_000;

/** A stream for all events of a group: the local runtime has no use for more. */
const LOG_STREAM = 'local-runtime';

export interface LogSearchOptions {
  readonly logGroups: LogGroups;
  /** What the time until an event is found is multiplied by. */
  readonly waitScale: number;
  /** How much of a group one request searches; tests search less. */
  readonly scanBytes?: number;
  now(): number;
}

/**
 * Searches a log group. As on AWS, a page may be empty although events follow: a request searches a part of the group,
 * and the token of its answer is where the next request searches on.
 */
export function filterLogEvents(options: LogSearchOptions): Operation {
  const { logGroups, waitScale, scanBytes = SCAN_BYTES, now } = options;
  return operation({
    name: 'FilterLogEvents',
    input: z.strictObject({
      logGroupName: z.string(),
      startTime: z.int().min(0).optional(),
      endTime: z.int().min(0).optional(),
      filterPattern: z.string().default(''),
      limit: z.int().min(1).max(MAX_LIMIT).default(MAX_LIMIT),
      nextToken: z.string().optional(),
    }),
    resource: ({ logGroupName = '' }) => logGroupArn(logGroupName),
    async perform({ nextToken, limit, ...search }) {
      const { logGroupName, startTime = 0, endTime = Number.POSITIVE_INFINITY } = search;
      const matches = readPattern(search.filterPattern);
      if (endTime < startTime) throw invalid('End time should not be before the start time.');
      if (!logGroups.list().some(({ name }) => name === logGroupName)) {
        throw new LogsError('ResourceNotFoundException', 'The specified log group does not exist.');
      }
      const searchId = digestOf(search);
      const start = nextToken === undefined ? 0 : positionIn(nextToken, searchId);
      const { events, next } = await logGroups.read(logGroupName, start, scanBytes);
      const lastFoundMs = Math.min(endTime, now() - INGESTION_MS * waitScale);
      const found = events.filter(
        ({ timestampMs, message }) =>
          timestampMs >= startTime && timestampMs <= lastFoundMs && matches(message),
      );
      const shown = found.slice(0, limit);
      const searchOn = found.length > limit ? shown.at(-1)?.nextPosition : next;
      return {
        events: shown.map(filteredEvent),
        searchedLogStreams: [],
        ...(searchOn !== undefined && { nextToken: `${searchId}/${searchOn}` }),
      };
    },
  });
}

function readPattern(text: string): FilterPattern {
  try {
    return filterPattern(text);
  } catch (error) {
    if (!(error instanceof FilterPatternError)) throw error;
    if (error.isUnsupported) throw notSupported(error.message);
    throw invalid(`Invalid filter pattern: ${error.message}`);
  }
}

function invalid(message: string): Error {
  return new LogsError('InvalidParameterException', message);
}

/** A token is valid for the search that it was given for. */
function digestOf(search: object): string {
  return createHash('sha256').update(JSON.stringify(search)).digest('hex').slice(0, 32);
}

function positionIn(token: string, searchId: string): number {
  const [, id, position] = /^([0-9a-f]{32})\/(\d{1,15})$/.exec(token) ?? [];
  if (id !== searchId) throw invalid('The specified nextToken is invalid.');
  return Number(position);
}

function filteredEvent({ timestampMs, message, position }: LogEvent) {
  return {
    logStreamName: LOG_STREAM,
    timestamp: timestampMs,
    message,
    ingestionTime: timestampMs,
    // AWS's ids have 56 digits.
    eventId: `${timestampMs}${String(position).padStart(43, '0')}`,
  };
}
