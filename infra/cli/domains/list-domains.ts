import type { DomainReport, DomainSummary } from '../../../shared/operator/contract.ts';
import { isLive } from '../../operator/domains/domain-report.ts';
import { dueTime } from '../../operator/readable-times.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { displayWidth, printable, type Style, truncate, truncateName } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';
import { DomainSession, listSummaries } from './domain-session.ts';
import { paintStatus, readableName } from './domain-text.ts';

export function addList(domains: PetstoreCommand): void {
  domains
    .command('list')
    .alias('ls')
    .summary('list the domains of a project')
    .description(
      'Lists the custom domains of a project: the status of each, its role, and what it is waiting for.',
    )
    .option('--all', 'list the domains of all projects, briefly')
    .examples(
      'domains list',
      'domains list --project shop',
      'domains list --all',
      "domains list --json | jq '.domains[].status'",
    )
    .action(async ({ all: ofAll, project }: { all?: true; project?: string }, command: PetstoreCommand) => {
      if (ofAll && project) throw command.misuse("--all can't be used with --project.");
      const session = new DomainSession(command);
      if (ofAll) return listOfAll(session);
      const all = await session.listDomains();
      session.show(
        { domains: all },
        all.length > 0
          ? style => domainTable(all, style, Date.now())
          : `Project ${session.project} has no domains in ${session.environment} yet. Add one: ${session.projectCommandLine('domains add www.example.com')}`,
      );
    });
}

async function listOfAll(session: DomainSession): Promise<void> {
  const domains = await listSummaries(session);
  session.show(
    { domains },
    domains.length > 0
      ? style =>
          table(
            domains,
            [
              { title: 'PROJECT', value: ({ project }) => project, canShrink: true },
              ...factColumns<DomainSummary>(style, Date.now()),
              { title: 'REASON', value: ({ reason }) => reason ?? '–' },
            ],
            style,
          )
      : `There are no domains in ${session.environment} yet. Add one: ${session.projectCommandLine('domains add www.example.com')}`,
  );
}

/** Columns of the narrowest terminal on which the message may share the line with the rest. */
const NARROWEST_MESSAGE = 30;

/** A line per domain; on a terminal that is too narrow for the message, a second line with it where there is something to say. */
function domainTable(domains: readonly DomainReport[], style: Style, nowMs: number): string {
  const facts = factColumns<DomainReport>(style, nowMs);
  const all: Column<DomainReport>[] = [
    ...facts,
    { title: 'REASON', value: ({ reason }) => reason ?? '–' },
    { title: 'MESSAGE', value: ({ message }) => message, canShrink: true },
  ];
  const { width } = style;
  const unshrunk = table(domains, all.slice(0, -1), { ...style, width: undefined });
  const needed = Math.max(...unshrunk.split('\n').map(displayWidth)) + NARROWEST_MESSAGE;
  if (width === undefined || needed <= width) return table(domains, all, style);
  return table(domains, facts, style, report =>
    isLive(report) ? [] : [truncate(`  ${noteOf(report)}`, width)],
  );
}

function factColumns<Row extends DomainSummary>(style: Style, nowMs: number): Column<Row>[] {
  return [
    {
      title: 'DOMAIN',
      value: report => readableName(report.domain),
      paint: style.bold,
      canShrink: true,
      truncate: truncateName,
    },
    { title: 'STATUS', value: report => report.status, paint: (_, report) => paintStatus(report, style) },
    { title: 'ROLE', value: roleOf, canShrink: true, truncate: truncateName },
    {
      title: 'NEXT CHECK',
      value: ({ nextCheckAt }) => (nextCheckAt ? dueTime(nextCheckAt, nowMs) : '–'),
    },
  ];
}

function noteOf({ reason, message }: DomainReport): string {
  return printable(reason === null ? message : `${reason}: ${message}`);
}

function redirectState({ isPending, isSuspended }: NonNullable<DomainSummary['redirect']>): string {
  if (isSuspended) return ' (suspended)';
  return isPending ? ' (pending)' : '';
}

function roleOf({ role, primary, redirect }: DomainSummary): string {
  if (primary) return 'primary';
  if (redirect) return `${redirect.status} to ${redirect.to}${redirectState(redirect)}`;
  return role === 'also_serves' ? 'additional' : '–';
}
