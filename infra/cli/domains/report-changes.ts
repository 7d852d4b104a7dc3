import { printable } from '../display-width.ts';
import type { DomainRecord, DomainReport } from './domain-report.ts';
import { certificateText } from './show-domain.ts';

/** What is different from what was seen before, a line each; at the first look, everything. */
export function changesOf(before: DomainReport | undefined, after: DomainReport): string[] {
  const lines: string[] = [];
  if (before?.status !== after.status) lines.push(`${after.domain} is ${after.status}: ${after.message}`);
  else if (before.message !== after.message) lines.push(after.message);
  for (const record of after.records) {
    const earlier = before?.records.find(({ name, type }) => name === record.name && type === record.type);
    if (stateText(earlier) !== stateText(record)) lines.push(stateText(record));
  }
  if (before === undefined || certificateText(before) !== certificateText(after)) {
    lines.push(`certificate: ${certificateText(after)}`);
  }
  return lines.map(printable);
}

function stateText(record: DomainRecord | undefined): string {
  if (record === undefined) return '';
  const { purpose, type, name, state, observed } = record;
  const seen = state !== 'ok' && observed.length > 0 ? ` (seen: ${observed.join(', ')})` : '';
  return `${purpose} record, ${type} ${name}: ${state}${seen}`;
}
