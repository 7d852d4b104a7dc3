import type { ResourceRecordSet } from '@aws-sdk/client-route-53';
import type { Style } from '../../framework/style.ts';
import { type Column, table } from '../../framework/table.ts';
import { valuesOf } from './set-record.ts';

/** A record as it is printed. An alias has no TTL. */
interface ShownRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly values: readonly string[];
}

export function shownRecord(record: ResourceRecordSet): ShownRecord {
  const { Name = '', Type = '', TTL, AliasTarget } = record;
  const target = AliasTarget?.DNSName?.replace(/\.$/, '');
  return {
    name: Name,
    type: target === undefined ? Type : 'ALIAS',
    ttl: TTL ?? null,
    values: target === undefined ? valuesOf(record) : [target],
  };
}

export function zoneText(
  { name, records }: { readonly name: string; readonly records: readonly ShownRecord[] },
  style: Style,
): string {
  const columns: Column<ShownRecord>[] = [
    { title: 'NAME', value: record => record.name },
    { title: 'TYPE', value: record => record.type },
    { title: 'TTL', value: ({ ttl }) => (ttl === null ? '–' : String(ttl)) },
    { title: 'VALUE', value: ({ values }) => values.join(', '), canShrink: true },
  ];
  return `${style.bold(`Zone ${name}`)}\n\n${table(records, columns, { width: style.width, paintTitle: style.dim })}`;
}
