import type { DomainRecord } from '../../../../shared/operator/contract.ts';

/** The records as text to paste into a mail or a sheet: a line each, the fields separated by tabs. */
export function recordLines(records: readonly DomainRecord[]): string {
  return [
    'Type\tName\tValue\tTTL',
    ...records.map(({ type, name, value, ttl }) => [type, name, value, ttl].join('\t')),
  ].join('\n');
}
