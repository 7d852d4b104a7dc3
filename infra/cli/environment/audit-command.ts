import { shownAuthor } from '../../../shared/audit/author.ts';
import type { AuditEntry } from '../../../shared/operator/contract.ts';
import { limitOption } from '../framework/option-values.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { Session } from '../framework/session.ts';
import { prose, type Style } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';

/** petstore audit: the changes that operators made. */
export function declareAudit(audit: PetstoreCommand): void {
  audit
    .description('Shows who changed what and when, newest first.')
    .option(...limitOption('changes'))
    .examples('audit', 'audit --limit 10 --stage production', "audit --json | jq '.entries[0]'")
    .action(async ({ limit }: { limit?: number }, command: PetstoreCommand) => {
      const session = new Session(command);
      const result = await session.read('audit.list', { limit });
      session.show(result, style =>
        result.entries.length > 0
          ? auditTable(result.entries, style)
          : prose(`Nothing has been changed in ${session.environment} yet.`, style),
      );
    });
}

function auditTable(entries: readonly AuditEntry[], style: Style): string {
  const columns: Column<AuditEntry>[] = [
    { title: 'TIME (UTC)', value: ({ at }) => at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ') },
    { title: 'BY', value: authorOf, canShrink: true },
    { title: 'COMMAND', value: ({ command }) => command, paint: style.bold },
    { title: 'INPUT', value: ({ input }) => fieldsOf(input), canShrink: true },
    { title: 'RESULT', value: ({ result }) => outcomeOf(result) },
  ];
  const newestFirst = entries.toSorted((left, right) => right.at.localeCompare(left.at));
  return table(newestFirst, columns, { width: style.width, paintTitle: style.dim });
}

function authorOf(entry: AuditEntry): string {
  const { name, note } = shownAuthor(entry);
  return note ? `${name} (${note})` : name;
}

/** Such as `name=Acme scopes=pets:read,pets:write`. */
function fieldsOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return textOf(input);
  return Object.entries(input)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join(' ');
}

/** The id or the new status of what was changed, because a line has no room for more. --json prints all of it. */
function outcomeOf(result: unknown): string {
  const { id, status } = (result ?? {}) as { id?: unknown; status?: unknown };
  return id === undefined && status === undefined ? fieldsOf(result) : textOf(id ?? status);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
