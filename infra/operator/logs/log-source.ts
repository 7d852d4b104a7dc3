import { setTimeout as sleep } from 'node:timers/promises';
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { deployCommandOf } from '../../settings/environment-name.ts';
import { type AwsErrorKind, explainAwsError, kindOf, reasonOf } from '../connection/aws-error.ts';
import { CommandError } from '../connection/command-error.ts';
import { notRunning, type Target } from '../connection/target.ts';

/** The logs of an environment, which has at least one log group. */
export async function environmentLogs({
  target,
}: {
  readonly target: Target;
}): Promise<{ readonly source: LogSource; readonly groups: readonly LogGroup[] }> {
  const source = await connectLogs(target);
  const groups = await source.groups();
  if (groups.length === 0) throw noLogGroups({ ...target, region: source.region });
  return { source, groups };
}

export interface LogEvent {
  readonly id: string;
  readonly timeMs: number;
  readonly message: string;
  readonly group: LogGroup;
}

/** The events of a time window, both ends included, that match a filter pattern. */
export interface Search {
  readonly startMs: number;
  readonly endMs?: number;
  readonly pattern?: string | undefined;
  readonly signal?: AbortSignal;
}

export interface LogSource {
  readonly region: string;
  /** The log groups of the environment's stack, by name. */
  groups(): Promise<LogGroup[]>;
  /** The events of a group. Throws a CommandError that says in plain words why there are none. */
  search(group: LogGroup, search: Search): AsyncGenerator<LogEvent>;
  /** The rows a Logs Insights query finds, as texts by field name. */
  query(groups: readonly LogGroup[], query: Query): Promise<Readonly<Record<string, string>>[]>;
}

