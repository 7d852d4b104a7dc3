import { shownAuthor } from '../../../shared/audit/author.ts';
import type { AuditEntry } from '../../../shared/operator/contract.ts';
import { fieldsOf, sentenceOf } from '../../operator/audit-entries.ts';
import { declareRow } from '../framework/command-row.ts';
import { limitOption } from '../framework/option-values.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import type { Style } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';

export function declareGroup(audit: PetstoreCommand): void {
  declareRow<'audit.list'>(audit, {
    command: 'audit.list',
    description: 'Shows who changed what and when, newest first.',
    fields: { limit: limitOption('changes') },
    examples: ['audit', 'audit --limit 10 --stage production', "audit --json | jq '.entries[0]'"],
    done: ({ entries }, { environment }) =>
      entries.length > 0
        ? style => auditTable(entries, style)
        : `Nothing has been changed in ${environment} yet.`,
  });
}

function auditTable(entries: readonly AuditEntry[], style: Style): string {
  const columns: Column<AuditEntry>[] = [
    { title: 'TIME (UTC)', value: ({ at }) => at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ') },
    { title: 'BY', value: authorOf, canShrink: true },
    { title: 'WHAT', value: sentenceOf, paint: style.bold, canShrink: true },
    { title: 'DETAILS', value: detailsOf, canShrink: true },
  ];
  const newestFirst = entries.toSorted((left, right) => right.at.localeCompare(left.at));
  return table(newestFirst, columns, style);
}

function authorOf(entry: AuditEntry): string {
  const { name, note } = shownAuthor(entry);
  return note ? `${name} (${note})` : name;
}

/** The fields that the sentence does not name, and the id of what was created. --json prints everything. */
function detailsOf(entry: AuditEntry): string {
  const { id } = (entry.result ?? {}) as { id?: unknown };
  const { id: given } = (entry.input ?? {}) as { id?: unknown };
  const created = id === undefined || id === given ? [] : [['id', String(id)] as const];
  return [...created, ...fieldsOf(entry)].map(([name, value]) => `${name}: ${value}`).join('; ') || '–';
}
