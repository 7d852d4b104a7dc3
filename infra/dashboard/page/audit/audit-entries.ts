import type { AuditEntry } from '../../../../shared/operator/contract.ts';

/** The entries in which every word of the filter occurs: in who, what or the input. */
export function filterEntries(entries: readonly AuditEntry[], filter: string): AuditEntry[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
  return entries
    .filter(({ by, command, input }) => {
      const text = `${by} ${command} ${JSON.stringify(input)}`.toLowerCase();
      return words.every(word => text.includes(word));
    })
    .toSorted((left, right) => right.at.localeCompare(left.at));
}

/** The fields of an input as names and texts. */
export function fieldsOf(input: unknown): [name: string, value: string][] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value : textOf(value)]);
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : JSON.stringify(value);
}
