import type { Domain } from '../life/domain.ts';
import type { Found, Lookup } from './lookup.ts';
import { creationOf, type RequiredRecord } from './required-record.ts';

export type RecordState = Domain['records'][number]['state'];

/** A required record, what was observed in its place, and what the owner of the domain has to do. */
export interface CheckedRecord extends RequiredRecord {
  readonly state: RecordState;
  readonly observed: readonly string[];
  readonly action: string | null;
}

/** Checks one required record from one vantage point. `registrable` is the registrable domain that it is under. */
export async function checkRecord(
  required: RequiredRecord,
  registrable: string,
  lookup: Lookup,
): Promise<CheckedRecord> {
  switch (required.type) {
    case 'CNAME':
      return checkCname(required, registrable, lookup);
    case 'ALIAS':
      return checkAlias(required, lookup);
    case 'TXT':
      return checkTxt(required, registrable, lookup);
  }
}

async function checkCname(
  required: RequiredRecord,
  registrable: string,
  lookup: Lookup,
): Promise<CheckedRecord> {
  const { name, value } = required;
  const cname = await lookup(name, 'CNAME');
  if (cname.kind === 'unknown') return unreachable(required, cname);
  const seen = valuesOf(cname);
  if (seen.includes(value)) return checked(required, 'ok', seen, null);
  if (seen.length > 0) {
    const isWildcard = await isFromWildcard(name, seen, lookup);
    return checked(
      required,
      'mismatch',
      seen,
      isWildcard
        ? `The answer comes from a wildcard record. Create a CNAME record for ${name} itself with the value ${value}.`
        : `Change the value of the CNAME record at ${name} from ${seen.join(', ')} to ${value}.`,
    );
  }
  const addresses = await addressesOf(name, lookup);
  if (addresses === undefined) return unreachable(required, { kind: 'unknown', why: 'no answer' });
  if (addresses.length > 0) {
    const isProxied = valuesOf(await lookup(registrable, 'NS')).some(ns => ns.endsWith('.ns.cloudflare.com'));
    return checked(
      required,
      'conflict',
      addresses,
      isProxied
        ? `The record at ${name} is proxied by Cloudflare. Set it to "DNS only".`
        : `Delete the A and AAAA records at ${name}: they are in the way of the CNAME record. Then create it.`,
    );
  }
  return missing(required, registrable, lookup);
}

/** An ALIAS shows only as addresses, and an answer may be a sample of them: one in common with the target is enough. */
async function checkAlias(required: RequiredRecord, lookup: Lookup): Promise<CheckedRecord> {
  const { name, value } = required;
  const [seen, targets] = await Promise.all([addressesOf(name, lookup), addressesOf(value, lookup)]);
  if (seen === undefined || targets === undefined)
    return unreachable(required, { kind: 'unknown', why: 'no answer' });
  if (seen.some(address => targets.includes(address))) return checked(required, 'ok', seen, null);
  if (seen.length === 0) return checked(required, 'missing', [], creationOf(required));
  return checked(
    required,
    'mismatch',
    seen,
    `Delete the A and AAAA records at ${name} that point elsewhere. ${creationOf(required)}`,
  );
}

async function checkTxt(
  required: RequiredRecord,
  registrable: string,
  lookup: Lookup,
): Promise<CheckedRecord> {
  const found = await lookup(required.name, 'TXT');
  if (found.kind === 'unknown') return unreachable(required, found);
  const seen = valuesOf(found);
  if (seen.includes(required.value)) return checked(required, 'ok', seen, null);
  if (seen.length > 0) {
    return checked(
      required,
      'mismatch',
      seen,
      `Add the value ${required.value} to the TXT record at ${required.name}.`,
    );
  }
  return missing(required, registrable, lookup);
}

/** The record is missing, or one level too deep: many DNS providers append the zone to the name that is typed in. */
async function missing(
  required: RequiredRecord,
  registrable: string,
  lookup: Lookup,
): Promise<CheckedRecord> {
  const { type, name, value } = required;
  const doubled = `${name}.${registrable}`;
  const lookedUp = type === 'TXT' ? 'TXT' : 'CNAME';
  const tooDeep = valuesOf(await lookup(doubled, lookedUp));
  if (tooDeep.includes(value)) {
    const relative = name.slice(0, -registrable.length - 1);
    return checked(
      required,
      'mismatch',
      [`${doubled} ${lookedUp} ${value}`],
      `The DNS provider has appended ${registrable} once more. Enter ${relative} as the name of the record.`,
    );
  }
  return checked(required, 'missing', [], creationOf(required));
}

/** Whether a random sibling of the name has the same answer, which then comes from a wildcard record. */
async function isFromWildcard(name: string, seen: readonly string[], lookup: Lookup): Promise<boolean> {
  const parent = name.slice(name.indexOf('.') + 1);
  const probe = `petstore-probe-${Math.random().toString(36).slice(2, 12)}.${parent}`;
  return valuesOf(await lookup(probe, 'CNAME')).some(value => seen.includes(value));
}

/** The addresses of a name; undefined when no look-up succeeded. */
async function addressesOf(name: string, lookup: Lookup): Promise<string[] | undefined> {
  const [v4, v6] = await Promise.all([lookup(name, 'A'), lookup(name, 'AAAA')]);
  if (v4.kind === 'unknown' && v6.kind === 'unknown') return undefined;
  return [...valuesOf(v4), ...valuesOf(v6)];
}

function valuesOf(found: Found): readonly string[] {
  return found.kind === 'records' ? found.values : [];
}

function unreachable(required: RequiredRecord, { why }: { kind: 'unknown'; why: string }): CheckedRecord {
  return checked(
    required,
    'unreachable',
    [why],
    `The DNS servers of ${required.name} did not answer. Nothing to do unless this lasts; then ask the DNS provider.`,
  );
}

function checked(
  required: RequiredRecord,
  state: RecordState,
  observed: readonly string[],
  action: string | null,
): CheckedRecord {
  return { ...required, state, observed, action };
}
