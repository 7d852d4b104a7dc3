import { createHash } from 'node:crypto';
import type { RecordSet } from './record-set.ts';

/** Route 53's name servers: ns-0 to ns-511 end in com, the next 512 in net, and so on; eight share a second label. */
const TOP_LEVEL_DOMAINS = ['com', 'net', 'org', 'co.uk'];
const SERVERS_PER_DOMAIN = 512;
const SERVERS_PER_LABEL = 8;

const NS_TTL_SECONDS = 172_800;
const SOA_TTL_SECONDS = 900;

/** The four name servers of a zone, by its id. */
export function nameServers(hostedZoneId: string): string[] {
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
