import { createSocket } from 'node:dgram';
import { promises } from 'node:dns';
import { once } from 'node:events';
import { decode, encode, type RecordType as QueryType, RECURSION_DESIRED } from 'dns-packet';
import { onTestFinished } from 'vitest';
import { startDnsServers } from '../dns/public-dns.ts';
import { type HostedZone, HostedZones } from '../route53/hosted-zones.ts';
import type { RecordSet } from '../route53/record-set.ts';

export type Line = readonly [name: string, type: RecordSet['type'], ...values: string[]];

/** Serves zones with records of a TTL of 300 seconds. `resolver` asks the first of the two recursive resolvers. */
export async function served(zonesByName: Readonly<Record<string, readonly Line[]>>, waitScale = 1) {
  const clock = { nowMs: Date.UTC(2030, 0) };
  const zones = new HostedZones();
  const zoneNamed = (name: string) => zones.list().find(zone => zone.name === name) as HostedZone;
  /** Replaces the records of a zone but for its SOA and NS records. */
  const setRecords = (name: string, lines: readonly Line[]) => {
    const { id, recordSets } = zoneNamed(name);
    const initial = recordSets.filter(set => set.name === name && (set.type === 'NS' || set.type === 'SOA'));
    const added = lines.map(([owner, type, ...values]) => ({ name: owner, type, ttlSeconds: 300, values }));
    zones.replaceRecordSets(id, [...initial, ...added]);
  };
  for (const [name, lines] of Object.entries(zonesByName)) {
    zones.add({ name, callerReference: name });
    setRecords(name, lines);
  }
  const dns = await startDnsServers(zones, { waitScale, now: () => clock.nowMs });
  onTestFinished(dns.stop);
  const [resolver, secondResolver] = dns.resolvers.map(({ address }) => clientOf(address)) as [
    promises.Resolver,
    promises.Resolver,
  ];
  return {
    clock,
    zones,
    setRecords,
    /** The names of a zone's servers, as NS records have them. */
    serversOf: (name: string) => zoneNamed(name).recordSets.find(({ type }) => type === 'NS')?.values ?? [],
    dns,
    resolver,
    secondResolver,
    /** The response of a zone's own server. */
    askZone: async (zone: string, name: string, type: QueryType) =>
      asked(await dns.portOf(zoneNamed(zone).id), name, type),
    askResolver: (name: string, type: QueryType) =>
      asked(portOf(dns.resolvers[0]), name, type, RECURSION_DESIRED),
  };
}

/** Asks one server, once. An answer has to arrive in time even on a busy machine; only silence needs a short time. */
export function clientOf(address: string, timeout = 60_000): promises.Resolver {
  const client = new promises.Resolver({ timeout, tries: 1 });
  client.setServers([address]);
  return client;
}

export const portOf = ({ address }: { address: string }) => Number(address.split(':')[1]);

/** Sends a query over UDP with exactly these flags and returns the response. */
export async function asked(port: number, name: string, type: QueryType, flags = 0) {
  const socket = createSocket('udp4');
  socket.send(encode({ type: 'query', id: 7, flags, questions: [{ name, type }] }), port, '127.0.0.1');
  const [message] = await once(socket, 'message');
  socket.close();
  const response = decode(message);
  return { ...response, code: CODES[(response.flags ?? 0) & 0xf] };
}

/** The response codes, which are the last four bits of the flags, in their order. */
const CODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'];
