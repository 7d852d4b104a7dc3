import { createHash } from 'node:crypto';
import type { Question, Reply } from '../dns/dns-message.ts';
import type { Zones } from '../dns/name-servers.ts';
import { type PublicDns, publicDns } from '../dns/public-dns.ts';
import { type AddressesOf, initialRecordSets, isAwsName } from '../route53/aws-names.ts';
import { isWithin } from '../route53/domain-name.ts';
import type { HostedZone } from '../route53/hosted-zones.ts';
import type { RecordSet } from '../route53/record-set.ts';
import type { Surroundings } from '../surroundings.ts';
import { MINUTE_MS } from './virtual-time.ts';

/** The types of records that owners create. An ALIAS has the addresses of its value. */
export type OwnerRecordType = 'A' | 'AAAA' | 'ALIAS' | 'CAA' | 'CNAME' | 'TXT';

/** What resolvers may keep: the records of owners, their addresses, and that there is none. */
const TTL_SECONDS = 3600;
const ADDRESS_TTL_SECONDS = 60;
const NEGATIVE_TTL_SECONDS = 300;

/** The zones that owners have at other DNS providers. They may be within each other. */
export class OwnersZones implements Zones {
  readonly #names: readonly string[];
  readonly #records = new Map<string, Map<string, readonly string[]>>();
  /** The zones as they are in DNS, but for those that were changed. */
  readonly #zones = new Map<string, HostedZone>();

  /** Names here have no trailing dot. */
  constructor(names: readonly string[]) {
    this.#names = names;
    for (const name of names) this.#records.set(name, new Map());
  }

  list(): HostedZone[] {
    return this.#names.map(name => {
      const zone = this.#zones.get(name) ?? this.#zoneOf(name);
      this.#zones.set(name, zone);
      return zone;
    });
  }

  find(id: string): HostedZone | undefined {
    return this.list().find(zone => zone.id === id);
  }

  /** The values of a record. */
  values(name: string, type: OwnerRecordType): readonly string[] {
    return this.#recordsOf(name).get(`${type} ${name}`) ?? [];
  }

  /** Replaces a record, or deletes it if it's to have no values. */
  set(name: string, type: OwnerRecordType, ...values: string[]): void {
    const records = this.#recordsOf(name);
    if (values.length > 0) records.set(`${type} ${name}`, values);
    else records.delete(`${type} ${name}`);
    this.#zones.delete(this.#closest(name));
  }

  /** The closest zone that has a name. */
  #closest(name: string): string {
    const enclosing = this.#names.filter(zone => isWithin(name, zone));
    const [closest] = enclosing.toSorted((left, right) => right.length - left.length);
    if (closest === undefined) throw new Error(`No owner has a zone for ${name}.`);
    return closest;
  }

  #recordsOf(name: string): Map<string, readonly string[]> {
    return this.#records.get(this.#closest(name)) ?? new Map();
  }

  #zoneOf(zone: string): HostedZone {
    const id = `owner's ${zone}`;
    const [ns, soa] = initialRecordSets(id, `${zone}.`) as [RecordSet, RecordSet];
    const below = this.#names.filter(name => name !== zone && isWithin(name, zone));
    const delegations = below.map(name => initialRecordSets(`owner's ${name}`, `${name}.`)[0] as RecordSet);
    const own = [...(this.#records.get(zone) ?? [])].flatMap(([key, values]) => {
      const [type, name = ''] = key.split(' ') as [OwnerRecordType, string];
      return recordSets(`${name}.`, type, values);
    });
    const recordsOfZone = [ns, { ...soa, ttlSeconds: NEGATIVE_TTL_SECONDS }, ...delegations, ...own];
    return { id, name: `${zone}.`, callerReference: id, recordSets: recordsOfZone };
  }
}

