import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { Target } from '../../framework/target.ts';
import { explainLogsError } from './explain-logs-error.ts';
import { type LogGroup, logGroupsOf } from './log-group.ts';

export interface LogEvent {
  readonly id: string;
  readonly timeMs: number;
  readonly message: string;
  readonly group: LogGroup;
}

/** A part of a log group: the events of a time window, both ends included, that match a filter pattern. */
export interface Search {
  readonly startMs: number;
  readonly endMs?: number;
  readonly pattern?: string | undefined;
  readonly signal?: AbortSignal;
}

/** The logs of one environment at CloudWatch Logs. */
export interface LogSource {
  readonly region: string;
  /** The log groups of the environment's stack, by name. */
  groups(): Promise<LogGroup[]>;
  /** The events of a group. Throws a CommandError that says in plain words why there are none. */
  search(group: LogGroup, search: Search): AsyncGenerator<LogEvent>;
}

/**
 * CloudWatch Logs admits five requests a second in some regions. With these attempts a request that was refused is
 * repeated for up to about a minute.
 */
const MAX_ATTEMPTS = 8;
const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 60_000;

export async function connectLogs(target: Target): Promise<LogSource> {
  const sdk = await import('@aws-sdk/client-cloudwatch-logs');
  const client: CloudWatchLogsClient = new sdk.CloudWatchLogsClient({
    ...target.aws,
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  const explained = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      const region = await client.config.region().catch(() => undefined);
      throw explainLogsError(error, { ...target, region });
    }
  };
  await explained(client.config.credentials());
  const region = await explained(client.config.region());

  return {
    region,

    async groups() {
      const names: string[] = [];
      const pages = sdk.paginateDescribeLogGroups({ client }, { logGroupNamePrefix: `${target.stackName}-` });
      await explained(
        (async () => {
          for await (const { logGroups = [] } of pages) {
            names.push(...logGroups.map(({ logGroupName = '' }) => logGroupName));
          }
        })(),
      );
      return logGroupsOf(names, target.stackName);
    },

    async *search(group, { startMs, endMs, pattern, signal }) {
      let nextToken: string | undefined;
      // A page may be empty although events follow: only a page without a token is the last one.
      do {
        const command = new sdk.FilterLogEventsCommand({
          logGroupName: group.name,
          startTime: startMs,
          ...(endMs !== undefined && { endTime: endMs }),
          ...(pattern !== undefined && { filterPattern: pattern }),
          ...(nextToken !== undefined && { nextToken }),
        });
        const page = await explained(client.send(command, signal ? { abortSignal: signal } : {}));
        for (const { eventId: id = '', timestamp: timeMs = 0, message = '' } of page.events ?? []) {
          yield { id, timeMs, message: message.trimEnd(), group };
        }
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
    },
  };
}
