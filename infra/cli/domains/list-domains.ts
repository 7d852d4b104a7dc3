import type { DomainReport } from '../../../shared/operator/contract.ts';
import type { PetstoreCommand } from '../petstore-command.ts';
import { relativeTime } from '../readable-times.ts';
import type { Style } from '../style.ts';
import { type Column, table } from '../table.ts';
import { DomainSession } from './domain-session.ts';
import { paintStatus } from './show-domain.ts';

export function addList(domains: PetstoreCommand): void {
  domains
    .command('list')
    .alias('ls')
    .summary('list the domains of a project')
    .description('Lists the custom domains of a project: the status of each, and what it waits for.')
    .examples('domains list', 'domains list --project shop', "domains list --json | jq '.domains[].status'")
    .action(async (_: object, command: PetstoreCommand) => {
      const session = new DomainSession(command);
      const result = await session.listDomains();
      session.show(result, style =>
        result.domains.length > 0
          ? domainTable(result.domains, style, Date.now())
          : `The project ${session.project} has no domains in ${session.environment} yet. Add one with: ${session.projectCommandLine('domains add www.example.com')}`,
      );
    });
}

function domainTable(domains: readonly DomainReport[], style: Style, nowMs: number): string {
  const columns: Column<DomainReport>[] = [
    { title: 'DOMAIN', value: report => report.domain, paint: style.bold },
    { title: 'STATUS', value: report => report.status, paint: (_, report) => paintStatus(report, style) },
    { title: 'ROLE', value: roleOf },
    {
      title: 'NEXT CHECK',
      value: ({ nextCheckAt }) => (nextCheckAt ? relativeTime(nextCheckAt, nowMs) : '–'),
    },
    { title: 'REASON', value: ({ reason }) => reason ?? '–' },
    { title: 'MESSAGE', value: ({ message }) => message, canShrink: true },
  ];
  return table(domains, columns, { width: style.width, paintTitle: style.dim });
}

function roleOf({ role, primary, redirect }: DomainReport): string {
  if (primary) return 'primary';
  if (redirect) return `${redirect.status} to ${redirect.to}`;
  return role === 'also_serves' ? 'also serves' : '–';
}
