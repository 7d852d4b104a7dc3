import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * The addresses of this machine at which a port takes connections, besides those that only its own programs reach and every
 * server of ours uses. All of 127.0.0.0/8 is this machine on Linux, so one of them shows a server that listens everywhere,
 * also without a network.
 */
export async function reachableElsewhere(port: number): Promise<string[]> {
  const others = Object.values(networkInterfaces()).flatMap(addresses =>
    (addresses ?? []).filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address),
  );
  const reached = await Promise.all(['127.0.0.2', ...others].map(host => isReached(port, host)));
  return reached.flatMap(address => address ?? []);
}

function isReached(port: number, host: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(host)).once('error', () => resolve(undefined));
    socket.once('connect', () => socket.destroy());
  });
}
