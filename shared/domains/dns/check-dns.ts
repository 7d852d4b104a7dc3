import { type CheckedRecord, checkRecord, type RecordState } from './check-record.ts';
import { type Lookup, lookupAt } from './lookup.ts';
import type { RequiredRecord } from './required-record.ts';

/** From the most severe state to ok. */
const SEVERITY: readonly RecordState[] = ['conflict', 'mismatch', 'missing', 'unreachable', 'ok'];

/** Where DNS is asked from: the zone's own name servers, and recursive resolvers, whose caches may lag behind. */
export interface VantagePoints {
  readonly authoritative: Lookup | undefined;
  readonly resolvers: readonly Lookup[];
}

/** The vantage points for a zone. When its name servers cannot be found, only the resolvers are asked. */
export async function vantagePointsFor(
  registrable: string,
  resolverAddresses: readonly string[],
): Promise<VantagePoints> {
  const resolvers = resolverAddresses.map(address => lookupAt([address]));
  const anyResolver = lookupAt(resolverAddresses);
  const nameServers = await anyResolver(registrable, 'NS');
  if (nameServers.kind !== 'records') return { authoritative: undefined, resolvers };
  const addresses = await Promise.all(nameServers.values.map(server => anyResolver(server, 'A')));
  const known = addresses.flatMap(found => (found.kind === 'records' ? found.values : []));
  return { authoritative: known.length > 0 ? lookupAt(known) : undefined, resolvers };
}

/**
 * Checks every required record from every vantage point. A fault that the zone's own servers show is final; a record is
 * ok only when all vantage points agree.
 */
export async function checkDns(
  required: readonly RequiredRecord[],
  registrable: string,
  { authoritative, resolvers }: VantagePoints,
): Promise<CheckedRecord[]> {
  return Promise.all(
    required.map(async record => {
      const own = authoritative && (await checkRecord(record, registrable, authoritative));
      if (own && own.state !== 'ok' && own.state !== 'unreachable') return own;
      const seen = await Promise.all(resolvers.map(resolver => checkRecord(record, registrable, resolver)));
      const worst = [...seen, ...(own ? [own] : [])].toSorted(
        (left, right) => SEVERITY.indexOf(left.state) - SEVERITY.indexOf(right.state),
      )[0];
      if (!worst || (worst.state !== 'ok' && own?.state === 'ok')) return { ...record, ...spreading(worst) };
      return worst;
    }),
  );
}

/** The zone's own servers are right, and a resolver still caches an old answer: there is nothing to do but wait. */
function spreading(worst: CheckedRecord | undefined) {
  return {
    state: worst?.state ?? ('unreachable' as const),
    observed: worst?.observed ?? [],
    action: null,
  };
}
