import { AcmModel } from './acm.ts';
import { GatewayModel } from './api-gateway.ts';
import { type Call, calls, type Fate, type Service } from './calls.ts';
import { DynamoDbModel } from './dynamodb.ts';
import { EventBridgeModel } from './events.ts';
import { lambdaModel } from './lambda.ts';
import { PublicDns } from './public-dns.ts';
import { Random } from './random.ts';
import { Route53Model } from './route53.ts';
import { type Machine, type Step, StepFunctionsModel } from './step-functions.ts';
import { Trace } from './trace.ts';
import { VirtualTime } from './virtual-time.ts';
import { CALM, type Weather } from './weather.ts';

interface VirtualAwsOptions {
  readonly seed: number;
  readonly weather?: (random: Random, time: VirtualTime) => Weather;
  /** The names of the key attributes of each table: the partition key and, where there is one, the sort key. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /** The attribute of their items that says when one expires. */
  readonly timeToLive: string;
  /** The names of the hosted zones by their ids. */
  readonly zones: Readonly<Record<string, string>>;
  /** The zones that others have at their DNS providers. */
  readonly ownersZones: readonly string[];
  /** The fields of inputs that the trace shows. */
  readonly tracedFields: readonly string[];
  readonly machineOf: (name: string) => Machine;
}

/** An AWS account on a virtual clock, the DNS around it, and the faults of both, which follow from a seed. */
export abstract class VirtualAws {
  readonly random: Random;
  readonly time = new VirtualTime();
  readonly trace: Trace;
  readonly dynamodb: DynamoDbModel;
  readonly route53: Route53Model;
  readonly dns: PublicDns;
  readonly acm: AcmModel;
  readonly gateway: GatewayModel;
  readonly states: StepFunctionsModel;
  readonly events = new EventBridgeModel(() => this.weather.isEventRejected());
  readonly lambda: ReturnType<typeof lambdaModel>;
  /** Makes a call as the invocation whose code runs at the moment. */
  readonly send: ReturnType<typeof calls>;
  /** May be changed while time passes. */
  weather: Weather;
  /** Grows whenever something may have changed. */
  version = 0;

  constructor({ seed, weather = () => CALM, ...options }: VirtualAwsOptions) {
    const { time } = this;
    this.random = new Random(seed);
    this.weather = weather(this.random, time);
    const now = () => this.weather;
    this.trace = new Trace(time, options.tracedFields);
    const { trace, random } = this;
    this.route53 = new Route53Model(time, options.zones);
    this.dns = new PublicDns(time, this.route53, options.ownersZones);
    this.dynamodb = new DynamoDbModel(options.tables, options.timeToLive, {
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
    this.states = new StepFunctionsModel({
      time,
      trace,
      machineOf: options.machineOf,
      wakeUp: () => now().wakeUp(),
      deathOf: () => now().deathOf(),
      deliver: (machine, step, event) => {
        const delivery = () => this.deliver(machine, step, event);
        const againMs = now().secondDeliveryMs();
        if (againMs !== undefined) time.after(againMs, undefined, () => void delivery().catch(() => {}));
        return delivery();
      },
    });
    this.send = calls({
      time,
      trace,
      random,
      fateOf: call => this.fateOf(call),
      services: {
        dynamodb: this.#counted(this.dynamodb.service),
        acm: this.#counted(this.acm.service),
        apigateway: this.#counted(this.gateway.service),
        route53: this.#counted(this.route53.service),
        states: this.#counted(this.states.service),
        events: this.#counted(this.events.service),
        dns: call => this.askDns(call),
        https: call => this.requestHttps(call),
      },
    });
  }

  /** Invokes the function of a task. */
  protected abstract deliver(machine: string, step: Step, event: unknown): Promise<unknown>;

  /** What a function finds out by its own DNS client, or by its own HTTPS requests. */
  protected abstract askDns(call: Call): unknown;
  protected abstract requestHttps(call: Call): unknown;

  protected fateOf(call: Call): Fate {
    return this.weather.fateOf(call);
  }

  #counted(service: Service): Service {
    return call => {
      if (!/^(Get|List|Describe|Query)/.test(call.operation)) this.version += 1;
      return service(call);
    };
  }
}
