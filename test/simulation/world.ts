import { VirtualTime } from '../../infra/local/test/stepfunctions/virtual-time.ts';
import type { VantagePoints } from '../../shared/domains/dns/vantage-points.ts';
import type { Reach } from '../../shared/domains/reach.ts';
import { required } from '../../shared/environment.ts';
import { Environment } from './environment.ts';
import { AcmModel } from './models/acm.ts';
import { GatewayModel, httpsModel } from './models/api-gateway.ts';
import { type Call, calls, divertClients, ONE_ATTEMPT, type Service } from './models/calls.ts';
import { DynamoDbModel } from './models/dynamodb.ts';
import { EventBridgeModel } from './models/event-bridge.ts';
import { lambdaModel } from './models/lambda.ts';
import { PublicDns } from './models/public-dns.ts';
import { Route53Model } from './models/route53.ts';
import { flowMachines, StepFunctionsModel } from './models/step-functions.ts';
import { Random } from './random.ts';
import { serviceIn, TABLES, ZONES } from './service.ts';
import { Trace } from './trace.ts';
import { type Actor, divertTimers, SECOND_MS } from './virtual-time.ts';
import { CALM, type Weather } from './weather.ts';

const { machines, operateTimeoutMs } = flowMachines(required('SIMULATION_ASSEMBLY'));

/** The world that the code of the service is in at the moment. There is one at a time, as there is one process. */
let current: World;

divertClients((...call) => current.send(...call));
divertTimers(() => current);

const surroundings = {
  now: () => current.time.nowMs,
  vantagePoints: (domain: string) =>
    current.send('dns', 'Ask', domain, ONE_ATTEMPT) as Promise<VantagePoints>,
  resolvers: [0, 1].map(
    index => async (name: string, type: 'NS') =>
      current.dns.resolvers[index]?.resolve(name, type) ?? { kind: 'unknown' as const, why: 'no resolver' },
  ) as never,
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
export class World {
  readonly random: Random;
  readonly time = new VirtualTime<Actor>();
  readonly trace = new Trace(this.time);
  readonly dynamodb: DynamoDbModel;
  readonly route53 = new Route53Model(ZONES);
  readonly dns = new PublicDns(
    this.time,
    this.route53,
    Object.fromEntries(Object.entries(ZONES).map(([id, name]) => [name, id])),
  );
  readonly acm: AcmModel;
  readonly gateway: GatewayModel;
  readonly states: StepFunctionsModel;
  readonly events = new EventBridgeModel(() => this.weather.isEventRejected());
  readonly lambda: ReturnType<typeof lambdaModel>;
  readonly staging: Environment;
  readonly production: Environment;
  readonly environments: readonly Environment[];
  readonly send: ReturnType<typeof calls>;
  /** May be changed while the world goes on. */
  weather: Weather;
  /** Grows whenever something may have changed. */
  version = 0;
  /** When an HTTPS request to a domain last succeeded. */
  readonly reachedAtMs = new Map<string, number>();
  /** The names of validation records that several environments or teams have needed at once. */
  readonly sharedValidations = new Set<string>();
  /** What was done that must never be done, found in the middle of an event. */
  readonly violations: string[] = [];

  constructor(seed: number, weather: (random: Random, time: VirtualTime<Actor>) => Weather = () => CALM) {
    this.random = new Random(seed);
    this.weather = weather(this.random, this.time);
    const { time, trace, random } = this;
    const now = () => this.weather;
    this.dynamodb = new DynamoDbModel(TABLES, {
      nowMs: () => time.nowMs,
      indexLagMs: () => now().indexLagMs(),
      pageLength: () => now().pageLength(),
    });
    this.acm = new AcmModel(time, this.dns, now);
    this.gateway = new GatewayModel(time, this.acm, () => now().spreadMs());
    this.lambda = lambdaModel({
      time,
      trace,
      startDelayMs: () => now().startDelayMs(),
      onEnd: () => {
        this.version += 1;
      },
    });
    this.staging = new Environment('staging', this, services.staging, operateTimeoutMs);
    this.production = new Environment('production', this, services.production, operateTimeoutMs);
    this.environments = [this.staging, this.production];
    this.states = new StepFunctionsModel({
      time,
      trace,
      machines,
      deathOf: () => now().deathOf(),
      deliver: (machine, { name, timeoutMs }, event) => {
        const environment = machine.startsWith('production-') ? this.production : this.staging;
        const delivery = () => environment.deliver(name, timeoutMs, event);
        const againMs = now().secondDeliveryMs();
        if (againMs !== undefined) time.after(againMs, undefined, () => void delivery().catch(() => {}));
        return delivery();
      },
    });
    this.send = this.#network(random);
    current = this;
  }

  /** Notes a violation, which the next check throws. */
  violate(message: string): void {
    this.violations.push(message);
  }

  #network(random: Random): ReturnType<typeof calls> {
    const counted =
      (service: Service): Service =>
      call => {
        if (!/^(Get|List|Describe|Query)/.test(call.operation)) this.version += 1;
        return service(call);
      };
    const isSilent = ({ service, input }: Call) => service === 'dns' && this.dns.isSilent(String(input));
    return calls({
      time: this.time,
      trace: this.trace,
      random,
      fateOf: call => {
        const fate = this.weather.fateOf(call);
        return isSilent(call) ? { ...fate, latencyMs: DNS_BUDGET_MS } : fate;
      },
      services: {
        dynamodb: counted(this.dynamodb.service),
        acm: counted(this.acm.service),
        apigateway: counted(this.gateway.service),
        route53: counted(this.route53.service),
        states: counted(this.states.service),
        events: counted(this.events.service),
        dns: ({ input }) => this.dns.vantagePointsFor(String(input)),
        https: httpsModel(this),
      },
    });
  }
}
