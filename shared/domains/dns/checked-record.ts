import type { Domain } from '../life/domain.ts';
import type { Found, Lookup } from './lookup.ts';
import type { RequiredRecord } from './required-record.ts';

export type RecordState = Domain['records'][number]['state'];

/** A required record, what was observed in its place, and what the owner of the domain has to do. */
export interface CheckedRecord extends RequiredRecord {
  readonly state: RecordState;
  readonly observed: readonly string[];
  readonly action: string | null;
}

/** One vantage point, and recursive resolution for the names that it does not know. */
export interface Vantage {
  /** The zone that the record belongs to. */
  readonly zone: string;
  readonly lookup: Lookup;
  readonly resolve: Lookup;
}

export function checked(
  required: RequiredRecord,
  state: RecordState,
  observed: readonly string[],
  action: string | null,
): CheckedRecord {
  return { ...required, state, observed, action };
}

export function unreachable(required: RequiredRecord, why: string): CheckedRecord {
  return checked(
    required,
    'unreachable',
    [why],
    `The DNS servers of ${required.name} did not answer. Nothing to do unless this lasts; then ask the DNS provider.`,
  );
}

export function valuesOf(found: Found): readonly string[] {
  return found.kind === 'records' ? found.values : [];
}

/** The addresses of a name; undefined when none is known, because a look-up failed. */
export async function addressesOf(name: string, vantage: AddressVantage) {
  const { addresses, isComplete } = await lookUpAddresses(name, vantage);
  return addresses.length > 0 || isComplete ? addresses : undefined;
}

/** All addresses of a name; undefined when there may be others, because a look-up failed. */
export async function allAddressesOf(name: string, vantage: AddressVantage) {
  const { addresses, isComplete } = await lookUpAddresses(name, vantage);
  return isComplete ? addresses : undefined;
}

type AddressVantage = Omit<Vantage, 'zone'>;

async function lookUpAddresses(name: string, { lookup, resolve }: AddressVantage) {
  const found = await Promise.all(
    (['A', 'AAAA'] as const).map(async type => {
      const seen = await lookup(name, type);
      return seen.kind === 'alias' ? resolve(seen.target, type) : seen;
    }),
  );
  return { addresses: found.flatMap(valuesOf), isComplete: found.every(({ kind }) => kind !== 'unknown') };
}

/** A name beside the given one that nobody has created: what it has comes from a wildcard record. */
export function randomSibling(name: string): string {
  const parent = name.slice(name.indexOf('.') + 1);
  return `petstore-probe-${Math.random().toString(36).slice(2, 12)}.${parent}`;
}

/** The records that have these addresses: `A record`, `AAAA records`, `A and AAAA records`. */
export function addressRecords(addresses: readonly string[]): string {
  const types = new Set(addresses.map(address => (address.includes(':') ? 'AAAA' : 'A')));
  return `${[...types].toSorted().join(' and ')} ${addresses.length === 1 ? 'record' : 'records'}`;
}
