import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { LocalAwsError } from '../host/local-aws-error.ts';
import { type Responder, respond } from './dns-message.ts';

export interface DnsListener {
  readonly port: number;
  /** For example 127.0.0.1:5353, for UDP and TCP. */
  readonly address: string;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const IDLE_CONNECTION_MS = 10_000;

/** A port that is free for TCP may be in use for UDP: then another one is tried. */
const ATTEMPTS = 20;

/** Over TCP, a message is preceded by its length in two bytes. */
const LENGTH_BYTES = 2;

/** Answers DNS messages over UDP and TCP on one port of the loopback interface. Port 0 is any free port. */
export async function startDnsListener(responder: Responder, port = 0): Promise<DnsListener> {
  const { tcp, udp } = await listen(port);
  const connections = new Set<Socket>();
  let isStopped = false;

  udp.on('message', async (message, { address, port: from }) => {
    const response = await respond(responder, message, 'udp');
    if (response !== undefined && !isStopped) udp.send(response, from, address);
  });
  // An error of one client must not end the service for the others.
  udp.on('error', () => {});

  tcp.on('connection', connection => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => connection.destroy());
    connection.setTimeout(IDLE_CONNECTION_MS, () => connection.destroy());
    receive(connection, message => respond(responder, message, 'tcp'));
  });

  const { port: boundPort } = tcp.address() as AddressInfo;
  return {
    port: boundPort,
    address: `${HOST}:${boundPort}`,
    stop: async () => {
      isStopped = true;
      const closed = [once(tcp, 'close'), once(udp, 'close')];
      tcp.close();
      udp.close();
      for (const connection of connections) connection.destroy();
      await Promise.all(closed);
    },
  };
}

function receive(connection: Socket, responseTo: (message: Buffer) => Promise<Buffer | undefined>): void {
  let received = Buffer.alloc(0);
  connection.on('data', async chunk => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + received.readUInt16BE();
      if (received.length < end) return;
      const message = received.subarray(LENGTH_BYTES, end);
      received = received.subarray(end);
      const response = await responseTo(message);
      if (response !== undefined && !connection.destroyed) {
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
        throw new LocalAwsError(`Port ${port} cannot be used for DNS ${reason}: choose another.`, {
          cause,
        });
      }
    }
  }
}
