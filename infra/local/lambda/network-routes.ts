/**
 * Routes the connections of a function to this machine. On AWS a function queries DNS servers at their public addresses:
 *
 *   8.8.8.8, 8.8.4.4                 the second local resolver
 *   1.1.1.1, 1.0.0.1, 9.9.9.9, and
 *   the resolver of the machine      the first local resolver
 *   127.53.a.b                       127.0.0.1, port a × 256 + b: the name server of a hosted zone
 *   any other address                nothing: no DNS query leaves this machine
 */
import * as dgram from 'node:dgram';
import * as dns from 'node:dns';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import * as net from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import type { EdgeRoute } from './execution-environment.ts';

const DNS_PORT = 53;
const FIRST_RESOLVER = ['1.1.1.1', '1.0.0.1', '9.9.9.9', '2606:4700:4700::1111', '2606:4700:4700::1001'];
const SECOND_RESOLVER = ['8.8.8.8', '8.8.4.4', '2001:4860:4860::8888', '2001:4860:4860::8844'];

/** Nothing listens at this port (discard) of the loopback interface. */
const NOWHERE = '127.0.0.1:9';

/** The addresses of the two local resolvers, such as 127.0.0.1:5353. */
export type LocalResolvers = readonly [string, string];

/** Where a function reaches the DNS server at an address, which may have a port. A server on this machine is itself. */
export function dnsRoute(server: string, [first, second]: LocalResolvers): string {
  const host = server.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (FIRST_RESOLVER.includes(host)) return first;
  if (SECOND_RESOLVER.includes(host)) return second;
  const [, high, low] = /^127\.53\.(\d+)\.(\d+)$/.exec(host) ?? [];
  if (high !== undefined) return `127.0.0.1:${Number(high) * 256 + Number(low)}`;
  return host === '127.0.0.1' && server !== host ? server : NOWHERE;
}

/** Routes the queries of node:dns, and what is sent to port 53 over UDP or TCP. */
export function routeDns(resolvers: LocalResolvers): void {
  routeResolvers(resolvers);
  routeSockets(resolvers);
}

/**
 * The function does not notice that its resolvers are routed: Node.js validates the servers that it sets, and getServers
 * returns them. dns.lookup, which asks the operating system, is not changed.
 */
function routeResolvers(resolvers: LocalResolvers): void {
  const atStart = dns.getServers();
  const [first] = resolvers;
  const Original = dns.Resolver;
  function checked(servers: readonly string[]): string[] {
    const resolver = new Original();
    resolver.setServers(servers);
    return resolver.getServers();
  }
  const routes = (servers: readonly string[]) => servers.map(server => dnsRoute(server, resolvers));

  function routed(Base: typeof dns.Resolver) {
    return class Resolver extends Base {
      #servers = atStart;
      override getServers = () => [...this.#servers];
      override setServers = (servers: readonly string[]) => {
        this.#servers = checked(servers);
        Base.prototype.setServers.call(this, routes(servers));
      };
      constructor(options?: dns.ResolverOptions) {
        super(options);
        Base.prototype.setServers.call(this, [first]);
      }
    };
  }

  const module = createRequire(import.meta.url)('node:dns');
  const { promises } = module;
  const setServersOfModule = module.setServers;
  module.Resolver = routed(module.Resolver);
  promises.Resolver = routed(promises.Resolver);
  // The functions of the module itself, such as dns.resolve4, have their servers in common.
  let servers = atStart;
  // Node.js replaces getServers and setServers of both modules whenever the servers are set.
  const setRoutes = (to: readonly string[]) => {
    setServersOfModule(to);
    Object.assign(module, ofModule);
    Object.assign(promises, ofModule);
    syncBuiltinESMExports();
  };
  const ofModule = {
    getServers: () => [...servers],
    setServers: (given: readonly string[]) => {
      servers = checked(given);
      setRoutes(routes(given));
    },
  };
  setRoutes([first]);
}

/** What the callers of the patched methods pass, in their many forms. */
type Arguments = unknown[];

/** Routes what is sent to port 53 over UDP or TCP. The returned function ends this. */
export function routeSockets(resolvers: LocalResolvers): () => void {
  const routed = (port: unknown, host: unknown): { port: number; host: string } | undefined => {
    if (Number(port) !== DNS_PORT || typeof host !== 'string') return undefined;
    const [to = '', toPort] = dnsRoute(host, resolvers).split(':');
    return { host: to, port: Number(toPort) };
  };

  const udp = dgram.Socket.prototype as unknown as Record<
    'connect' | 'send',
    (...args: Arguments) => unknown
  >;
  const { connect: connectUdp, send } = udp;
  udp.connect = function (port, host, ...rest) {
    const route = routed(port, host);
    return connectUdp.call(this, route?.port ?? port, route?.host ?? host, ...rest);
  };
  udp.send = function (...args) {
    // (message, port, address) or (message, offset, length, port, address)
    const at = args.findIndex((argument, index) => index >= 2 && typeof argument === 'string');
    const route = at < 0 ? undefined : routed(args[at - 1], args[at]);
    return send.apply(this, route ? args.with(at - 1, route.port).with(at, route.host) : args);
  };

  const tcp = net.Socket.prototype as unknown as Record<'connect', (...args: Arguments) => unknown>;
  const { connect: connectTcp } = tcp;
  tcp.connect = function (...args) {
    const [first, host] = args;
    if (typeof first !== 'object' || first === null) {
      const route = routed(first, host);
      return connectTcp.apply(this, route ? args.with(0, route.port).with(1, route.host) : args);
    }
    // net.connect passes its arguments on as one array, whose first element is the options.
    const options = (Array.isArray(first) ? first[0] : first) as { port?: unknown; host?: unknown };
    const route = routed(options.port, options.host);
    if (route) {
      if (Array.isArray(first)) first[0] = { ...options, ...route };
      else args[0] = { ...options, ...route };
    }
    return connectTcp.apply(this, args);
  };

  return () => {
    Object.assign(udp, { connect: connectUdp, send });
    tcp.connect = connectTcp;
  };
}

/**
 * Routes the HTTPS connections of a function to port 443 of this machine, where custom domains resolve to, to the edge,
 * and lets them trust the local certificate authority. All other connections are left as they are.
 */
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

const NAMES = /^(localhost|0\.0\.0\.0|::1?|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Whether a program reaches this machine by a host name or address. */
export const isThisMachine = (host: string): boolean => NAMES.test(host);
