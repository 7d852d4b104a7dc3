import { covers } from '../../infra/local/acm/certificates.ts';
import type { Call, Fate } from '../../infra/local/virtual/calls.ts';
import { ONE_ATTEMPT } from '../../infra/local/virtual/calls.ts';
import { addressOf } from '../../infra/local/virtual/public-dns.ts';
import type { Random } from '../../infra/local/virtual/random.ts';
import { type Step, templateOf } from '../../infra/local/virtual/step-functions.ts';
import { VirtualAws } from '../../infra/local/virtual/virtual-aws.ts';
import { divertTimers, SECOND_MS, type VirtualTime } from '../../infra/local/virtual/virtual-time.ts';
import type { Weather } from '../../infra/local/virtual/weather.ts';
import type { Lookup } from '../../shared/domains/dns/lookup.ts';
import type { VantagePoints } from '../../shared/domains/dns/vantage-points.ts';
import type { Observed, Reach, Reached } from '../../shared/domains/reach.ts';
import { required } from '../../shared/environment.ts';
import { divertClients } from './clients.ts';
import { Environment } from './environment.ts';
import { serviceIn, TABLES, ZONES } from './service.ts';

const template = templateOf(required('SIMULATION_ASSEMBLY'), 'Petstore-Staging');
const MACHINES = {
  Verify: template.machine('DomainFlowVerify'),
  Remove: template.machine('DomainFlowRemove'),
};
const OPERATE_TIMEOUT_MS = template.timeoutMs('OperatorOperateFunction');

/** The zones that owners have at their DNS providers. The second one is delegated by the first. */
const OWNERS_ZONES = ['zoo.com', 'dev.zoo.com', 'elsewhere.test'];

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
  resolvers: [0, 1].map(
    (index): Lookup =>
      async (name, type) =>
        current.dns.resolvers[index]?.resolve(name, type) ?? { kind: 'unknown', why: 'no resolver' },
  ),
  reach: (...request: Parameters<Reach>) =>
    current.send('https', 'Get', request, ONE_ATTEMPT) as ReturnType<Reach>,
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
  readonly staging: Environment;
  readonly production: Environment;
  readonly environments: readonly Environment[];
  /** When an HTTPS request to a domain last succeeded. */
  readonly reachedAtMs = new Map<string, number>();
  /** The names of validation records that several environments or teams have needed at once. */
  readonly sharedValidations = new Set<string>();
  /** What was done that must never be done, found in the middle of an event. */
  readonly violations: string[] = [];

  constructor(seed: number, weather?: (random: Random, time: VirtualTime) => Weather) {
    super({
      seed,
      ...(weather && { weather }),
      tables: TABLES,
      zones: ZONES,
      ownersZones: OWNERS_ZONES,
      tracedFields: TRACED_FIELDS,
      machineOf: name => (name.endsWith('-Verify') ? MACHINES.Verify : MACHINES.Remove),
    });
    this.staging = new Environment('staging', this, services.staging, OPERATE_TIMEOUT_MS);
    this.production = new Environment('production', this, services.production, OPERATE_TIMEOUT_MS);
    this.environments = [this.staging, this.production];
    current = this;
  }

  /** Notes a violation, which the next check throws. */
  violate(message: string): void {
    this.violations.push(message);
  }

  protected override deliver(machine: string, { functionName, timeoutMs }: Step, event: unknown) {
    const environment = machine.startsWith('production-') ? this.production : this.staging;
    const [, step = ''] = /DomainFlow(\w+)Function/.exec(functionName) ?? [];
    return environment.deliver(step, timeoutMs, event);
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
    const authoritative: Lookup = async (name, type) => dns.askServersOf(zone, name, type);
    return {
      zone: failure && zone !== domain ? undefined : zone,
      isApex: zone === domain,
      authoritative: failure && !failure.isSilent ? undefined : authoritative,
      resolvers: surroundings.resolvers,
    };
  }

  /**
   * HTTPS requests from the service for a domain, at the host of API Gateway and through the first resolver. The addresses of
   * a host of API Gateway serve the domain name of this host and no other.
   */
  protected override requestHttps({ input }: Call): Observed {
    const { dns, gateway, acm, time } = this;
    const [domain, certificate, edgeHost, published = []] = input as Parameters<Reach>;
    const name = gateway.names.get(domain);
    const servedAt = (isServed: boolean): Reached => {
      if (!name || !isServed) return { kind: 'answer_foreign', why: 'Another server answers.' };
      const served = acm.find(name.certificateArn);
      if (served?.status !== 'ISSUED') return { kind: 'certificate_wrong', why: 'It is not valid.' };
      if (!covers(served, domain)) return { kind: 'certificate_wrong', why: 'It is for another name.' };
      if (!certificate.serials.includes(acm.servedSerial(served))) {
        return { kind: 'certificate_wrong', why: 'It is another one.' };
      }
      if (!name.mapping) return { kind: 'answer_foreign', why: 'The domain is not mapped.' };
      return { kind: 'reached' };
    };
    const addresses = [domain, ...published].flatMap(host =>
      (['A', 'AAAA'] as const).flatMap(type => {
        const found = dns.resolvers[0]?.resolve(host, type);
        return found?.kind === 'records' ? found.values.map(address => ({ address, type })) : [];
      }),
    );
    const edge = servedAt(name?.host === edgeHost);
    if (addresses.length === 0) {
      return { edge, visitors: { kind: 'unreachable', why: 'The name has no IP address.' } };
    }
    const visitors = servedAt(
      addresses.every(({ address, type }) => name && address === addressOf(name.host, type)),
    );
    if (visitors.kind === 'reached') this.reachedAtMs.set(domain, time.nowMs);
    return { edge, visitors };
  }
}
