import type { Style } from '../style.ts';
import { type Column, table } from '../table.ts';
import { relativeName } from '../zone-names.ts';
import type { DomainRecord, RecordState } from './domain-report.ts';

/** The records to create, nothing of them cut off: they are there to be copied. */
export function recordTable(records: readonly DomainRecord[], style: Style): string {
  const columns: Column<DomainRecord>[] = [
    { title: 'PURPOSE', value: record => record.purpose },
    { title: 'TYPE', value: record => record.type },
    { title: 'NAME', value: record => relativeName(record.name), paint: style.bold },
    { title: 'FULL NAME', value: record => record.name },
    { title: 'VALUE', value: record => record.value, paint: style.bold },
    { title: 'TTL', value: record => String(record.ttl) },
    {
      title: 'STATE',
      value: record => record.state,
      paint: (text, record) => paintState(record.state, style)(text),
    },
  ];
  return table(records, columns, { width: style.width, paintTitle: style.dim });
}

export function paintState(state: RecordState, style: Style): (text: string) => string {
  if (state === 'ok') return style.green;
  return state === 'mismatch' || state === 'conflict' ? style.red : style.yellow;
}
