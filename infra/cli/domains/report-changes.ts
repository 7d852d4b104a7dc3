import type { DomainRecord, DomainReport } from '../../../shared/operator/contract.ts';
import { printable } from '../framework/display-width.ts';
import { certificateText } from './show-domain.ts';

/** The differences between two reports, a line each; everything if there is no earlier report. */
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
