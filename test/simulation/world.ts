import {
  type Actor,
  AWS_POOL,
  type AwsEvent,
  addressOf,
  allowsAmazon,
  type CaaRecord,
  type Call,
  covers,
  divertTimers,
  type Fate,
  ONE_ATTEMPT,
  type Random,
  recordData,
  regionalDomainName,
  SECOND_MS,
  VirtualAws,
  type VirtualTime,
  type Weather,
} from '../../infra/local/simulation.ts';
import { ENVIRONMENT_TAG } from '../../shared/aws/ownership-tags.ts';
import { isPublicAddress } from '../../shared/domains/dns/ip-address.ts';
import type { Lookup } from '../../shared/domains/dns/lookup.ts';
import type { VantagePoints } from '../../shared/domains/dns/vantage-points.ts';
import { DOMAINS_TABLE } from '../../shared/domains/life/domain.ts';
import {
  type Ending,
  type Observed,
  observe,
  type Reach,
  type Reached,
  verdictOf,
} from '../../shared/domains/reach.ts';
import { forgetProjects } from './claims-view.ts';
import { divertClients } from './clients.ts';
import { DEPLOYED, ENVIRONMENTS } from './deployed.ts';
import { WorldDns } from './dns.ts';
import { Environment } from './environment.ts';
import { serviceIn, TABLES, ZONES } from './service.ts';

/** The zones that owners have at their DNS providers. The second one is delegated by the first. */
const OWNERS_ZONES = ['zoo.com', 'dev.zoo.com', 'elsewhere.test'];

/** A project that is published at an API which isn't the service's own. */
const UNPROVABLE = 'beta';

/** The fields of calls and items that the trace shows. */
const TRACED_FIELDS = [
  'domain',
  'id',
  'requestId',
  'domainName',
  'DomainName',
  'CertificateArn',
  'certificateArn',
  'restApiId',
  'Name',
  'Value',
  'Action',
  'Type',
  'name',
  'executionArn',
  'StartRecordName',
  'revision',
  'attempt',
  'status',
  'phase',
  'reason',
  'DetailType',
  'nextSlotMs',
];

/** The world that the code of the service is in at the moment. There is one at a time, as there is one process. */
let current: World;

divertClients((...call) => current.send(...call));
divertTimers(() => current);

const surroundings = {
  now: () => current.time.nowMs,
  vantagePoints: (domain: string) =>
    current.send('dns', 'Ask', domain, ONE_ATTEMPT) as Promise<VantagePoints>,
  resolvers: ([0, 1] as const).map(
    (index): Lookup =>
      (name, type) =>
        current.dns.resolver(index)(name, type),
  ),
  reach: async (
    gatewayAddresses: () => Promise<ReadonlySet<string>>,
    ...[domain, { serials }, edgeHost, published = [], options]: Parameters<Reach>
  ): Promise<Observed> => {
    const seen = new Set<string>();
    const observed = await observe(edgeHost, [domain, ...published], {
      ...options,
      resolvers: surroundings.resolvers,
      gatewayAddresses,
      requestAll: (addresses, ours) => {
        for (const address of addresses) if (!ours.includes(address)) seen.add(address);
        const input = { domain, serials, addresses };
        return current.send('https', 'Get', input, ONE_ATTEMPT) as Promise<readonly Ending[]>;
      },
    });
    if (observed.visitors.kind === 'reached') current.noteReached(domain, seen);
    return observed;
  },
};
/** Building the clients of the SDK is slow, so all worlds share them. */
const services = {
  staging: serviceIn('staging', surroundings),
  production: serviceIn('production', surroundings),
};

/** All look-ups of a check together take at most this long, however silent the servers are. */
const DNS_BUDGET_MS = 10 * SECOND_MS;

/** One AWS account with the service in two environments, the DNS around it, and a clock. */
export class World extends VirtualAws {
  readonly dns: WorldDns;
  readonly staging: Environment;
  readonly production: Environment;
  readonly environments: readonly Environment[];
  /** The proxies of owners, by their addresses: the host that they send requests to, if they pass them on. */
  readonly proxies = new Map<string, { readonly origin: string; readonly isPassing: boolean }>();
  /** Anybody may use up the throttle of the proofs that requests through a proxy arrive. */
  proofsThrottledUntilMs = 0;
  /** When an HTTPS request to a domain last succeeded. */
  readonly reachedAtMs = new Map<string, number>();
  /** The names of validation records that several environments or teams have needed at once. */
  readonly sharedValidations = new Set<string>();
  /** The domains of which somebody has changed by hand what is ours, until it is restored. */
  readonly tampered = new Set<string>();
  /** What was done that must never be done, found in the middle of an event. */
  readonly violations: string[] = [];

