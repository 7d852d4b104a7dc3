import { OPERATIONS } from '../../../../shared/operations.ts';
import { PROGRAM_NAME, usageError } from '../../../operator/connection/command-error.ts';
import { environmentLogs } from '../../../operator/logs/log-source.ts';
import { readUsage, type Usage } from '../../../operator/logs/usage.ts';
import { exactTime } from '../../../operator/readable-times.ts';
import { readSince } from '../../framework/option-values.ts';
import type { PetstoreCommand } from '../../framework/petstore-command.ts';
import { Session } from '../../framework/session.ts';
import { printable } from '../../framework/style.ts';
import { type Column, table } from '../../framework/table.ts';
import { interruptible } from '../../framework/terminal.ts';
import { readKeyId } from '../../keys/keys-command.ts';

const DEFAULT_SINCE = '7d';

interface Options {
  readonly key?: string;
  readonly operation?: string;
  readonly since?: string;
}

export function declareGroup(usage: PetstoreCommand): void {
  usage
    .description(
      'Shows how often each API key has called each operation, and how many of these requests were refused (4xx), throttled (429) or failed (5xx). Requests without a valid key, or throttled before the key check, are listed under the key "none". The figures come from the access log, which is a minute or so behind and goes back as far as logs are kept (logRetentionDays). Queries CloudWatch Logs Insights with your AWS credentials (logs:DescribeLogGroups, logs:StartQuery, logs:GetQueryResults, logs:StopQuery); AWS charges for each GB that a query reads.',
    )
    .option('--since <duration>', `how far back, such as 24h, 7d or 30d (default: ${DEFAULT_SINCE})`)
    .option('--key <id>', 'only this API key', readWholeKeyId)
    .choiceOption(
      '--operation <name>',
      'only this operation, such as getPet',
      OPERATIONS.map(({ name }) => name),
    )
    .examples(
      'usage --since 24h',
      'usage --operation getPet --since 30d --stage production',
      'usage --key key_1f0c…',
      "usage --json | jq '.usage[] | {name, operation, requests}'",
    )
    .action(async ({ since = DEFAULT_SINCE, key, operation }: Options, command: PetstoreCommand) => {
      const endMs = Date.now();
      const startMs = readSince(since, endMs);
      const session = new Session(command);
      const read = async (signal: AbortSignal) => {
        const { source, groups } = await environmentLogs(session);
        return readUsage(source, groups, { startMs, endMs, keyId: key, signal });
      };
      const [all, { keys }] = await interruptible(
        signal =>
          session.saying(
            `Reading the access log of ${session.environment} …`,
            Promise.all([read(signal), session.read('keys.list')]),
          ),
        'The query was interrupted.',
      );
      const nameOf = (id: string | null) => keys.find(each => each.id === id)?.name ?? null;
      const shown = all
        .filter(each => operation === undefined || each.operation === operation)
        .map(each => ({ ...each, name: nameOf(each.keyId) }));
      const startedAt = new Date(startMs).toISOString();
      session.show(
        { since: startedAt, until: new Date(endMs).toISOString(), usage: shown },
        shown.length > 0
          ? style => table(shown, COLUMNS, style)
          : `Nobody has called ${operation ?? 'the API'} in ${session.environment}${key ? ` with ${key}` : ''} since ${exactTime(startedAt)}.`,
      );
    });
}

/** It becomes part of a query. */
function readWholeKeyId(text: string): string {
  if (/^key_[0-9a-f]{24}$/.test(readKeyId(text))) return text;
  throw usageError(`No key has the ID "${text}".`, `List them: ${PROGRAM_NAME} keys list`);
}

type Named = Usage & { readonly name: string | null };

const count = (title: string, value: (row: Named) => number): Column<Named> => ({
  title,
  value: row => String(value(row)),
});

const COLUMNS: readonly Column<Named>[] = [
  { title: 'KEY', value: ({ keyId }) => keyId ?? 'none' },
  { title: 'NAME', value: ({ name }) => printable(name ?? '–'), canShrink: true },
  { title: 'OPERATION', value: ({ operation }) => operation },
  count('REQUESTS', ({ requests }) => requests),
  count('REFUSED', ({ refused }) => refused),
  count('THROTTLED', ({ throttled }) => throttled),
  count('FAILED', ({ failed }) => failed),
];
