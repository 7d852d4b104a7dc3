import type { DomainRecord } from '../../../shared/operator/contract.ts';
import type { Style } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';

/** The records to create. No value is truncated, because people copy them. */
export function recordTable(records: readonly DomainRecord[], style: Style): string {
  const columns: Column<DomainRecord>[] = [
    { title: 'PURPOSE', value: record => record.purpose },
    { title: 'TYPE', value: record => record.type },
    { title: 'NAME', value: record => record.label, paint: style.bold },
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

/** The zone that a record belongs to: its name without its label. */
export function zoneOf({ name, label }: DomainRecord): string {
  return label === '@' ? name : name.slice(`${label}.`.length);
}

export function paintState(state: DomainRecord['state'], style: Style): (text: string) => string {
  if (state === 'ok') return style.green;
  return state === 'mismatch' || state === 'conflict' ? style.red : style.yellow;
}