  constructor(seed: number, weather?: (random: Random, time: VirtualTime) => Weather) {
    super({
      seed,
      ...(weather && { weather }),
      tables: TABLES,
      timeToLive: DOMAINS_TABLE.timeToLive,
      zones: ZONES,
      ownersZones: OWNERS_ZONES,
      tracedFields: TRACED_FIELDS,
      stateMachines: ENVIRONMENTS.flatMap(environment => DEPLOYED[environment].stateMachines),
    });
    this.dns = new WorldDns(this);
    this.staging = new Environment('staging', this, services.staging);
    this.production = new Environment('production', this, services.production);
    this.environments = [this.staging, this.production];
    current = this;
    forgetProjects();
  }

  /** The host of API Gateway that serves a domain. */
  hostOf(domain: string): string | undefined {
    const name = this.domainNames.find(domain);
    return name && regionalDomainName(name);
  }

  /** Notes a violation, which the next check throws. */
  violate(message: string): void {
    this.violations.push(message);
  }

  protected override deliver(functionArn: string, event: unknown) {
    const environment = this.environments.find(({ name }) => DEPLOYED[name].worker.arn === functionArn);
    if (!environment) throw new Error(`No environment has the function ${functionArn}.`);
    return environment.tend(event);
  }

  /** A missing grant. What is gone has no tags, and what is somebody else's has others: roles allow no change of either. */
  protected override onDenial({ name, purpose }: Actor, resource: string, denial: string): void {
    const domain = /\/domainnames\/([^/]+)/.exec(resource)?.[1];
    const tagged = domain ? this.domainNames.find(domain) : this.certificates.find(resource);
    const hasTags = domain !== undefined || /:certificate\/[^*]/.test(resource);
    const isOwn = tagged?.tags[ENVIRONMENT_TAG] === purpose.environment;
    if (!hasTags || isOwn) this.violate(`${name}: ${denial}`);
  }

  protected override announce({ resources }: AwsEvent): void {
    for (const environment of this.environments) void environment.tendAffected(resources);
  }

  protected override fateOf(call: Call): Fate {
    const fate = super.fateOf(call);
    const isSilent = call.service === 'dns' && this.dns.failureOf(String(call.input))?.isSilent;
    return isSilent ? { ...fate, latencyMs: DNS_BUDGET_MS } : fate;
  }

  protected override askDns({ input }: Call): VantagePoints {
    const domain = String(input);
    const { dns } = this;
    const zone = dns.zoneOf(domain);
    const failure = dns.failureOf(domain);
    return {
      zone: failure && zone !== domain ? undefined : zone,
      isApex: zone === domain,
      authoritative: failure && !failure.isSilent ? undefined : dns.serversOf(domain),
      resolvers: surroundings.resolvers,
    };
  }

