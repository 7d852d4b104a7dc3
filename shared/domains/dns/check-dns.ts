import { type CheckedRecord, type Creation, checked, checkRecord, type RecordState } from './check-record.ts';
import { notDelegated, SERVFAIL, serverFault, type ZoneDelegation } from './delegation.ts';
import { type Instruction, instruction } from './record-advice.ts';
import type { RequiredRecord } from './required-record.ts';
import { anyOf, type VantagePoints } from './vantage-points.ts';

/** From the most severe state to ok. */
const SEVERITY: readonly RecordState[] = [
  'conflict',
  'mismatch',
  'missing',
  'unreachable',
  'spreading',
  'ok',
];

/**
 * Checks every required record from every vantage point. A fault at the zone's own servers is final; a record is ok only once
 * all resolvers see it, too. If the zone's servers don't answer, they're left out. Nothing can be created in a domain that isn't
 * delegated, so then the result says that instead.
 */
export async function checkDns(
  required: readonly RequiredRecord[],
  zone: string,
  { authoritative, resolvers, delegation }: Omit<VantagePoints, 'zone' | 'isApex'>,
  creation?: Creation,
): Promise<CheckedRecord[]> {
  const vantage = { zone, resolve: anyOf(resolvers), ...(creation && { creation }) };
  return Promise.all(
    required.map(async record => {
      const own = authoritative && (await checkRecord(record, { ...vantage, lookup: authoritative }));
      if (own && own.state !== 'ok' && own.state !== 'unreachable') return own;
      const seen = await Promise.all(resolvers.map(lookup => checkRecord(record, { ...vantage, lookup })));
      const result = agreed(record, own, seen);
      const fault = delegationFault(result, own, delegation);
      return fault ? checked(result, result.state, result.observed, [fault]) : result;
    }),
  );
}

/**
 * Checks every required record at each of the zone's own servers, and asks no resolver for it: that would remember that it
 * isn't there yet, for up to hours. A record is ok once every server that answers has it, since a resolver may ask any of them.
 */
export async function checkAtServers(
  required: readonly RequiredRecord[],
  zone: string,
  { authoritative, servers = authoritative ? [authoritative] : [], resolvers }: Omit<VantagePoints, 'zone'>,
  creation?: Creation,
): Promise<CheckedRecord[]> {
  const vantage = { zone, resolve: anyOf(resolvers), ...(creation && { creation }) };
  return Promise.all(
    required.map(async record => {
      const seen = await Promise.all(servers.map(lookup => checkRecord(record, { ...vantage, lookup })));
      return (
        worstOf(seen.filter(({ state }) => state !== 'unreachable')) ?? checked(record, 'unreachable', [])
      );
    }),
  );
}

function worstOf(seen: readonly CheckedRecord[]): CheckedRecord | undefined {
  const [worst] = seen.toSorted(
    (left, right) => SEVERITY.indexOf(left.state) - SEVERITY.indexOf(right.state),
  );
  return worst;
}

/** What to do about the delegation before the record can be right. */
function delegationFault(
  { state }: CheckedRecord,
  own: CheckedRecord | undefined,
  delegation: ZoneDelegation | undefined,
): Instruction | undefined {
  if (!delegation) return undefined;
  const { zone, nameServers, fault } = delegation;
  if (state === 'missing' && nameServers.length === 0) return notDelegated(zone);
  if (state !== 'unreachable' || own?.state === 'ok') return undefined;
  const isFailing = nameServers.length > 0 && fault === undefined && own?.observed[0] === SERVFAIL;
  return isFailing ? instruction('servers_failing_for_name', zone, ...nameServers) : serverFault(delegation);
}

function agreed(
  record: RequiredRecord,
  own: CheckedRecord | undefined,
  seen: readonly CheckedRecord[],
): CheckedRecord {
  const worst = worstOf([...(own ? [own] : []), ...seen]);
  if (!worst) return checked(record, 'unreachable', []);
  const lagging = seen.filter(({ state }) => state !== 'ok');
  if (lagging.length === 0) return seen[0] ?? worst;
  const isPublished = own?.state === 'ok';
  if (isPublished && seen.every(({ state }) => state === 'unreachable')) {
    // The zone's own servers have the record, but no resolver can resolve the name.
    return checked(record, 'unreachable', worst.observed, [instruction('not_resolved')]);
  }
  const isSeenSomewhere = isPublished || lagging.length < seen.length;
  if (!isSeenSomewhere) return worst;
  // All that's left is to wait until the resolvers' caches expire.
  return checked(
    record,
    'spreading',
    lagging.flatMap(({ observed }) => observed),
  );
}
