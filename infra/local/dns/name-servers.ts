import { nameServers } from '../route53/delegation-set.ts';
import { normalizedName } from '../route53/domain-name.ts';
import type { HostedZone, HostedZones } from '../route53/hosted-zones.ts';
import { authoritativeReply } from './authoritative-reply.ts';
import type { DnsFaults } from './dns-faults.ts';
import { type DnsListener, startDnsListener } from './dns-listener.ts';
import { emptyReply, type Question, type Reply } from './dns-reply.ts';

/**
 * The name servers of the hosted zones: one per zone, on a port of its own, which answers for that zone alone. The four
 * names of a delegation set share its address. A server is started when its address is first asked for.
 */
export class NameServers {
  readonly #zones: HostedZones;
  readonly #faults: DnsFaults;
  readonly #listenerByZoneId = new Map<string, Promise<DnsListener>>();

  constructor(zones: HostedZones, faults: DnsFaults) {
    this.#zones = zones;
    this.#faults = faults;
  }

  /** The reply of the server of a zone. The server of a deleted zone refuses everything. */
  reply(zoneId: string, question: Question): Reply | 'silence' {
    const zone = this.#zones.find(zoneId);
    if (zone === undefined) return emptyReply('REFUSED');
    const fault = this.#faultOf(zone, question);
    if (fault === 'silence') return fault;
    return fault === 'SERVFAIL' || fault === 'REFUSED'
      ? emptyReply(fault)
      : authoritativeReply(zone, question);
  }

  /** The zones whose delegation sets have this name server, which is in Route 53's form. */
  zonesAt(nameServer: string): HostedZone[] {
    return this.#zones.list().filter(({ id }) => nameServers(id).some(name => `${name}.` === nameServer));
  }

  /** The port of a zone's server. */
  async portOf(zoneId: string): Promise<number> {
    const listener = this.#listenerByZoneId.get(zoneId) ?? this.#start(zoneId);
    this.#listenerByZoneId.set(zoneId, listener);
    return (await listener).port;
  }

  async stop(): Promise<void> {
    const listeners = await Promise.all(this.#listenerByZoneId.values());
    await Promise.all(listeners.map(({ stop }) => stop()));
  }

  #start(zoneId: string): Promise<DnsListener> {
    return startDnsListener({
      isRecursive: false,
      reply: async question => this.reply(zoneId, question),
      isTruncated: question => {
        const zone = this.#zones.find(zoneId);
        return zone !== undefined && this.#faultOf(zone, question) === 'truncation';
      },
    });
  }

  #faultOf(zone: HostedZone, { name }: Question) {
    return this.#faults.at(zone.name, normalizedName(name) ?? name);
  }
}