  /** HTTPS requests from the service for a domain to these addresses. Its network has no IPv6. */
  protected override requestHttps({ input }: Call): readonly Ending[] {
    const { domain, serials, addresses } = input as Request;
    return [...addresses].map(at => {
      if (!at.includes(':')) return { at, outcome: this.#servedAt(at, domain, serials) };
      return { at, outcome: isPublicAddress(at) ? { kind: 'unconfirmed', why: 'IPv6.', at } : FOREIGN };
    });
  }

  /** The service has found that the visitors of a domain arrive, who have these addresses besides those of our host. */
  noteReached(domain: string, addresses: ReadonlySet<string>): void {
    this.reachedAtMs.set(domain, this.time.nowMs);
    const stranger = [...addresses].find(at => this.#isStrangers(at));
    if (stranger) this.violate(`${domain} counts as reached, but ${stranger} is somebody else's`);
  }

  #isStrangers(address: string): boolean {
    return address.includes(':') && !AWS_POOL.includes(address) && !this.proxies.has(address);
  }

  /** What visitors of a domain get who have nothing cached; `unconfirmed` where nobody without IPv6 can see that it's wrong. */
  visitorsOf(domain: string): Reached {
    const addresses = (['A', 'AAAA'] as const).flatMap(type => {
      const found = this.dns.ask(domain, type);
      return found.kind === 'records' ? found.values : [];
    });
    if (addresses.length === 0) return { kind: 'unreachable', why: 'The name has no IP address.' };
    const endingAt = (at: string): Ending => {
      const outcome = this.#servedAt(at, domain);
      const isHidden = outcome.kind !== 'reached' && this.#isStrangers(at) && isPublicAddress(at);
      return { at, outcome: isHidden ? { kind: 'unconfirmed', why: 'IPv6.', at } : outcome };
    };
    return verdictOf(addresses.map(endingAt), () => false);
  }

  /** Whether CAA records forbid a certificate of a name: those of the first of it and its parents that has any. */
  isForbidden(name: string): boolean {
    const labels = name.split('.');
    const [found] = labels
      .map((_, depth) => this.dns.ask(labels.slice(depth).join('.'), 'CAA'))
      .filter(({ kind }) => kind !== 'none');
    if (found?.kind !== 'records') return found?.kind === 'unknown';
    return !allowsAmazon(
      found.values.map(value => recordData('CAA', value) as CaaRecord),
      false,
    );
  }

  /** The addresses of a host of API Gateway serve the domain name of this host and no other. */
  #servedAt(address: string, domain: string, serials?: readonly string[]): Reached {
    const host = this.hostOf(domain);
    if (host && isAddressOf(host, address)) return this.#edgeOf(domain, serials);
    const proxy = this.proxies.get(address);
    if (!proxy) return FOREIGN;
    const origin = this.dns.ask(proxy.origin, 'A');
    const origins = origin.kind === 'records' ? origin.values : [];
    const leadsHere = origins.length > 0 && origins.every(origin => host && isAddressOf(host, origin));
    const passed = leadsHere && proxy.isPassing && this.#edgeOf(domain).kind === 'reached';
    // Those who only visit need no proof.
    if (passed && serials === undefined) return { kind: 'reached', isProxied: true };
    if (this.time.nowMs < this.proofsThrottledUntilMs)
      return { kind: 'unknown', why: 'Proofs are throttled.' };
    if (!leadsHere || !proxy.isPassing) return { kind: 'unproven', why: 'It is the certificate of a proxy.' };
    if (!passed) return FOREIGN;
    return this.#givesProofs(this.domainNames.find(domain)?.mapping?.restApiId)
      ? { kind: 'reached', isProxied: true }
      : { kind: 'unprovable', why: 'The API of the project has no proofs.' };
  }

  /** What API Gateway serves for a domain name: with the certificate that has one of these serial numbers, if any are given. */
  #edgeOf(domain: string, serials?: readonly string[]): Reached {
    const name = this.domainNames.find(domain);
    if (!name) return FOREIGN;
    const served = this.certificates.find(name.certificateArn);
    if (served?.status !== 'ISSUED') return { kind: 'certificate_wrong', why: 'It is not valid.' };
    if (!covers(served, domain)) return { kind: 'certificate_wrong', why: 'It is for another name.' };
    if (serials && !serials.includes(this.issuance.served(served)?.serial ?? '')) {
      return { kind: 'certificate_wrong', why: 'It is another one.' };
    }
    if (!name.mapping) return { kind: 'answer_foreign', why: 'The domain is not mapped.' };
    return { kind: 'reached' };
  }

  /** The API of redirects proves that requests arrive, and so does the service's own, but not that of another project. */
  #givesProofs(apiId = ''): boolean {
    return (
      this.environments.some(({ redirectApi }) => redirectApi === apiId) || !apiId.endsWith(`-${UNPROVABLE}`)
    );
  }
}

const FOREIGN: Reached = { kind: 'answer_foreign', why: 'Another server answers.' };

/** The input of an HTTPS request. */
interface Request {
  readonly domain: string;
  readonly serials: readonly string[];
  readonly addresses: ReadonlySet<string>;
}

/** An address of IPv6 leads to all hosts of API Gateway. */
function isAddressOf(host: string, address: string): boolean {
  return address === addressOf(host) || AWS_POOL.includes(address);
}
