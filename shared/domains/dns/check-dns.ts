import { type CheckedRecord, type Creation, checked, checkRecord, type RecordState } from './check-record.ts';
import { notDelegated, serverFault, type ZoneDelegation } from './delegation.ts';
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
 * Checks every required record from every vantage point. A fault that the zone's own servers show is final; a record is
 * ok only when all resolvers see it, too. The zone's servers are left out when they do not answer. Nothing can be created
 * in a domain that is not delegated, so that is said instead.
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
      return { ...result, action: delegationAdvice(result, own, delegation) ?? result.action };
    }),
  );
}

/** What has to be done about the delegation before the record can be right. */
function delegationAdvice(
  { state, name }: CheckedRecord,
  own: CheckedRecord | undefined,
  delegation: ZoneDelegation | undefined,
): string | undefined {
  if (!delegation) return undefined;
  if (state === 'missing' && delegation.nameServers.length === 0) return notDelegated(delegation.zone);
  if (state !== 'unreachable' || own?.state === 'ok') return undefined;
  return serverFault(delegation, { name, why: own?.observed[0] });
}

function agreed(
  record: RequiredRecord,
  own: CheckedRecord | undefined,
  seen: readonly CheckedRecord[],
): CheckedRecord {
  const [worst] = [...(own ? [own] : []), ...seen].toSorted(
    (left, right) => SEVERITY.indexOf(left.state) - SEVERITY.indexOf(right.state),
  );
  if (!worst) return checked(record, 'unreachable', [], null);
  const lagging = seen.filter(({ state }) => state !== 'ok');
  if (lagging.length === 0) return seen[0] ?? worst;
  const isPublished = own?.state === 'ok';
  if (isPublished && seen.every(({ state }) => state === 'unreachable')) return unresolved(record, worst);
  const isSeenSomewhere = isPublished || lagging.length < seen.length;
  if (!isSeenSomewhere) return worst;
  // Nothing is left to do but to wait until the resolvers forget what they have cached.
  return checked(
    record,
    'spreading',
    lagging.flatMap(({ observed }) => observed),
    null,
  );
}

/** The zone's own servers have the record, and no resolver can resolve the name. */
function unresolved(record: RequiredRecord, { observed }: CheckedRecord): CheckedRecord {
  return checked(
    record,
    'unreachable',
    observed,
    `The name servers have the record, but public resolvers can't resolve ${record.name}. If this persists, check DNSSEC ` +
      'and the name servers at your registrar.',
  );
}
