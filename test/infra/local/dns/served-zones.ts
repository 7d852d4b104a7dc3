import { createSocket } from 'node:dgram';
import { promises } from 'node:dns';
import { once } from 'node:events';
import { decode, encode, type RecordType as QueryType } from 'dns-packet';
import { onTestFinished } from 'vitest';
import { startDnsServer } from '../../../../infra/local/dns/dns-server.ts';
import { HostedZones } from '../../../../infra/local/route53/hosted-zones.ts';
import type { RecordSet } from '../../../../infra/local/route53/record-set.ts';

type Line = readonly [name: string, type: RecordSet['type'], ...values: string[]];

/** Serves zones with records of a TTL of 300 seconds; the resolver queries this server. */
export async function served(zonesByName: Readonly<Record<string, readonly Line[]>>) {
  const zones = new HostedZones();
  for (const [name, lines] of Object.entries(zonesByName)) {
    const { zone } = zones.add({ name, callerReference: name });
    const added = lines.map(([owner, type, ...values]) => ({ name: owner, type, ttlSeconds: 300, values }));
    zones.replaceRecordSets(zone.id, [...zone.recordSets, ...added]);
  }
  const server = await startDnsServer(zones);
  onTestFinished(server.stop);
  const resolver = new promises.Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([server.address]);
  return { zones, server, resolver };
}

export const portOf = ({ address }: { address: string }) => Number(address.split(':')[1]);

/** Sends a query over UDP with exactly these flags and returns the response. */
export async function asked(port: number, name: string, type: QueryType, flags = 0) {
  const socket = createSocket('udp4');
  socket.send(encode({ type: 'query', id: 7, flags, questions: [{ name, type }] }), port, '127.0.0.1');
  const [message] = await once(socket, 'message');
  socket.close();
  return decode(message);
}

/** The bits of a response's flags that are its code. */
export const RESPONSE_CODE = 0xf;
