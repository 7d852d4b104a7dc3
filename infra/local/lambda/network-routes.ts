/**
 * Routes the connections of a function to this machine. On AWS a function queries DNS servers at their public IP addresses,
 * and custom domains at port 443:
 *
 *   8.8.8.8, 8.8.4.4                   the second local resolver
 *   1.1.1.1, 1.0.0.1, 9.9.9.9, and
 *   the resolver of the machine        the first local resolver
 *   3.53.a.b                           127.0.0.1, port a × 256 + b: the name server of a hosted zone
 *   any other address at port 53       nothing: no DNS query leaves this machine
 *   3.4.4.3, HTTPS                     the edge, whose certificate authority is trusted there
 *   any IPv6 address, HTTPS            nothing: functions outside of a VPC have no IPv6
 *   3.43.a.b, HTTPS                    127.0.0.1, port a × 256 + b: a server with a certificate of that authority
 *
 * A module hook gives the function's code its own version of the Node.js modules that open such connections. Node.js itself is
 * not changed. Each version is built when a function imports the module: most functions never do.
 */
import type { Socket as UdpSocket } from 'node:dgram';
import type { Resolver as CallbackResolver, ResolverOptions } from 'node:dns';
import type { Agent as HttpsAgent, RequestOptions } from 'node:https';
import { registerHooks } from 'node:module';
import { EDGE_ADDRESSES, nameServerPort, webServerPort } from '../host/public-addresses.ts';
import type { EdgeRoute, FunctionNetwork } from './execution-environment.ts';

const DNS_PORT = 53;
const HTTPS_PORT = 443;
const FIRST_RESOLVER = ['1.1.1.1', '1.0.0.1', '9.9.9.9', '2606:4700:4700::1111', '2606:4700:4700::1001'];
const SECOND_RESOLVER = ['8.8.8.8', '8.8.4.4', '2001:4860:4860::8888', '2001:4860:4860::8844'];
/** Nothing listens on this port (discard) of the loopback interface. */
const NOWHERE = '127.0.0.1:9';

type Resolvers = FunctionNetwork['dnsResolvers'];

const routedModules = new Map<string, object>();

/** Gives all modules that are loaded from now on the routed versions of Node.js modules. */
export function routeNetwork(resolvers: Resolvers, edge: EdgeRoute | undefined): void {
  let dns: ReturnType<typeof routedDns> | undefined;
  const dnsModule = () => {
    dns ??= routedDns(resolvers);
    return dns;
  };
  const builders: Record<string, () => object> = {
    dgram: () => routedDgram(resolvers),
    dns: dnsModule,
    'dns/promises': () => dnsModule().promises,
    net: () => routedNet(resolvers),
    ...(edge && { https: () => routedHttps(edge) }),
  };
  registerHooks({
    resolve(specifier, context, next) {
      const name = specifier.replace(/^node:/, '');
      return Object.hasOwn(builders, name)
        ? { url: `routed:${name}`, format: 'module', shortCircuit: true }
        : next(specifier, context);
    },
    load(url, context, next) {
      const name = url.replace(/^routed:/, '');
      if (name === url) return next(url, context);
      const routed = builders[name]?.() ?? {};
      routedModules.set(name, routed);
      return { format: 'module', shortCircuit: true, source: moduleSource(name, Object.keys(routed)) };
    },
  });
}

/** `import` gets the members of the routed module, `require` gets the module itself. */
function moduleSource(name: string, members: readonly string[]): string {
  return `import { routedModule } from '${import.meta.url}';
    const routed = routedModule('${name}');
    export { routed as default, routed as 'module.exports' };
    export const { ${members.filter(member => member !== 'default').join(', ')} } = routed;`;
}

/** Used by the source above. */
export function routedModule(name: string): object | undefined {
  return routedModules.get(name);
}

/** Where a function reaches the DNS server at an IP address, which may have a port. A server on this machine is itself. */
function dnsRoute(server: string, [first, second]: Resolvers): string {
  const host = server.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (FIRST_RESOLVER.includes(host)) return first;
  if (SECOND_RESOLVER.includes(host)) return second;
  const port = nameServerPort(host);
  if (port !== undefined) return `127.0.0.1:${port}`;
  return host === '127.0.0.1' && server !== host ? server : NOWHERE;
}

function socketRoute(port: unknown, host: unknown, resolvers: Resolvers) {
  if (Number(port) !== DNS_PORT || typeof host !== 'string') return undefined;
  const [to = '', toPort] = dnsRoute(host, resolvers).split(':');
  return { host: to, port: Number(toPort) };
}

/** What the callers of the routed functions pass, in their many forms. */
type Arguments = unknown[];
type Call = (...args: Arguments) => unknown;

