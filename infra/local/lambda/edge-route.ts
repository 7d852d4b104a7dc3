/**
 * Routes the HTTPS connections of a function to port 443 of this machine, where custom domains resolve to, to the edge,
 * and lets them trust the local certificate authority. All other connections are left as they are.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import type { EdgeRoute } from './function-network.ts';
import { isThisMachine } from './this-machine.ts';

const HTTPS_PORT = 443;

export function routeHttps({ port, authority }: EdgeRoute): void {
  const tls = createRequire(import.meta.url)('node:tls');
  const connect: (options: ConnectionOptions, ...rest: unknown[]) => TLSSocket = tls.connect;
  tls.connect = (options: ConnectionOptions, ...rest: unknown[]) => {
    const isRouted = Number(options.port) === HTTPS_PORT && isThisMachine(options.host ?? '');
    return connect(isRouted ? { ...options, port, ca: authority } : options, ...rest);
  };
  syncBuiltinESMExports();
}
