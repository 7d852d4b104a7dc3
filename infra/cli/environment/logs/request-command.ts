import { CommandError, EXIT_CODES } from '../../framework/command-error.ts';
import { readSince } from '../../framework/duration.ts';
import { interruptible } from '../../framework/interruptible.ts';
import type { PetstoreCommand } from '../../framework/petstore-command.ts';
import { exactTime } from '../../framework/readable-times.ts';
import { Session } from '../../framework/session.ts';
import { environmentLogs } from './environment-logs.ts';
import { readRequestId } from './request-id.ts';
import { findStory } from './request-story.ts';
import { storyText } from './story-text.ts';

const DEFAULT_SINCE = '24h';

/** petstore request: what became of one request. */
export function addRequestCommand(program: PetstoreCommand): void {
  program
    .command('request')
    .summary('tell the story of one request from the logs')
    .description(
      'Tells from the logs what became of one request: when it came, its operation and API key, how it was answered and how long that took, and why it was refused or failed. Shows no secret. Reads CloudWatch Logs with your own AWS credentials (logs:DescribeLogGroups, logs:FilterLogEvents).\n\nExit codes: 0 found, 1 error, 2 usage, 4 not in the logs, or not yet: a line takes some seconds to appear.',
    )
    .argument('<id>', 'the X-Request-Id of the answer; one that begins with - comes after --', readRequestId)
    .option('--since <duration>', `how far back to search, such as 1h or 7d (default: ${DEFAULT_SINCE})`)
    .examples(
      'request JKJaXmPLvHcESHA=',
      'request JKJaXmPLvHcESHA= --since 7d --stage production',
      "request JKJaXmPLvHcESHA= --json | jq '.why'",
      'request --local -- -KJaXmPLvHcESHA=',
    )
    .action(async (id: string, { since = DEFAULT_SINCE }: { since?: string }, command: PetstoreCommand) => {
      const nowMs = Date.now();
      const sinceMs = readSince(since, nowMs);
      const session = new Session(command);
      const { source, groups } = await environmentLogs(session);
      const story = await interruptible(
        signal => findStory(source, groups, id, sinceMs, nowMs, signal),
        'The search was interrupted.',
      );
      if (story === undefined) throw notFound(id, sinceMs, nowMs, session);
      session.show(story, style => storyText(story, style));
    });
}

function notFound(id: string, sinceMs: number, nowMs: number, session: Session): CommandError {
  const [start, end] = [sinceMs, nowMs].map(ms => exactTime(new Date(ms).toISOString()));
  return new CommandError(
    'request_not_found',
    `The access logs of ${session.environment} do not have the request ${id} from ${start} to ${end}.`,
    {
      exitCode: EXIT_CODES.pending,
      advice: [
        'Is it only seconds old? A line takes some seconds to appear: repeat the command.',
        'Is it older? Search further back, with --since 7d for example.',
        'Was it another environment? Name it with --stage.',
      ],
    },
  );
}
