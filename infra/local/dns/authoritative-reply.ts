import type { Answer } from 'dns-packet';
import { type AddressesOf, AWS_TTL_SECONDS } from '../route53/aws-names.ts';
import { isWithin, normalizedName, parentOf, unescapedName, WILDCARD_LABEL } from '../route53/domain-name.ts';
import type { HostedZone } from '../route53/hosted-zones.ts';
import { dnsRecord, type RecordSet, recordData } from '../route53/record-set.ts';
import { emptyReply, type Question, type Reply } from './dns-message.ts';

/** How many CNAME and alias records are followed within a zone. */
const MAX_CHAIN = 16;

/** A zone, and the addresses of the names in other zones that it has aliases of. */
interface ServedZone {
  readonly zone: HostedZone;
  readonly addressesOf: AddressesOf;
}

/**
 * The reply of a zone's own name server. It answers for its own zone only: it refuses every other name, refers names
 * below a delegation to the servers that they are delegated to, and follows a CNAME only within the zone.
 */
export function authoritativeReply(zone: HostedZone, question: Question, addressesOf: AddressesOf): Reply {
  const name = normalizedName(question.name);
  if (name === undefined || !isWithin(name, zone.name)) return emptyReply('REFUSED');
  return replyAt({ zone, addressesOf }, question, name, MAX_CHAIN);
}

function replyAt(
  served: ServedZone,
  { name: asked, type }: Question,
  name: string,
  chainLeft: number,
): Reply {
  const { zone } = served;
  if (chainLeft === 0) return emptyReply('SERVFAIL');
  const delegation = delegationOf(zone, name);
  if (delegation !== undefined) return referral(zone, delegation);
  const recordSets = recordSetsAt(zone, name);
  if (recordSets === undefined) return { ...emptyReply('NXDOMAIN', true), authorities: [negativeSoa(zone)] };
  const cname = recordSets.find(set => set.type === 'CNAME');
  if (cname !== undefined && type !== 'CNAME' && type !== 'ANY') {
    return followed(served, recordsOf(cname, asked), type, chainLeft);
  }
  const answers = recordSets
    .filter(set => type === 'ANY' || set.type === type)
    .map(set => (set.aliasTarget ? aliased(served, set, asked, chainLeft) : recordsOf(set, asked)));
  if (answers.includes('SERVFAIL')) return emptyReply('SERVFAIL');
  const found = answers.flatMap(records => (records === 'SERVFAIL' ? [] : records));
  const authorities = found.length > 0 ? [] : [negativeSoa(zone)];
  return { ...emptyReply('NOERROR', true), answers: found, authorities };
}

/** The NS records of the topmost delegation at or above a name. The zone's own NS records delegate nothing. */
function delegationOf({ name: zone, recordSets }: HostedZone, name: string): RecordSet | undefined {
  const { at } = indexOf(recordSets);
  let topmost: RecordSet | undefined;
  for (let owner = name; owner !== zone; owner = parentOf(owner)) {
    topmost = at.get(owner)?.find(({ type }) => type === 'NS') ?? topmost;
  }
  return topmost;
}

function referral({ recordSets }: HostedZone, delegation: RecordSet): Reply {
  const servers = delegation.values.map(value => normalizedName(value));
  const glue = recordSets.filter(
    ({ name, type, aliasTarget }) =>
      servers.includes(name) && (type === 'A' || type === 'AAAA') && aliasTarget === undefined,
  );
  return {
    ...emptyReply('NOERROR'),
    authorities: recordsOf(delegation, unescapedName(delegation.name)),
    additionals: glue.flatMap(set => recordsOf(set, unescapedName(set.name))),
  };
}

/** A CNAME with the records of its target, if the zone itself has them. */
function followed(served: ServedZone, cname: readonly Answer[], type: string, chainLeft: number): Reply {
  const target = String((cname[0] as { data?: unknown } | undefined)?.data);
  const name = normalizedName(target);
  const found = { ...emptyReply('NOERROR', true), answers: cname };
  if (name === undefined || !isWithin(name, served.zone.name)) return found;
  const rest = replyAt(served, { name: target, type }, name, chainLeft - 1);
  if (rest.code === 'SERVFAIL') return rest;
  return rest.isAuthoritative ? { ...rest, answers: [...cname, ...rest.answers] } : found;
}

/** The records of an alias's target under the name of the alias: the target is in the same zone, or only its addresses are asked for. */
function aliased(served: ServedZone, { type, aliasTarget }: RecordSet, name: string, chainLeft: number) {
  const target = aliasTarget?.dnsName ?? '';
  if (!isWithin(target, served.zone.name)) {
    return served.addressesOf(target, type).map(address => dnsRecord(type, name, AWS_TTL_SECONDS, address));
  }
  const { code, answers } = replyAt(served, { name: unescapedName(target), type }, target, chainLeft - 1);
  if (code === 'SERVFAIL') return code;
  return answers.filter(answer => answer.type === type).map(answer => ({ ...answer, name }));
}

function recordsOf({ type, ttlSeconds = 0, values }: RecordSet, name: string): Answer[] {
  return values.map(value => dnsRecord(type, name, ttlSeconds, value));
}

/** The SOA record of a negative answer. Its TTL is the smaller of its own TTL and its minimum field (RFC 2308). */
function negativeSoa({ name, recordSets }: HostedZone): Answer {
  const soa = recordSets.find(set => set.type === 'SOA' && set.name === name);
  const value = soa?.values[0] ?? '';
  const { minimum } = recordData('SOA', value) as { minimum: number };
  return dnsRecord('SOA', unescapedName(name), Math.min(soa?.ttlSeconds ?? 0, minimum), value);
}

/**
 * The record sets at a name of a zone, or undefined when the name does not exist. A name with names below it exists, even
 * without records. A wildcard matches names that do not exist below its parent, the closest encloser (RFC 4592).
 */
function recordSetsAt(
  { name: zone, recordSets }: HostedZone,
  name: string,
): readonly RecordSet[] | undefined {
  const { at, existing } = indexOf(recordSets);
  if (existing.has(name)) return at.get(name) ?? [];
  let encloser = parentOf(name);
  while (!existing.has(encloser) && encloser !== zone) encloser = parentOf(encloser);
  return at.get(`${WILDCARD_LABEL}.${encloser}`);
}

/** The record sets of a zone by their names, and the names that exist because of them. A zone may have tens of thousands. */
interface ZoneIndex {
  readonly at: ReadonlyMap<string, readonly RecordSet[]>;
  readonly existing: ReadonlySet<string>;
}

const indexes = new WeakMap<readonly RecordSet[], ZoneIndex>();

/** Record sets are replaced, not changed. */
function indexOf(recordSets: readonly RecordSet[]): ZoneIndex {
  const known = indexes.get(recordSets);
  if (known !== undefined) return known;
  const existing = new Set<string>();
  for (const { name } of recordSets) {
    for (let owner = name; owner !== '' && !existing.has(owner); owner = parentOf(owner)) existing.add(owner);
  }
  const index = { at: Map.groupBy(recordSets, ({ name }) => name), existing };
  indexes.set(recordSets, index);
  return index;
}
