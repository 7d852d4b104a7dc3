import { isWithin } from '../life/domain-name.ts';
import { NO_ADDRESS, NO_ANSWER } from './delegation.ts';
import type { DnsRecord, DnsResponse } from './dns-query.ts';
import { isPublicAddress } from './ip-address.ts';
import {
  type Found,
  type Lookup,
  type LookupLimits,
  MAX_VALUES,
  type ServerGroup,
  serverGroup,
} from './lookup.ts';

/** A zone and its name servers: their names, and the addresses of some of them. */
export interface ZoneServers {
  readonly zone: string;
  /** Empty for a registrable domain that doesn't exist in DNS. */
  readonly names: readonly string[];
  readonly servers: readonly string[];
  /** What the servers answered if none of them serves the zone. */
  readonly fault?: string;
  /** Whether its servers confirmed that no zone is closer to the name. */
  readonly isCertain: boolean;
}

/** More name servers than this are not asked. */
export const MAX_SERVERS = 4;

/** More delegations below a registrable domain than anybody has. */
const MAX_DELEGATIONS = 8;

/**
 * The closest zone that encloses a name. A resolver finds the name servers of the registrable domain, which are asked for the
 * name's SOA record; a referral leads to the servers of a sub-zone, which are asked in turn. A resolver isn't asked for the name
 * itself, unless that is the registrable domain: it would cache the answer that nothing is there. Resolvers fail for a domain
 * whose servers all fail, so those servers are found through its parent's.
 */
export async function closestZone(
  domain: string,
  registrable: string,
  resolve: Lookup,
  limits: LookupLimits,
): Promise<ZoneServers | undefined> {
  const ofRegistrable = await resolve(registrable, 'NS');
  if (ofRegistrable.kind === 'none' && ofRegistrable.isNameAbsent) {
    return { zone: registrable, names: [], servers: [], isCertain: false };
  }
  const outermost = await outermostZone(registrable, ofRegistrable, resolve);
  const found = outermost && (await zoneBelow(outermost, domain, resolve, limits));
  // Resolvers wouldn't fail for a name in the parent's own zone.
  const isMisled = ofRegistrable.kind === 'unknown' && found && !isWithin(found.zone, registrable);
  return isMisled ? undefined : found;
}

/** Follows the delegations from a zone to the closest one that encloses a name. */
async function zoneBelow(
  outermost: ZoneServers,
  domain: string,
  resolve: Lookup,
  limits: LookupLimits,
): Promise<ZoneServers> {
  let current = outermost;
  for (let delegations = 0; delegations < MAX_DELEGATIONS; delegations += 1) {
    const { zone, names, servers } = current;
    const response = await soaResponse(serverGroup(servers, limits), domain, zone);
    if ('why' in response) {
      const fault = servers.length === 0 ? NO_ADDRESS : response.why;
      return { ...current, fault, isCertain: zone === domain };
    }
    const referral = response.isAuthoritative ? [] : referralIn(response, domain, zone);
    if (referral.length === 0)
      return { zone: zoneIn(response, domain, zone), names, servers, isCertain: true };
    current = await delegatedZone(referral, response.additionals, resolve);
  }
  return { ...current, isCertain: false };
}

/** The zone of the registrable domain, or a parent's if it has none. */
async function outermostZone(
  registrable: string,
  ofRegistrable: Found,
  resolve: Lookup,
): Promise<ZoneServers | undefined> {
  const labels = registrable.split('.');
  for (let depth = 0; depth < labels.length; depth += 1) {
    const zone = labels.slice(depth).join('.');
    const found = depth === 0 ? ofRegistrable : await resolve(zone, 'NS');
    if (found.kind === 'unknown' && (depth > 0 || found.why === NO_ANSWER)) return undefined;
    if (found.kind === 'records' && !found.canonical) {
      const servers = await addressesOf(found.values, [], resolve);
      return { zone, names: found.values, servers, isCertain: false };
    }
  }
  return undefined;
}

/** The authoritative response for the SOA record of the name, or a referral to a sub-zone that encloses it. */
async function soaResponse(askAny: ServerGroup, domain: string, zone: string): ReturnType<ServerGroup> {
  return askAny(
    { name: domain, type: 'SOA' },
    candidate => candidate.isAuthoritative || referralIn(candidate, domain, zone).length > 0,
  );
}

/** The NS records of a sub-zone. A server that doesn't have the zone may refer upwards, which leads nowhere. */
function referralIn({ answers, authorities }: DnsResponse, domain: string, zone: string): DnsRecord[] {
  if (answers.length > 0) return [];
  return authorities.filter(
    ({ type, name }) => type === 'NS' && name !== zone && isWithin(name, zone) && isWithin(domain, name),
  );
}

/** A server of several zones answers from the closest one: the SOA record in the answer says which. */
function zoneIn({ answers, authorities }: DnsResponse, domain: string, zone: string): string {
  const soa = [...answers, ...authorities].find(
    ({ type, name }) => type === 'SOA' && isWithin(domain, name) && isWithin(name, zone),
  );
  return soa?.name ?? zone;
}

async function delegatedZone(
  referral: readonly DnsRecord[],
  additionals: readonly DnsRecord[],
  resolve: Lookup,
): Promise<ZoneServers> {
  const [{ name: zone } = { name: '' }] = referral;
  const names = referral.slice(0, MAX_VALUES).map(({ value }) => value);
  return { zone, names, servers: await addressesOf(names, additionals, resolve), isCertain: false };
}

/** Up to four public IPv4 addresses of name servers: those of the referral, or those that a resolver finds. */
async function addressesOf(
  names: readonly string[],
  additionals: readonly DnsRecord[],
  resolve: Lookup,
): Promise<string[]> {
  const addresses = await Promise.all(
    names.slice(0, MAX_SERVERS).map(async name => {
      const glue = additionals.filter(record => record.type === 'A' && record.name === name);
      if (glue.length > 0) return glue.map(({ value }) => value);
      const found = await resolve(name, 'A');
      return found.kind === 'records' ? found.values : [];
    }),
  );
  return [...new Set(addresses.flat().filter(isPublicAddress))].slice(0, MAX_SERVERS);
}
