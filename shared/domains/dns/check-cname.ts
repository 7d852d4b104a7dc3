import {
  addressesOf,
  addressRecords,
  type CheckedRecord,
  checked,
  randomSibling,
  unreachable,
  type Vantage,
  valuesOf,
} from './checked-record.ts';
import { missing } from './missing-record.ts';
import { proxyAdvice } from './proxied.ts';
import { creationOf, type RequiredRecord } from './required-record.ts';

/** More chained CNAMEs than resolvers follow reliably. */
const MAX_CHAIN = 8;

/** Other records that people have at a name. A CNAME record cannot stand beside any of them. */
const OTHER_TYPES = ['MX', 'TXT', 'CAA'] as const;

export async function checkCname(required: RequiredRecord, vantage: Vantage): Promise<CheckedRecord> {
  const { name, value } = required;
  const cname = await vantage.lookup(name, 'CNAME');
  if (cname.kind === 'unknown') return unreachable(required, cname.why);
  const seen = valuesOf(cname);
  if (seen.includes(value)) return checked(required, 'ok', seen, null);
  if (seen.length > 0) return checked(required, 'mismatch', seen, await correction(required, seen, vantage));
  const addresses = await addressesOf(name, vantage);
  if (addresses === undefined) return unreachable(required, 'no answer');
  if (addresses.length > 0) return addressesInTheWay(required, addresses, vantage);
  return (await otherRecordInTheWay(required, vantage)) ?? missing(required, vantage);
}

/** What to do about a CNAME with another value. */
async function correction(
  { name, value }: RequiredRecord,
  seen: readonly string[],
  { zone, lookup, resolve }: Vantage,
): Promise<string> {
  const siblings = valuesOf(await lookup(randomSibling(name), 'CNAME'));
  if (siblings.some(sibling => seen.includes(sibling))) {
    return `The answer comes from a wildcard record. Create a CNAME record for ${name} itself with the value ${value}.`;
  }
  const change = `Change the value of the CNAME record at ${name} from ${seen.join(', ')} to ${value}`;
  if (seen.includes(`${value}.${zone}`)) {
    return `The DNS provider has appended ${zone} to the value. ${change}, with a dot at its end.`;
  }
  // Only the owner of the zone can create the record itself. A name on the way may belong to somebody else.
  const way = [...seen];
  for (let last = way.at(-1); last !== undefined && way.length < MAX_CHAIN; last = way.at(-1)) {
    const [next] = valuesOf(await resolve(last, 'CNAME'));
    if (next === undefined) break;
    if (next === value) {
      return `${name} reaches ${value} through ${way.join(', ')}, which does not prove that it is yours. ${change}.`;
    }
    way.push(next);
  }
  return `${change}.`;
}

async function addressesInTheWay(
  required: RequiredRecord,
  addresses: readonly string[],
  vantage: Vantage,
): Promise<CheckedRecord> {
  const { name } = required;
  const are = addresses.length === 1 ? 'it is' : 'they are';
  const deletion = `Delete the ${addressRecords(addresses)} at ${name}: ${are} in the way. Then create the CNAME record.`;
  const proxied = await proxyAdvice(name, addresses, deletion, vantage);
  if (proxied) return checked(required, 'conflict', addresses, proxied);
  const siblings = await addressesOf(randomSibling(name), vantage);
  if (!siblings?.some(address => addresses.includes(address))) {
    return checked(required, 'conflict', addresses, deletion);
  }
  const advice =
    `The addresses are those of a wildcard record, which may stay. ${creationOf(required)} ` +
    `If ${name} itself has A or AAAA records, delete those.`;
  return checked(required, 'missing', addresses, advice);
}

async function otherRecordInTheWay(
  required: RequiredRecord,
  { lookup }: Vantage,
): Promise<CheckedRecord | undefined> {
  const { name } = required;
  const sibling = randomSibling(name);
  const found = await Promise.all(
    OTHER_TYPES.map(async type => {
      const values = valuesOf(await lookup(name, type));
      const fromWildcard = values.length > 0 ? valuesOf(await lookup(sibling, type)) : [];
      return values.filter(value => !fromWildcard.includes(value)).map(value => ({ type, value }));
    }),
  );
  const records = found.flat();
  if (records.length === 0) return undefined;
  const types = [...new Set(records.map(({ type }) => type))].join(' and ');
  return checked(
    required,
    'conflict',
    records.map(({ type, value }) => `${type} ${value}`),
    `Delete the ${types} records at ${name}: a CNAME record cannot stand beside others. Then create it. ` +
      'If they are needed, use another name.',
  );
}
