import { createHash } from 'node:crypto';
import * as z from 'zod';
import { AwsApiError, notSupported } from '../aws-api/aws-api-error.ts';
import { type JsonApi, jsonService } from '../aws-api/json-protocol.ts';
import { type Operation, operation, page } from '../aws-api/operation.ts';
import { tokenBucket } from '../aws-api/rate-limits.ts';
import type { AwsService } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { type FilterPattern, FilterPatternError, filterPattern } from './filter-pattern.ts';
import type { LogEvent, LogGroup, LogGroups } from './log-groups.ts';
import { logGroupArn } from './log-resource-types.ts';

/** FilterLogEvents and DescribeLogGroups per account: the lowest of any region. */
const REQUESTS_PER_SECOND = 5;
const BURST = 10;

/** The CloudWatch Logs API. */
export function logsApi(options: LogSearchOptions): JsonApi {
  const rate = () =>
    tokenBucket({
      ratePerSecond: REQUESTS_PER_SECOND,
      burst: BURST,
      now: options.now,
      refusal: () => new AwsApiError('ThrottlingException', 'Rate exceeded'),
    });
  return {
    title: 'CloudWatch Logs',
    actionPrefix: 'logs',
    targetPrefix: 'Logs_20140328',
    jsonVersion: '1.1',
    operations: [
      { ...describeLogGroups(options.logGroups), rate: rate() },
      { ...filterLogEvents(options), rate: rate() },
    ],
    model: () => loadServiceModel('logs'),
    errorNames: { invalidInput: 'InvalidParameterException' },
  };
}

export function logsService(options: LogSearchOptions): AwsService {
  return jsonService(logsApi(options));
}

/** The maximum of CloudWatch Logs, and its default. */
const MAX_GROUPS = 50;

/** Lists the log groups by name. The token is the name of the first group of the next page. */
function describeLogGroups(logGroups: LogGroups): Operation {
  return operation({
    name: 'DescribeLogGroups',
    input: z.strictObject({
      logGroupNamePrefix: z.string().optional(),
      limit: z.int().min(1).max(MAX_GROUPS).default(MAX_GROUPS),
      nextToken: z.string().optional(),
    }),
    resource: () => logGroupArn('*'),
    perform({ logGroupNamePrefix = '', limit, nextToken }) {
      const matching = logGroups.list().filter(({ name }) => name.startsWith(logGroupNamePrefix));
      if (nextToken !== undefined && !matching.some(({ name }) => name === nextToken)) {
        throw new AwsApiError('InvalidParameterException', 'The specified nextToken is invalid.');
      }
      const { shown, next } = page(matching, limit, ({ name }) => name < (nextToken ?? ''));
      return { logGroups: shown.map(described), ...(next && { nextToken: next.name }) };
    },
  });
}

function described({ name, retentionInDays }: LogGroup) {
  return {
    logGroupName: name,
    arn: logGroupArn(name),
    logGroupArn: logGroupArn(name).replace(/:\*$/, ''),
    metricFilterCount: 0,
    ...(retentionInDays !== undefined && { retentionInDays }),
  };
}

/** CloudWatch Logs returns at most 10,000 events or 1 MB. */
const MAX_EVENTS = 10_000;
const SCAN_BYTES = 1_048_576;

/** An event is found a few seconds after it was written: AWS states no time. */
const INGESTION_MS = 1_000;

/** A stream for all events of a group: the local AWS has no use for more. */
const LOG_STREAM = 'local-runtime';

interface LogSearchOptions {
  readonly logGroups: LogGroups;
  /** Multiplies the time until an event is found. */
  readonly waitScale: number;
  /** How much of a group one request searches; tests search less. */
  readonly scanBytes?: number;
  now(): number;
}

/**
 * Searches a log group. As on AWS, a page may be empty although events follow: a request searches a part of the group, and
 * the token of its response is where the next request continues.
 */
function filterLogEvents(options: LogSearchOptions): Operation {
  const { logGroups, waitScale, scanBytes = SCAN_BYTES, now } = options;
  return operation({
    name: 'FilterLogEvents',
    input: z.strictObject({
      logGroupName: z.string(),
      startTime: z.int().min(0).optional(),
      endTime: z.int().min(0).optional(),
      filterPattern: z.string().default(''),
      limit: z.int().min(1).max(MAX_EVENTS).default(MAX_EVENTS),
      nextToken: z.string().optional(),
    }),
    resource: ({ logGroupName = '' }) => logGroupArn(logGroupName),
    async perform({ nextToken, limit, ...search }) {
      const { logGroupName, startTime = 0, endTime = Number.POSITIVE_INFINITY } = search;
      const matches = readPattern(search.filterPattern);
      if (endTime < startTime) throw invalid('End time should not be before the start time.');
      if (!logGroups.list().some(({ name }) => name === logGroupName)) {
        throw new AwsApiError('ResourceNotFoundException', 'The specified log group does not exist.');
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
  return new AwsApiError('InvalidParameterException', message);
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
