import { createHash } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { REGION, URL_SUFFIX } from '../cloudformation/pseudo-parameters.ts';
import { EDGE_ADDRESSES } from '../host/public-addresses.ts';
import { isWithin } from './domain-name.ts';
import type { RecordSet } from './record-set.ts';

const GATEWAY_ZONE = `execute-api.${REGION}.${URL_SUFFIX}.`;

/** The public zones of AWS in which the local services create names: API Gateway's and ACM's. */
const AWS_ZONES = [GATEWAY_ZONE, 'acm-validations.aws.'];

/** The hosted zone of API Gateway's names in us-east-1, which an alias to one of them must name. */
export const GATEWAY_HOSTED_ZONE_ID = 'Z1UJRXOUMOOFQ8';

/** The TTL of an alias for a name of AWS in Route 53. */
export const AWS_TTL_SECONDS = 60;

/** Whether this machine has `::1`. */
export const hasIpv6 = Object.values(networkInterfaces()).some(addresses =>
  addresses?.some(({ address }) => address === '::1'),
);

/** The addresses of a name in Route 53's form, by the type of record; none if it isn't known, or the type isn't one of addresses. */
export type AddressesOf = (name: string, type: string) => readonly string[];

/** The addresses of names of AWS on this machine: API Gateway's names are dual-stack, as far as the machine is. */
export const awsAddresses: AddressesOf = (name, type) => {
  if (!isAwsName(name)) return [];
  if (type === 'A') return [EDGE_ADDRESSES.A];
  return type === 'AAAA' && hasIpv6 && isWithin(name, GATEWAY_ZONE) ? [EDGE_ADDRESSES.AAAA] : [];
};

/** A name server of a delegation set. */
const NAME_SERVER = /^ns-\d+\.awsdns-\d\d\.(com|net|org|co\.uk)\.$/;

/** Whether a name, in Route 53's form, belongs to AWS in public DNS. Such names have addresses of this machine. */
export function isAwsName(name: string): boolean {
  return isNameServer(name) || AWS_ZONES.some(zone => isWithin(name, zone));
}

export function isNameServer(name: string): boolean {
  return NAME_SERVER.test(name);
}

/** The hosted zone of AWS that has a name, if an alias may target the name. */
export function aliasZoneOf(name: string): string | undefined {
  return isWithin(name, GATEWAY_ZONE) ? GATEWAY_HOSTED_ZONE_ID : undefined;
}

/** Route 53's name servers: ns-0 to ns-511 end in com, the next 512 in net, and so on; eight share a second label. */
const TOP_LEVEL_DOMAINS = ['com', 'net', 'org', 'co.uk'];
const SERVERS_PER_DOMAIN = 512;
const SERVERS_PER_LABEL = 8;

const NS_TTL_SECONDS = 172_800;
const SOA_TTL_SECONDS = 900;

const serversById = new Map<string, readonly string[]>();

/** The four name servers of a zone, by its id. */
export function nameServers(hostedZoneId: string): readonly string[] {
  const servers = serversById.get(hostedZoneId) ?? serversOf(hostedZoneId);
  serversById.set(hostedZoneId, servers);
  return servers;
}

function serversOf(hostedZoneId: string): readonly string[] {
  const digest = createHash('sha256').update(hostedZoneId).digest();
  return TOP_LEVEL_DOMAINS.map((domain, index) => {
    const number = digest.readUInt16BE(index * 2) % SERVERS_PER_DOMAIN;
    const label = String(Math.floor(number / SERVERS_PER_LABEL)).padStart(2, '0');
    return `ns-${index * SERVERS_PER_DOMAIN + number}.awsdns-${label}.${domain}`;
  });
}

/** The records that Route 53 creates with a zone and that cannot be deleted. */
export function initialRecordSets(hostedZoneId: string, name: string): RecordSet[] {
  const servers = nameServers(hostedZoneId).map(server => `${server}.`);
  const soa = `${servers[0]} awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400`;
  return [
    { name, type: 'NS', ttlSeconds: NS_TTL_SECONDS, values: servers },
    { name, type: 'SOA', ttlSeconds: SOA_TTL_SECONDS, values: [soa] },
  ];
}