export interface Query {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** CloudWatch Logs admits five requests a second; a query takes a second or more. */
const QUERY_INTERVAL_MS = 500;

/** After Ctrl-C, nobody wants to wait longer than this. */
const STOP_MS = 3_000;

/**
 * CloudWatch Logs admits five requests a second in some regions. With this many attempts, a refused request is retried for
 * up to about a minute.
 */
const MAX_ATTEMPTS = 8;

async function connectLogs(target: Target): Promise<LogSource> {
  const sdk = await import('@aws-sdk/client-cloudwatch-logs');
  const client: CloudWatchLogsClient = new sdk.CloudWatchLogsClient({
    ...target.aws,
    maxAttempts: MAX_ATTEMPTS,
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
      const pages = sdk.paginateDescribeLogGroups({ client }, { logGroupNamePrefix: `${target.stackName}-` });
      const groups = (await explained(Array.fromAsync(pages))).flatMap(({ logGroups = [] }) => logGroups);
      return logGroupsOf(
        groups.map(({ logGroupName = '' }) => logGroupName),
        target.stackName,
      );
    },

    async *search(group, { startMs, endMs, pattern, signal }) {
      let nextToken: string | undefined;
      // A page may be empty although events follow: only a page without a token is the last one.
      do {
        const command = new sdk.FilterLogEventsCommand({
          logGroupName: group.name,
          startTime: startMs,
          endTime: endMs,
          filterPattern: pattern,
          nextToken,
        });
        const page = await explained(client.send(command, signal ? { abortSignal: signal } : {}));
        for (const { eventId: id = '', timestamp: timeMs = 0, message = '' } of page.events ?? []) {
          yield { id, timeMs, message: message.trimEnd(), group };
        }
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
    },

    async query(groups, { text, startMs, endMs, signal }) {
      const options = signal ? { abortSignal: signal } : {};
      const { queryId } = await explained(
        client.send(
          new sdk.StartQueryCommand({
            logGroupNames: groups.map(({ name }) => name),
            // Insights counts in seconds, both ends included.
            startTime: Math.floor(startMs / 1000),
            endTime: Math.ceil(endMs / 1000),
            queryString: text,
          }),
          options,
        ),
      );
      // Nobody reads an interrupted query's result, and AWS charges for what it scans. A failure to stop it changes nothing.
      const stop = () => {
        const abortSignal = AbortSignal.timeout(STOP_MS);
        client.send(new sdk.StopQueryCommand({ queryId }), { abortSignal }).catch(() => {});
      };
      signal?.addEventListener('abort', stop);
      for (;;) {
        await sleep(QUERY_INTERVAL_MS, undefined, { signal });
        const page = await explained(client.send(new sdk.GetQueryResultsCommand({ queryId }), options));
        const { status, results = [] } = page;
        if (status === 'Complete') {
          signal?.removeEventListener('abort', stop);
          return results.map(row => Object.fromEntries(row.map(({ field, value = '' }) => [field, value])));
        }
        // Until then, rows are missing.
        if (status !== 'Scheduled' && status !== 'Running') {
          const ended = `The query of CloudWatch Logs ended without a result: ${status ?? 'Unknown'}.`;
          throw new CommandError('unavailable', ended, { advice: ['Try again, with a shorter --since.'] });
        }
      }
    },
  };
}

export interface LogGroup {
  /** The name at CloudWatch Logs, such as Petstore-Staging-PetsCreatePetLogsE3D99F62-Ab3dEf6hIj9k. */
  readonly name: string;
  /** The name for people, such as pets-create-pet. */
  readonly title: string;
  readonly isAccessLog: boolean;
}

/**
 * The logical id in the name of a log group: the constructs' names, `Logs`, and eight digits from CDK. CloudFormation puts the
 * stack's name before it and random characters after it.
 */
const LOGICAL_ID = /^([A-Za-z0-9]+?)Logs[0-9A-F]{8}(?:-[A-Za-z0-9]+)?$/;

/** The log groups of a stack. A group that is not named after a construct keeps its name. */
function logGroupsOf(names: readonly string[], stackName: string): LogGroup[] {
  return names
    .map(name => {
      const [, path] = LOGICAL_ID.exec(name.slice(`${stackName}-`.length)) ?? [];
      return { name, title: path ? kebabCase(path) : name, isAccessLog: path?.endsWith('Access') ?? false };
    })
    .toSorted((left, right) => left.title.localeCompare(right.title));
}

/** Whether a text means this group: its name, its title or part of the title, in any spelling of its words. */
export function isCalled({ name, title }: Pick<LogGroup, 'name' | 'title'>, text: string): boolean {
  return name === text || `-${title}-`.includes(`-${kebabCase(text)}-`);
}

/** `PetsCreatePet` and `createPet` become pets-create-pet and create-pet. */
export function kebabCase(text: string): string {
  return text.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}

interface LogsContext extends Target {
  readonly region: string | undefined;
}

function explainLogsError(error: unknown, context: LogsContext): CommandError {
  const kind = kindOf(error);
  if (context.isLocal && kind === 'unreachable') return notRunning();
  const explanation = EXPLANATIONS[kind]?.(context, reasonOf(error));
  return explanation ?? explainAwsError(error, { ...context, service: 'CloudWatch Logs' });
}

/** Errors explained differently than for other AWS services. */
const EXPLANATIONS: {
  readonly [Kind in AwsErrorKind]?: (context: LogsContext, reason: string) => CommandError;
} = {
  notFound: context => noLogGroups(context),
  denied: ({ region }, reason) =>
    new CommandError('access_denied', `You aren't allowed to read the logs in ${region}.`, {
      advice: [
        'Ask for logs:DescribeLogGroups, and logs:FilterLogEvents or, for usage, logs:StartQuery, logs:GetQueryResults and logs:StopQuery.',
        `AWS says: ${reason}`,
      ],
    }),
  throttled: () =>
    new CommandError('unavailable', 'CloudWatch Logs is throttling requests.', {
      advice: ['Try again in a moment, or search less: a shorter --since, or fewer log groups.'],
    }),
  other: (_, reason) => new CommandError('aws_error', `CloudWatch Logs couldn't be read: ${reason}`),
};

/** The stack has no log groups, so it isn't deployed here. */
function noLogGroups({ region, stackName, stage }: LogsContext): CommandError {
  return new CommandError('logs_not_found', `There are no logs of ${stackName} in ${region}.`, {
    advice: [
      `Is the stack deployed in this region and account? Deploy it with: ${deployCommandOf(stage)}`,
      'Another region: --region <region>. Another account: --profile <name>.',
    ],
  });
}
