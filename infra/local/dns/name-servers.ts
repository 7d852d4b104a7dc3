import { nameServers } from '../route53/aws-names.ts';
import { normalizedName } from '../route53/domain-name.ts';
import type { HostedZone, HostedZones } from '../route53/hosted-zones.ts';
import { authoritativeReply } from './authoritative-reply.ts';
import { type DnsListener, startDnsListener } from './dns-listener.ts';
import { emptyReply, type Question, type Reply } from './dns-message.ts';

/**
 * The name servers of the hosted zones: one per zone, on its own port, which answers for that zone only. The four
 * names of a delegation set share its IP address. A server is started when its address is first needed.
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

/**
 * How a name server fails: it returns SERVFAIL, refuses a zone that was delegated to it (a lame delegation), does not respond
 * at all, or truncates every response over UDP, so that clients have to ask over TCP.
 */
type DnsFault = 'SERVFAIL' | 'REFUSED' | 'silence' | 'truncation';

/** The zones and names whose name servers fail. Tests set them. */
export class DnsFaults {
  readonly #faultByName = new Map<string, DnsFault>();
  readonly #faultByZone = new Map<string, DnsFault>();

  /** Makes the server of the name's zone fail for this name only. */
  set(name: string, fault: DnsFault): void {
    this.#faultByName.set(key(name), fault);
  }

  /** Makes the server of a zone fail for all names. */
  setZone(zone: string, fault: DnsFault): void {
    this.#faultByZone.set(key(zone), fault);
  }

  /** Ends the faults of a name, as a name and as a zone. */
  clear(name: string): void {
    this.#faultByName.delete(key(name));
    this.#faultByZone.delete(key(name));
  }

  /** The fault of a zone's server for a name. Both are in Route 53's form. */
  at(zone: string, name: string): DnsFault | undefined {
    return this.#faultByZone.get(zone) ?? this.#faultByName.get(name);
  }
}

function key(name: string): string {
  return normalizedName(name) ?? name;
}