function recordSets(name: string, type: OwnerRecordType, values: readonly string[]): RecordSet[] {
  if (type === 'ALIAS') {
    const [target] = values;
    const aliasTarget = { hostedZoneId: '', dnsName: `${target}.`, evaluateTargetHealth: false };
    return (['A', 'AAAA'] as const).map(address => ({ name, type: address, values: [], aliasTarget }));
  }
  const ttlSeconds = type === 'A' || type === 'AAAA' ? ADDRESS_TTL_SECONDS : TTL_SECONDS;
  return [{ name, type, ttlSeconds, values: type === 'TXT' ? values.map(value => `"${value}"`) : values }];
}

/** The addresses of IPv6 that the hosts of AWS share, and how long a host has the same ones. */
export const AWS_POOL: readonly string[] = [1, 2, 3, 4, 5, 6].map(last => `2600:1f18::${last}`);
const SAMPLED = 2;
const SAMPLED_MS = 10 * MINUTE_MS;

/** Public DNS on a virtual clock: the zones of the account and those of owners, and the hosts of AWS. */
export class VirtualDns {
  readonly owners: OwnersZones;
  readonly resolvers: PublicDns['resolvers'];
  readonly resolverOfAcm: PublicDns['resolverOfAcm'];
  readonly nameServers: PublicDns['nameServers'];
  readonly faults: PublicDns['faults'];
  /** Whether the hosts of AWS have IPv6 addresses, too: a few of a pool at a time, others later. */
  isDualStack = false;
  readonly #dns: PublicDns;
  readonly #zones: Zones;
  readonly #now: Surroundings['now'];

  constructor(account: Zones, owners: readonly string[], surroundings: Surroundings) {
    this.owners = new OwnersZones(owners);
    this.#now = surroundings.now;
    this.#zones = {
      list: () => [...account.list(), ...this.owners.list()],
      find: id => account.find(id) ?? this.owners.find(id),
    };
    this.#dns = publicDns(this.#zones, this.#addressesOf, surroundings);
    this.resolvers = this.#dns.resolvers;
    this.resolverOfAcm = this.#dns.resolverOfAcm;
    this.nameServers = this.#dns.nameServers;
    this.faults = this.#dns.faults;
  }

  /** What a resolver finds that has nothing in its cache. */
  ask(question: Question): Reply | 'silence' {
    return this.#dns.newResolver().resolve(question);
  }

  /** The zones that have a name, the closest one first. */
  zonesOf(name: string): HostedZone[] {
    const enclosing = this.#zones.list().filter(zone => isWithin(`${name}.`, zone.name));
    return enclosing.toSorted((left, right) => right.name.length - left.name.length);
  }

  /** The provider of an ALIAS asks for the addresses of its value by itself. */
  readonly #addressesOf: AddressesOf = (name, type) => {
    if (isAwsName(name)) return this.#addressesOfHost(name.slice(0, -1), type);
    if (this.zonesOf(name.slice(0, -1)).length === 0) return [];
    const reply = this.ask({ name, type });
    const answers = reply === 'silence' ? [] : reply.answers;
    return answers.flatMap(answer => (answer.type === 'A' || answer.type === 'AAAA' ? [answer.data] : []));
  };

  #addressesOfHost(host: string, type: string): readonly string[] {
    if (type === 'A') return [addressOf(host)];
    if (type !== 'AAAA' || !this.isDualStack) return [];
    const first = host.length + Math.floor(this.#now() / SAMPLED_MS);
    return Array.from({ length: SAMPLED }, (_, index) => AWS_POOL[(first + index) % AWS_POOL.length] ?? '');
  }
}

const addresses = new Map<string, string>();

/** The IPv4 address of a host of AWS, which no other host has. */
export function addressOf(host: string): string {
  const known = addresses.get(host);
  if (known !== undefined) return known;
  const [first = 0, second = 0, third = 0] = createHash('sha256').update(host).digest();
  const address = `3.${first}.${second}.${third}`;
  addresses.set(host, address);
  return address;
}
