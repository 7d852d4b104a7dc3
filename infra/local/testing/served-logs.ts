import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  FilterLogEventsCommand,
  type FilterLogEventsCommandInput,
} from '@aws-sdk/client-cloudwatch-logs';
import { onTestFinished } from 'vitest';
import { LogGroups } from '../logs/log-groups.ts';
import { logsService } from '../logs/logs-service.ts';
import { serveEndpoint } from './served-endpoint.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** CloudWatch Logs on a free port until the test has finished, with these declared groups and a clock that the test sets. */
export async function serveLogs(names: readonly string[], { scanBytes = 100_000 } = {}) {
  const logGroups = new LogGroups(temporaryFolder());
  logGroups.deploy(names.map(declaredGroup));
  // Ahead of the events, which have the time of the machine: all of them are ingested.
  const clock = { nowMs: Date.now() + 60_000 };
  const service = logsService({ logGroups, waitScale: 1, scanBytes, now: () => clock.nowMs });
  const { clientOptions } = await serveEndpoint({ logs: service });
  const client = new CloudWatchLogsClient(clientOptions);
  onTestFinished(async () => {
    client.destroy();
    await logGroups.close();
  });
  const filter = (input: FilterLogEventsCommandInput) => client.send(new FilterLogEventsCommand(input));
  return Object.assign(clock, {
    endpoint: clientOptions.endpoint,
    client,
    logGroups,
    filter,
    describe: (input: object = {}) => client.send(new DescribeLogGroupsCommand(input)),
    /** Writes lines and waits until they are in the file. */
    async write(group: string, ...lines: string[]) {
      for (const line of lines) logGroups.write(group, line);
      await logGroups.flushed();
    },
    /** The messages of all pages. */
    async messages(input: FilterLogEventsCommandInput): Promise<(string | undefined)[]> {
      const messages: (string | undefined)[] = [];
      let nextToken: string | undefined;
      do {
        const page = await filter({ ...input, ...(nextToken && { nextToken }) });
        messages.push(...(page.events ?? []).map(({ message }) => message));
        nextToken = page.nextToken;
        // The rate of requests is tested on its own.
        clock.nowMs += 1_000;
      } while (nextToken);
      return messages;
    },
  });
}

function declaredGroup(name: string) {
  const type = 'AWS::Logs::LogGroup';
  return { stack: 'Zoo', logicalId: name, type, physicalId: name, properties: { RetentionInDays: 14 } };
}
