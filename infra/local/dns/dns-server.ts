import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { LocalRuntimeError } from '../local-runtime-error.ts';
import type { HostedZones } from '../route53/hosted-zones.ts';
import { DnsFaults } from './dns-faults.ts';
import { respond } from './dns-message.ts';
import { DnsResolution } from './resolution.ts';

export interface DnsServer {
  /** For example 127.0.0.1:5353, for UDP and TCP. */
  readonly address: string;
  readonly faults: DnsFaults;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const IDLE_CONNECTION_MS = 10_000;

/** A port that is free for TCP may be in use for UDP: then another one is tried. */
const ATTEMPTS = 20;

/** Over TCP, a message is preceded by its length in two bytes. */
const LENGTH_BYTES = 2;

/** Serves the hosted zones and the names of AWS over UDP and TCP. Port 0 is any free port. */
export async function startDnsServer(zones: HostedZones, port = 0): Promise<DnsServer> {
  const faults = new DnsFaults();
  const resolution = new DnsResolution(zones, faults);
  const { tcp, udp } = await listen(port);
  const connections = new Set<Socket>();

  udp.on('message', (message, { address, port: from }) => {
    const response = respond(resolution, message, 'udp');
    if (response !== undefined) udp.send(response, from, address);
  });
  // An error of one client must not end the service for the others.
  udp.on('error', () => {});

  tcp.on('connection', connection => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => connection.destroy());
    connection.setTimeout(IDLE_CONNECTION_MS, () => connection.destroy());
    receive(connection, message => respond(resolution, message, 'tcp'));
  });

  return {
    address: `${HOST}:${(tcp.address() as AddressInfo).port}`,
    faults,
    stop: async () => {
      const closed = [once(tcp, 'close'), once(udp, 'close')];
      tcp.close();
      udp.close();
      for (const connection of connections) connection.destroy();
      await Promise.all(closed);
    },
  };
}

function receive(connection: Socket, answer: (message: Buffer) => Buffer | undefined): void {
  let received = Buffer.alloc(0);
  connection.on('data', chunk => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + received.readUInt16BE();
      if (received.length < end) return;
      const response = answer(received.subarray(LENGTH_BYTES, end));
      received = received.subarray(end);
      if (response !== undefined) {
        const length = Buffer.alloc(LENGTH_BYTES);
        length.writeUInt16BE(response.length);
        connection.write(Buffer.concat([length, response]));
      }
    }
  });
}

async function listen(port: number): Promise<{ tcp: Server; udp: UdpSocket }> {
  for (let attempt = 1; ; attempt++) {
    const tcp = createServer();
    const udp = createSocket('udp4');
    try {
      tcp.listen(port, HOST);
      await once(tcp, 'listening');
      udp.bind((tcp.address() as AddressInfo).port, HOST);
      await once(udp, 'listening');
      return { tcp, udp };
    } catch (cause) {
      tcp.close();
      udp.close();
      if (port !== 0 || attempt === ATTEMPTS) {
        const reason = `(${(cause as NodeJS.ErrnoException).code})`;
        throw new LocalRuntimeError(`Port ${port} cannot be used for DNS ${reason}: choose another.`, {
          cause,
        });
      }
    }
  }
}
