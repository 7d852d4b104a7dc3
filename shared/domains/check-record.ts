import type { Found, Lookup } from './lookup.ts';
import { creationOf, type WantedRecord } from './wanted-record.ts';

export type RecordState = 'ok' | 'missing' | 'mismatch' | 'conflict' | 'unreachable';

/** A wanted record, what was seen in its place, and what the owner of the domain should do. */
export interface CheckedRecord extends WantedRecord {
  readonly state: RecordState;
  readonly observed: readonly string[];
  readonly action: string | null;
}

/** Looks for one wanted record at one place. `registrable` is the domain whose zone it is in. */
export async function checkRecord(
  wanted: WantedRecord,
  registrable: string,
  lookup: Lookup,
): Promise<CheckedRecord> {
  switch (wanted.type) {
    case 'CNAME':
      return checkCname(wanted, registrable, lookup);
    case 'ALIAS':
      return checkAlias(wanted, lookup);
    case 'TXT':
      return checkTxt(wanted, registrable, lookup);
  }
}

async function checkCname(wanted: WantedRecord, registrable: string, lookup: Lookup): Promise<CheckedRecord> {
  const { name, value } = wanted;
  const cname = await lookup(name, 'CNAME');
  if (cname.kind === 'unknown') return unreachable(wanted, cname);
  const seen = valuesOf(cname);
  if (seen.includes(value)) return checked(wanted, 'ok', seen, null);
  if (seen.length > 0) {
    const isWildcard = await isFromWildcard(name, seen, lookup);
    return checked(
      wanted,
      'mismatch',
      seen,
      isWildcard
        ? `The answer comes from a wildcard record. Create a CNAME record for ${name} itself with the value ${value}.`
        : `Change the value of the CNAME record at ${name} from ${seen.join(', ')} to ${value}.`,
    );
  }
  const addresses = await addressesOf(name, lookup);
  if (addresses === undefined) return unreachable(wanted, { kind: 'unknown', why: 'no answer' });
  if (addresses.length > 0) {
    const isProxied = valuesOf(await lookup(registrable, 'NS')).some(ns => ns.endsWith('.ns.cloudflare.com'));
    return checked(
      wanted,
      'conflict',
      addresses,
      isProxied
        ? `The record at ${name} is proxied by Cloudflare. Set it to "DNS only".`
        : `Delete the A and AAAA records at ${name}: they are in the way of the CNAME record. Then create it.`,
    );
  }
  return missing(wanted, registrable, lookup);
}

/** An ALIAS is seen only by its addresses, of which every answer may be a sample: one in common is enough. */
async function checkAlias(wanted: WantedRecord, lookup: Lookup): Promise<CheckedRecord> {
  const { name, value } = wanted;
  const [seen, targets] = await Promise.all([addressesOf(name, lookup), addressesOf(value, lookup)]);
  if (seen === undefined || targets === undefined)
    return unreachable(wanted, { kind: 'unknown', why: 'no answer' });
  if (seen.some(address => targets.includes(address))) return checked(wanted, 'ok', seen, null);
  if (seen.length === 0) return checked(wanted, 'missing', [], creationOf(wanted));
  return checked(
    wanted,
    'mismatch',
    seen,
    `Delete the A and AAAA records at ${name} that lead elsewhere. ${creationOf(wanted)}`,
  );
}

async function checkTxt(wanted: WantedRecord, registrable: string, lookup: Lookup): Promise<CheckedRecord> {
  const found = await lookup(wanted.name, 'TXT');
  if (found.kind === 'unknown') return unreachable(wanted, found);
  const seen = valuesOf(found);
  if (seen.includes(wanted.value)) return checked(wanted, 'ok', seen, null);
  if (seen.length > 0) {
    return checked(
      wanted,
      'mismatch',
      seen,
      `Add the value ${wanted.value} to the TXT record at ${wanted.name}.`,
    );
  }
  return missing(wanted, registrable, lookup);
}

/** Not there. Many DNS providers append the zone to what is typed, and the record is one level too deep. */
async function missing(wanted: WantedRecord, registrable: string, lookup: Lookup): Promise<CheckedRecord> {
  const { type, name, value } = wanted;
  const doubled = `${name}.${registrable}`;
  const lookedUp = type === 'TXT' ? 'TXT' : 'CNAME';
  const tooDeep = valuesOf(await lookup(doubled, lookedUp));
  if (tooDeep.includes(value)) {
    const relative = name.slice(0, -registrable.length - 1);
    return checked(
      wanted,
      'mismatch',
      [`${doubled} ${lookedUp} ${value}`],
      `The DNS provider has appended ${registrable} once more. Enter ${relative} as the name of the record.`,
    );
  }
  return checked(wanted, 'missing', [], creationOf(wanted));
}

/** Whether a name that nobody can have asked for has the same answer. */
async function isFromWildcard(name: string, seen: readonly string[], lookup: Lookup): Promise<boolean> {
  const parent = name.slice(name.indexOf('.') + 1);
  const probe = `petstore-probe-${Math.random().toString(36).slice(2, 12)}.${parent}`;
  return valuesOf(await lookup(probe, 'CNAME')).some(value => seen.includes(value));
}

/** The addresses of a name; undefined when no server could say. */
async function addressesOf(name: string, lookup: Lookup): Promise<string[] | undefined> {
  const [v4, v6] = await Promise.all([lookup(name, 'A'), lookup(name, 'AAAA')]);
  if (v4.kind === 'unknown' && v6.kind === 'unknown') return undefined;
  return [...valuesOf(v4), ...valuesOf(v6)];
}

function valuesOf(found: Found): readonly string[] {
  return found.kind === 'records' ? found.values : [];
}

function unreachable(wanted: WantedRecord, { why }: { kind: 'unknown'; why: string }): CheckedRecord {
  return checked(
    wanted,
    'unreachable',
    [why],
    `The DNS servers of ${wanted.name} did not answer. Nothing to do unless this lasts; then ask the DNS provider.`,
  );
}

function checked(
  wanted: WantedRecord,
  state: RecordState,
  observed: readonly string[],
  action: string | null,
): CheckedRecord {
  return { ...wanted, state, observed, action };
}
