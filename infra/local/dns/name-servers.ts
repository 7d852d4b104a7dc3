import { type AddressesOf, nameServers } from '../route53/aws-names.ts';
import { normalizedName } from '../route53/domain-name.ts';
import type { HostedZone, HostedZones } from '../route53/hosted-zones.ts';
import type { Surroundings } from '../surroundings.ts';
import { authoritativeReply } from './authoritative-reply.ts';
import { emptyReply, type Question, type Reply } from './dns-message.ts';

/** The zones that are in DNS. */
export type Zones = Pick<HostedZones, 'list' | 'find'>;

/** The name servers of the hosted zones: one per zone, which answers for that zone only, under the four names of its delegation set. */
export class NameServers {
  readonly #zones: Zones;
  readonly #faults: DnsFaults;
  readonly #addressesOf: AddressesOf;

  constructor(zones: Zones, faults: DnsFaults, addressesOf: AddressesOf) {
    this.#zones = zones;
    this.#faults = faults;
    this.#addressesOf = addressesOf;
  }

  /** The reply of the server of a zone. The server of a deleted zone refuses everything. */
  reply(zoneId: string, question: Question): Reply | 'silence' {
    const zone = this.#zones.find(zoneId);
    if (zone === undefined) return emptyReply('REFUSED');
    const fault = this.#faultOf(zone, question);
    if (fault === 'silence') return fault;
    return fault === 'SERVFAIL' || fault === 'REFUSED'
      ? emptyReply(fault)
      : authoritativeReply(zone, question, this.#addressesOf);
  }

  /** Whether the server of a zone truncates the response to a question. */
  isTruncating(zoneId: string, question: Question): boolean {
    const zone = this.#zones.find(zoneId);
    return zone !== undefined && this.#faultOf(zone, question) === 'truncation';
  }

  /** The zones whose delegation sets have this name server, which is in Route 53's form. */
  zonesAt(nameServer: string): HostedZone[] {
    return this.#zones.list().filter(({ id }) => nameServers(id).some(name => `${name}.` === nameServer));
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
  readonly #now: Surroundings['now'];
  readonly #faultByName = new Map<string, DnsFault>();
  readonly #faultByZone = new Map<string, { readonly fault: DnsFault; readonly untilMs: number }>();

  constructor(now: Surroundings['now']) {
    this.#now = now;
  }

  /** Makes the server of the name's zone fail for this name only. */
  set(name: string, fault: DnsFault): void {
    this.#faultByName.set(key(name), fault);
  }

  /** Makes the server of a zone fail for all names, until it's cleared or this time is over. */
  setZone(zone: string, fault: DnsFault, ms = Number.POSITIVE_INFINITY): void {
    this.#faultByZone.set(key(zone), { fault, untilMs: this.#now() + ms });
  }

  /** Ends the faults of a name, as a name and as a zone. */
  clear(name: string): void {
    this.#faultByName.delete(key(name));
    this.#faultByZone.delete(key(name));
  }

  /** The fault of a zone's server for a name. Both are in Route 53's form. */
  at(zone: string, name: string): DnsFault | undefined {
    const { fault, untilMs = 0 } = this.#faultByZone.get(zone) ?? {};
    return untilMs > this.#now() ? fault : this.#faultByName.get(name);
  }
}

function key(name: string): string {
  return normalizedName(name) ?? name;
}
