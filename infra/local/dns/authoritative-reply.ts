import type { Answer } from 'dns-packet';
import { AWS_TTL_SECONDS, awsAddress } from '../route53/aws-names.ts';
import { isWithin, normalizedName, parentOf, unescapedName, WILDCARD_LABEL } from '../route53/domain-name.ts';
import type { HostedZone } from '../route53/hosted-zones.ts';
import { dnsRecord, type RecordSet, recordData } from '../route53/record-set.ts';
import { emptyReply, type Question, type Reply } from './dns-message.ts';

/** How many CNAME and alias records are followed within a zone. */
const MAX_CHAIN = 16;

/**
 * The reply of a zone's own name server. It answers for its own zone only: it refuses every other name, refers names
 * below a delegation to the servers that they are delegated to, and follows a CNAME only within the zone.
 */
export function authoritativeReply(zone: HostedZone, question: Question): Reply {
  const name = normalizedName(question.name);
  if (name === undefined || !isWithin(name, zone.name)) return emptyReply('REFUSED');
  return replyAt(zone, question, name, MAX_CHAIN);
}

function replyAt(zone: HostedZone, { name: asked, type }: Question, name: string, chainLeft: number): Reply {
  if (chainLeft === 0) return emptyReply('SERVFAIL');
  const delegation = delegationOf(zone, name);
  if (delegation !== undefined) return referral(zone, delegation);
  const recordSets = recordSetsAt(zone, name);
  if (recordSets === undefined) return { ...emptyReply('NXDOMAIN', true), authorities: [negativeSoa(zone)] };
  const cname = recordSets.find(set => set.type === 'CNAME');
  if (cname !== undefined && type !== 'CNAME' && type !== 'ANY') {
    return followed(zone, recordsOf(cname, asked), type, chainLeft);
  }
  const answers = recordSets
    .filter(set => type === 'ANY' || set.type === type)
    .map(set => (set.aliasTarget ? aliased(zone, set, asked, chainLeft) : recordsOf(set, asked)));
  if (answers.includes('SERVFAIL')) return emptyReply('SERVFAIL');
  const found = answers.flatMap(records => (records === 'SERVFAIL' ? [] : records));
  const authorities = found.length > 0 ? [] : [negativeSoa(zone)];
  return { ...emptyReply('NOERROR', true), answers: found, authorities };
}

/** The NS records of the topmost delegation at or above a name. The zone's own NS records delegate nothing. */
function delegationOf({ name: zone, recordSets }: HostedZone, name: string): RecordSet | undefined {
  return recordSets
    .filter(set => set.type === 'NS' && set.name !== zone && isWithin(name, set.name))
    .toSorted((left, right) => left.name.length - right.name.length)[0];
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
function followed(zone: HostedZone, cname: readonly Answer[], type: string, chainLeft: number): Reply {
  const target = String((cname[0] as { data?: unknown } | undefined)?.data);
  const name = normalizedName(target);
  const found = { ...emptyReply('NOERROR', true), answers: cname };
  if (name === undefined || !isWithin(name, zone.name)) return found;
  const rest = replyAt(zone, { name: target, type }, name, chainLeft - 1);
  if (rest.code === 'SERVFAIL') return rest;
  return rest.isAuthoritative ? { ...rest, answers: [...cname, ...rest.answers] } : found;
}

/** The records of an alias's target under the name of the alias: the target is in the same zone or a name that AWS owns. */
function aliased(zone: HostedZone, { type, aliasTarget }: RecordSet, name: string, chainLeft: number) {
  const target = aliasTarget?.dnsName ?? '';
  if (!isWithin(target, zone.name)) {
    const address = awsAddress(target, type);
    return address === undefined ? [] : [dnsRecord(type, name, AWS_TTL_SECONDS, address)];
  }
  const { code, answers } = replyAt(zone, { name: unescapedName(target), type }, target, chainLeft - 1);
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
function recordSetsAt({ name: zone, recordSets }: HostedZone, name: string): RecordSet[] | undefined {
  const at = (owner: string) => recordSets.filter(set => set.name === owner);
  const exists = (owner: string) => recordSets.some(set => isWithin(set.name, owner));
  if (exists(name)) return at(name);
  let encloser = parentOf(name);
  while (!exists(encloser) && encloser !== zone) encloser = parentOf(encloser);
  const wildcard = at(`${WILDCARD_LABEL}.${encloser}`);
  return wildcard.length > 0 ? wildcard : undefined;
}
