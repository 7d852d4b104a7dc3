import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AwsApiError, notSupported } from '../aws-api/aws-api-error.ts';
import { awsService } from '../aws-api/aws-service.ts';
import { type Operation, operationOf, page } from '../aws-api/operation.ts';
import { tokenBucket } from '../aws-api/rate-limits.ts';
import type { AwsService, ServiceApi } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { type FilterPattern, FilterPatternError, filterPattern } from './filter-pattern.ts';
import { insightsQuery } from './insights-query.ts';
import type { LogEvent, LogGroup, LogGroups } from './log-groups.ts';
import { logGroupArn } from './log-resource-types.ts';

const operation = operationOf<typeof import('@aws-sdk/client-cloudwatch-logs')>();

/** Of each operation per account: the lowest of any region. */
const REQUESTS_PER_SECOND = 5;
const BURST = 10;

/** The CloudWatch Logs API. */
export function logsApi(options: LogSearchOptions): ServiceApi {
  const rate = () =>
    tokenBucket({
      ratePerSecond: REQUESTS_PER_SECOND,
      burst: BURST,
      now: options.now,
      refusal: () => new AwsApiError('ThrottlingException', 'Rate exceeded'),
    });
  return {
    title: 'CloudWatch Logs',
    sdk: () => import('@aws-sdk/client-cloudwatch-logs').then(sdk => [sdk, sdk.CloudWatchLogsClient]),
    actionPrefix: 'logs',
    operations: [
      { ...describeLogGroups(options.logGroups), rate: rate() },
      { ...filterLogEvents(options), rate: rate() },
      ...insights(options).map(each => ({ ...each, rate: rate() })),
    ],
    model: () => loadServiceModel('logs'),
    errorNames: { invalidInput: 'InvalidParameterException' },
  };
}

export function logsService(options: LogSearchOptions): AwsService {
  return awsService(logsApi(options));
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

/** Queries that may run at once in an account, and how long one takes: AWS states no time. */
const MOST_QUERIES = 30;
const QUERY_MS = 1_000;

const MOST_QUERIED_GROUPS = 50;

type Rows = ReturnType<ReturnType<typeof insightsQuery>['rowsOf']>;

/** Queries of CloudWatch Logs Insights. While one runs, its results are a part of what they will be. */
function insights({ logGroups, waitScale, scanBytes = SCAN_BYTES, now }: LogSearchOptions): Operation[] {
  const queries = new Map<
    string,
    { readonly endsMs: number; readonly rows: Rows; readonly scanned: number; readonly isStopped?: true }
  >();
  const find = (queryId: string) => {
    const query = queries.get(queryId);
    if (!query) throw new AwsApiError('ResourceNotFoundException', 'Query does not exist.');
    return query;
  };

  const messagesOf = async (names: readonly string[], startMs: number, endMs: number) => {
    const messages: string[] = [];
    for (const name of names) {
      for (let position: number | undefined = 0; position !== undefined; ) {
        const { events, next } = await logGroups.read(name, position, scanBytes);
        for (const { timestampMs, message } of events) {
          if (timestampMs >= startMs && timestampMs <= endMs) messages.push(message);
        }
        position = next;
      }
    }
    return messages;
  };

  const startQuery = operation({
    name: 'StartQuery',
    input: z.strictObject({
      logGroupNames: z.array(z.string()).min(1).max(MOST_QUERIED_GROUPS),
      startTime: z.int().min(0),
      endTime: z.int().min(0),
      queryString: z.string().max(10_000),
    }),
    resource: ({ logGroupNames: [name = ''] = [] }) => logGroupArn(name),
    alsoRequires: ({ logGroupNames = [] }) =>
      logGroupNames.map(name => ({ action: 'logs:StartQuery', resource: logGroupArn(name) })),
    async perform({ logGroupNames, startTime, endTime, queryString }) {
      const query = insightsQuery(queryString);
      if (endTime < startTime) throw invalid('End time should not be before the start time.');
      const known = logGroups.list().map(({ name }) => name);
      if (!logGroupNames.every(name => known.includes(name))) {
        throw new AwsApiError('ResourceNotFoundException', 'Log group does not exist.');
      }
      if ([...queries.values()].filter(({ endsMs }) => endsMs > now()).length >= MOST_QUERIES) {
        throw new AwsApiError('LimitExceededException', 'Account maximum query concurrency limit reached.');
      }
      const queryId = randomUUID();
      const endsMs = now() + QUERY_MS * waitScale;
      queries.set(queryId, { endsMs, rows: [], scanned: 0 });
      const lastFoundMs = Math.min(endTime * 1000, now() - INGESTION_MS * waitScale);
      const messages = await messagesOf(logGroupNames, startTime * 1000, lastFoundMs);
      queries.set(queryId, { endsMs, rows: query.rowsOf(messages), scanned: messages.length });
      return { queryId };
    },
  });

  const getQueryResults = operation({
    name: 'GetQueryResults',
    input: z.strictObject({ queryId: z.string() }),
    perform({ queryId }) {
      const { endsMs, rows, scanned, isStopped } = find(queryId);
      const isComplete = now() >= endsMs && !isStopped;
      return {
        queryLanguage: 'CWLI' as const,
        status: isStopped
          ? ('Cancelled' as const)
          : isComplete
            ? ('Complete' as const)
            : ('Running' as const),
        results: isComplete ? rows : rows.slice(0, Math.floor(rows.length / 2)),
        statistics: { recordsScanned: scanned, recordsMatched: scanned, bytesScanned: 0 },
      };
    },
  });

  const stopQuery = operation({
    name: 'StopQuery',
    input: z.strictObject({ queryId: z.string() }),
    perform({ queryId }) {
      const query = find(queryId);
      if (query.isStopped || now() >= query.endsMs) {
        throw invalid('Query is not in a state in which it can be stopped.');
      }
      queries.set(queryId, { ...query, endsMs: now(), isStopped: true });
      return { success: true };
    },
  });
  return [startQuery, getQueryResults, stopQuery];
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