/** node:dgram, whose sockets send to the routes. */
export function routedDgram(resolvers: Resolvers) {
  const dgram = process.getBuiltinModule('node:dgram');
  const routed = (socket: UdpSocket) => {
    const { connect, send } = socket as unknown as Record<'connect' | 'send', Call>;
    const overrides: Readonly<Record<string | symbol, Call>> = {
      connect(port, host, ...rest) {
        const route = socketRoute(port, host, resolvers);
        return connect.call(socket, route?.port ?? port, route?.host ?? host, ...rest);
      },
      send(...args) {
        // (message, port, address) or (message, offset, length, port, address)
        const at = args.findIndex((argument, index) => index >= 2 && typeof argument === 'string');
        const route = at < 0 ? undefined : socketRoute(args[at - 1], args[at], resolvers);
        return send.apply(socket, route ? args.with(at - 1, route.port).with(at, route.host) : args);
      },
    };
    return new Proxy(socket, {
      get: (target, name) => Reflect.get(Object.hasOwn(overrides, name) ? overrides : target, name),
    });
  };
  const createSocket = dgram.createSocket as (...args: Arguments) => UdpSocket;
  return { ...dgram, createSocket: (...args: Arguments) => routed(createSocket(...args)) };
}

/** node:net, whose sockets connect to the routes. */
export function routedNet(resolvers: Resolvers) {
  const net = process.getBuiltinModule('node:net');
  const routed = (args: Arguments): Arguments => {
    const [first, host] = args;
    if (typeof first !== 'object' || first === null) {
      const route = socketRoute(first, host, resolvers);
      return route ? args.with(0, route.port).with(1, route.host) : args;
    }
    const options = first as { port?: unknown; host?: unknown };
    return args.with(0, { ...options, ...socketRoute(options.port, options.host, resolvers) });
  };
  class Socket extends net.Socket {
    override connect(...args: Arguments): this {
      return (super.connect as (...routedArgs: Arguments) => this).apply(this, routed(args));
    }
  }
  const connect = (...args: Arguments) => (net.connect as Call)(...routed(args));
  return { ...net, Socket, connect, createConnection: connect };
}

/**
 * node:dns, whose resolvers query the routes. A function does not notice: Node.js validates the servers that it sets, and
 * getServers returns them. dns.lookup, which asks the operating system, is not changed.
 */
function routedDns(resolvers: Resolvers) {
  const dns = process.getBuiltinModule('node:dns');
  const [first] = resolvers;
  const servers = dns.getServers();
  const routed = (Base: typeof CallbackResolver) =>
    class Resolver extends Base {
      #servers = servers;
      constructor(options?: ResolverOptions) {
        super(options);
        Base.prototype.setServers.call(this, [first]);
      }
      override getServers = () => [...this.#servers];
      override setServers = (given: readonly string[]) => {
        Base.prototype.setServers.call(this, given);
        this.#servers = Base.prototype.getServers.call(this);
        Base.prototype.setServers.call(
          this,
          given.map(server => dnsRoute(server, resolvers)),
        );
      };
    };
  const setServers = () => {
    throw new Error('The local AWS does not support dns.setServers: use a Resolver.');
  };
  // For the functions of the module itself, such as dns.resolve4.
  dns.setServers([first]);
  const PromisesResolver = routed(dns.promises.Resolver as unknown as typeof CallbackResolver);
  return {
    ...dns,
    Resolver: routed(dns.Resolver),
    setServers,
    promises: { ...dns.promises, Resolver: PromisesResolver, setServers },
  };
}

/** node:https, whose agents connect to the edge, and to other servers on this machine. */
export function routedHttps(edge: EdgeRoute) {
  const https = process.getBuiltinModule('node:https');
  const routeTo = (address = '') => {
    const port = webServerPort(address);
    if (port !== undefined) return { host: '127.0.0.1', port };
    return address === EDGE_ADDRESSES.A ? { host: '127.0.0.1', port: edge.port } : undefined;
  };
  class Agent extends https.Agent {
    override createConnection(...[options, callback]: Parameters<HttpsAgent['createConnection']>) {
      if (options.host?.includes(':')) {
        const error = Object.assign(new Error('There is no route.'), { code: 'ENETUNREACH' });
        callback?.(error, undefined as never);
        return null;
      }
      const route = Number(options.port) === HTTPS_PORT ? routeTo(options.host ?? undefined) : undefined;
      const { authority: ca } = edge;
      return super.createConnection(route ? { ...options, ...route, ca } : options, callback);
    }
  }
  const globalAgent = new Agent();
  const request = (...args: Arguments) => {
    // (options, callback), (url, callback) or (url, options, callback)
    const at = args.findIndex(argument => typeof argument === 'object' && !(argument instanceof URL));
    const { agent, ...options } = (args[at] ?? {}) as RequestOptions;
    const routed = { ...options, agent: agent === false ? new Agent() : (agent ?? globalAgent) };
    return (https.request as Call)(...(at < 0 ? args.toSpliced(1, 0, routed) : args.with(at, routed)));
  };
  const get = (...args: Arguments) => (request(...args) as ReturnType<typeof https.request>).end();
  return { ...https, Agent, globalAgent, request, get };
}
