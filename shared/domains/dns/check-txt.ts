import { type CheckedRecord, checked, unreachable, type Vantage } from './checked-record.ts';
import { missing } from './missing-record.ts';
import type { RequiredRecord } from './required-record.ts';

export async function checkTxt(required: RequiredRecord, vantage: Vantage): Promise<CheckedRecord> {
  const { name, value } = required;
  const found = await vantage.lookup(name, 'TXT');
  if (found.kind === 'unknown') return unreachable(required, found.why);
  if (found.kind === 'none') return missing(required, vantage);
  const canonical = found.kind === 'alias' ? found.target : found.canonical;
  if (canonical !== undefined) {
    // The name behind an alias, which a wildcard CNAME may be as well, can belong to somebody else.
    const action = `${name} is an alias (CNAME) of ${canonical}. Create a TXT record for ${name} itself with the value ${value}.`;
    return checked(required, 'mismatch', [`CNAME ${canonical}`], action);
  }
  const { values } = found as { values: readonly string[] };
  if (values.includes(value)) return checked(required, 'ok', values, null);
  const quoted = values.find(seen => seen.replaceAll(/[\s"'\\“”]/g, '') === value);
  const action = quoted
    ? `The TXT record at ${name} has ${quoted}, with quotation marks or spaces in its text. Enter ${value} without them.`
    : `Add the value ${value} to the TXT record at ${name}.`;
  return checked(required, 'mismatch', values, action);
}
