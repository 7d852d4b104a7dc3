import type { HostedZones } from '../route53/hosted-zones.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import { type DnsListener, startDnsListener } from './dns-listener.ts';
import { DnsFaults, NameServers } from './name-servers.ts';
import { RecursiveResolver } from './recursive-resolver.ts';

interface PublicDnsOptions extends Partial<Surroundings> {
  /** The port of the first resolver; any free one by default. */
  readonly port?: number;
}

/** A resolver that serves UDP and TCP, for example at 127.0.0.1:5353. */
interface ServedResolver {
  readonly address: string;
  readonly resolver: RecursiveResolver;
}

export interface PublicDns {
  /** Two public resolvers, each with its own cache: functions reach them at 1.1.1.1 and at 8.8.8.8. */
  readonly resolvers: readonly [ServedResolver, ServedResolver];
  readonly nameServers: NameServers;
  readonly faults: DnsFaults;
  stop(): Promise<void>;
}

/** Starts the part of public DNS that concerns the hosted zones: their name servers, and two recursive resolvers. */
export async function startPublicDns(
  zones: HostedZones,
  { port = 0, ...given }: PublicDnsOptions = {},
): Promise<PublicDns> {
  const { now, waitScale } = surroundings(given);
  const faults = new DnsFaults();
  const nameServers = new NameServers(zones, faults);
  const listeners: DnsListener[] = [];
  const served = async (at: number): Promise<ServedResolver> => {
    const resolver = new RecursiveResolver({ zones, nameServers, waitScale, now });
    const listener = await startDnsListener(resolver, at);
    listeners.push(listener);
    return { address: listener.address, resolver };
  };
  const first = await served(port);
  return {
    resolvers: [first, await served(0)],
    nameServers,
    faults,
    stop: async () => {
      await Promise.all(listeners.map(({ stop }) => stop()));
      await nameServers.stop();
    },
  };
}
