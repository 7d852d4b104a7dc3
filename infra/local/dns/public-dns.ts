import { nameServerAddress } from '../host/public-addresses.ts';
import { type AddressesOf, awsAddresses, isNameServer } from '../route53/aws-names.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import { type DnsListener, startDnsListener } from './dns-listener.ts';
import { emptyReply, type Question, type Reply, type Responder } from './dns-message.ts';
import { DnsFaults, NameServers, type Zones } from './name-servers.ts';
import { RecursiveResolver } from './recursive-resolver.ts';

/** The part of public DNS that concerns these zones. */
export interface PublicDns {
  /** Two public resolvers, each with its own cache. */
  readonly resolvers: readonly [RecursiveResolver, RecursiveResolver];
  /** Nobody else fills its cache. */
  readonly resolverOfAcm: RecursiveResolver;
  readonly nameServers: NameServers;
  readonly faults: DnsFaults;
  /** A resolver that has nothing in its cache yet. */
  newResolver(): RecursiveResolver;
}

/** `addressesOf` says the addresses of names that are in no zone here, and of what zones have aliases of. */
export function publicDns(
  zones: Zones,
  addressesOf: AddressesOf,
  { now, waitScale }: Pick<Surroundings, 'now' | 'waitScale'>,
): PublicDns {
  const faults = new DnsFaults(now);
  const nameServers = new NameServers(zones, faults, addressesOf);
  const newResolver = () => new RecursiveResolver({ zones, nameServers, addressesOf, waitScale, now });
  const resolvers = [newResolver(), newResolver()] as const;
  return { resolvers, resolverOfAcm: newResolver(), nameServers, faults, newResolver };
}

interface DnsServersOptions extends Partial<Surroundings> {
  /** The port of the first resolver; any free one by default. */
  readonly port?: number;
}

/** A resolver that serves UDP and TCP, for example at 127.0.0.1:5353. */
interface ServedResolver {
  readonly address: string;
  readonly resolver: RecursiveResolver;
}

export interface DnsServers {
  /** Functions reach them at 1.1.1.1 and at 8.8.8.8. */
  readonly resolvers: readonly [ServedResolver, ServedResolver];
  readonly resolverOfAcm: RecursiveResolver;
  readonly faults: DnsFaults;
  /** The port of a zone's name server. */
  portOf(zoneId: string): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts DNS servers: two recursive resolvers, and for each zone a name server on its own port. The four names of a
 * delegation set share its IP address. A name server is started when its address is first needed.
 */
export async function startDnsServers(
  zones: Zones,
  { port = 0, ...given }: DnsServersOptions = {},
): Promise<DnsServers> {
  const listeners: DnsListener[] = [];
  const listening = async (responder: Responder, at?: number): Promise<DnsListener> => {
    const listener = await startDnsListener(responder, at);
    listeners.push(listener);
    return listener;
  };
  const portByZoneId = new Map<string, number>();
  const starts = new Map<string, Promise<number>>();
  const start = async (zoneId: string): Promise<number> => {
    const listener = await listening({
      isRecursive: false,
      reply: async question => nameServers.reply(zoneId, question),
      isTruncated: question => nameServers.isTruncating(zoneId, question),
    });
    portByZoneId.set(zoneId, listener.port);
    return listener.port;
  };
  const portOf = (zoneId: string): Promise<number> => {
    const started = starts.get(zoneId) ?? start(zoneId);
    starts.set(zoneId, started);
    return started;
  };
  const addressesOf: AddressesOf = (name, type) => {
    if (type !== 'A' || !isNameServer(name)) return awsAddresses(name, type);
    const [zone] = nameServers.zonesAt(name);
    if (zone === undefined) return [];
    const known = portByZoneId.get(zone.id);
    if (known === undefined) throw new NotStartedYet(zone.id);
    return [nameServerAddress(known)];
  };
  const { resolvers, resolverOfAcm, nameServers, faults } = publicDns(
    zones,
    addressesOf,
    surroundings(given),
  );
  const resolve = async (resolver: RecursiveResolver, question: Question): Promise<Reply | 'silence'> => {
    try {
      return resolver.resolve(question);
    } catch (error) {
      if (!(error instanceof NotStartedYet)) throw error;
      await portOf(error.zoneId);
      return resolve(resolver, question);
    }
  };
  const served = async (resolver: RecursiveResolver, at?: number): Promise<ServedResolver> => {
    const { address } = await listening(
      {
        isRecursive: true,
        reply: async (question, isRecursionDesired) =>
          isRecursionDesired ? resolve(resolver, question) : emptyReply('REFUSED'),
      },
      at,
    );
    return { address, resolver };
  };
  const first = await served(resolvers[0], port);
  return {
    resolvers: [first, await served(resolvers[1])],
    resolverOfAcm,
    faults,
    portOf,
    stop: async () => {
      await Promise.all(starts.values());
      await Promise.all(listeners.map(({ stop }) => stop()));
    },
  };
}

/** The address of a name server is needed that isn't started. */
class NotStartedYet extends Error {
  override readonly name = 'NotStartedYet';
  readonly zoneId: string;

  constructor(zoneId: string) {
    super(`The name server of ${zoneId} isn't started yet.`);
    this.zoneId = zoneId;
  }
}
