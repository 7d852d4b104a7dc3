import { type CheckedRecord, checked, type Vantage, valuesOf } from './checked-record.ts';
import { creationOf, type RequiredRecord } from './required-record.ts';

/** The record is missing, or one level too deep: many DNS providers append the zone to the name that is typed in. */
export async function missing(required: RequiredRecord, { zone, lookup }: Vantage): Promise<CheckedRecord> {
  const { type, name, label, value } = required;
  const doubled = `${name}.${zone}`;
  const lookedUp = type === 'TXT' ? 'TXT' : 'CNAME';
  const tooDeep = valuesOf(await lookup(doubled, lookedUp));
  if (tooDeep.includes(value)) {
    return checked(
      required,
      'mismatch',
      [`${doubled} ${lookedUp} ${value}`],
      `The DNS provider has appended ${zone} once more. Enter ${label} as the name of the record.`,
    );
  }
  return checked(required, 'missing', [], creationOf(required));
}
