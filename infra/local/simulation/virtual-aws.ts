import * as apiGateway from '@aws-sdk/client-api-gateway';
import { account } from '../account.ts';
import type { Certificates } from '../acm/certificates.ts';
import { lookupAt } from '../acm/dns-validation.ts';
import type { Issuance } from '../acm/issuance.ts';
import type { DomainNames } from '../apigateway-control/domain-names.ts';
import type { ServiceApi } from '../aws-api/service-api.ts';
import type { AwsEvent } from '../events/rules.ts';
import { functionError, type InvocationResult } from '../lambda/invocation.ts';
import type { Executions } from '../stepfunctions/executions.ts';
import type { DeclaredStateMachine } from '../stepfunctions/state-machines.ts';
import { ids, type Surroundings } from '../surroundings.ts';
import { AccountZones } from './account-zones.ts';
import { apiService, authorizedDynamoDb, type PrincipalOf } from './api-calls.ts';
import { type Call, calls, type Fate, type Service } from './calls.ts';
import { DynamoDbModel } from './dynamodb.ts';
import { lambdaModel } from './lambda.ts';
import { VirtualDns } from './public-dns.ts';
import { Random } from './random.ts';
import { Trace } from './trace.ts';
import { type Actor, VirtualTime, virtualWait } from './virtual-time.ts';
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
  readonly stateMachines: readonly DeclaredStateMachine[];
}

/** Called before a call takes effect, and afterwards with what AWS responds. */
type Watch = (call: Call, when: 'before' | 'after', output?: unknown) => void;

/** An AWS account on a virtual clock, the DNS around it, and the faults of both, which follow from a seed. */
export abstract class VirtualAws {
  readonly random: Random;
  readonly time = new VirtualTime();
  readonly trace: Trace;
  readonly dynamodb: DynamoDbModel;
  readonly route53: AccountZones;
  readonly publicDns: VirtualDns;
  readonly certificates: Certificates;
  readonly issuance: Issuance;
  readonly domainNames: DomainNames;
  /** The stage of each API of the account. */
  readonly stages = new Map<string, string>();
  readonly executions: Executions;
  /** The number of events in the history of each execution that has ended. */
  readonly histories: number[] = [];
  /** Called for every event that EventBridge accepts, which may be lost to its sender. */
  onEvent: (event: AwsEvent) => void = () => {};
  readonly #watches: Watch[] = [];
  readonly lambda: ReturnType<typeof lambdaModel>;
  /** Makes a call as the invocation whose code runs at the moment. */
  readonly send: ReturnType<typeof calls>;
  /** May be changed while time passes. */
  weather: Weather;
  /** Grows whenever something may have changed. */
  version = 0;
  readonly #gateway: ServiceApi;
  #signedCount = 0;

  constructor({ seed, weather = () => CALM, ...options }: VirtualAwsOptions) {
    const { time } = this;
    this.random = new Random(seed);
    this.weather = weather(this.random, time);
    const now = () => this.weather;
    this.trace = new Trace(time, options.tracedFields);
    const { trace, random } = this;
    this.dynamodb = new DynamoDbModel(options.tables, options.timeToLive, {
      nowMs: () => time.nowMs,
      indexLagMs: () => now().indexLagMs(),
      pageLength: () => now().pageLength(),
    });
    this.lambda = lambdaModel({
      time,
      trace,
      startDelayMs: () => now().startDelayMs(),
      onEnd: () => {
        this.version += 1;
      },
    });
    const principalOf: PrincipalOf = actor => ({
      denial: (action, resource, context) => {
        const denial = actor.principal.denial(action, resource, context);
        if (denial !== undefined) this.onDenial(actor, resource, denial);
        return denial;
      },
    });
    const idRandom = new Random(~seed);
    const surroundings: Surroundings = {
      now: () => time.nowMs,
      wait: virtualWait(time),
      waitScale: 1,
      // Drawn apart: what happens doesn't depend on how many ids there are.
      newId: ids(size => idRandom.bytes(size)),
      behavior: now,
    };
    this.route53 = new AccountZones(surroundings, options.zones);
    this.publicDns = new VirtualDns(this.route53.zones, options.ownersZones, surroundings);
    const services = account({
      surroundings,
      hostedZones: this.route53.zones,
      lookup: lookupAt(this.publicDns.resolverOfAcm),
      signer: { sign: async (_names, _algorithm, nowMs, validityMs = 0) => this.signed(nowMs, validityMs) },
      executions: {
        kept: Number.POSITIVE_INFINITY,
        invoke: (functionArn, event) => this.#invoke(functionArn, event),
        onEnd: ({ arn, status, cause }, events) => {
          this.version += 1;
          this.histories.push(events);
          trace.say(arn.replace(/^.*execution:/, ''), `${status} after ${events} events ${cause ?? ''}`);
        },
      },
      restApis: () => undefined,
      stages: () => [...this.stages].map(([apiId, stage]) => [stage, { apiId }] as const),
      publish: event => (event.source.startsWith('aws.') ? this.announce(event) : this.onEvent(event)),
    });
    this.certificates = services.certificates;
    this.issuance = services.issuance;
    this.domainNames = services.domainNames;
    this.executions = services.executions;
    this.issuance.start(message => trace.say('acm', message));
    this.executions.deploy(options.stateMachines);
    const { acm, apigateway, events, route53, states } = services.apis;
    this.#gateway = apigateway;
    this.send = calls({
      time,
      trace,
      random,
      fateOf: call => this.fateOf(call),
      services: {
        dynamodb: this.#counted(authorizedDynamoDb(this.dynamodb.service, principalOf)),
        acm: this.#counted(apiService(acm, principalOf)),
        apigateway: this.#counted(apiService(apigateway, principalOf, apiGateway)),
        route53: this.#counted(this.route53.watched(apiService(route53, principalOf))),
        states: this.#counted(apiService(states, principalOf)),
        events: this.#counted(noticingRejections(apiService(events, principalOf))),
        dns: call => this.askDns(call),
        https: call => this.requestHttps(call),
      },
    });
  }

  /** Adds somebody who watches every call. */
  watch(watch: Watch): void {
    this.#watches.push(watch);
  }

  /** Another user of the account changes a domain name, of which API Gateway admits one in a while. */
  useSlot(operation: 'CreateDomainName' | 'UpdateDomainName' | 'DeleteDomainName'): void {
    this.#gateway.operations.find(({ name }) => name === operation)?.rate?.();
  }

  /** The role of an invocation lacks a permission that a call needs. */
  protected onDenial(_actor: Actor, _resource: string, _denial: string): void {}

  /** Runs a function that a state machine invokes. */
  protected abstract deliver(functionArn: string, event: unknown): Promise<unknown>;

  /** What the rules of EventBridge do with an event of ACM. */
  protected announce(_: AwsEvent): void {}

  /** What a function finds out by its own DNS client, or by its own HTTPS requests. */
  protected abstract askDns(call: Call): unknown;
  protected abstract requestHttps(call: Call): unknown;

  protected fateOf(call: Call): Fate {
    return this.weather.fateOf(call);
  }

  /** Invokes a function, perhaps twice. What functions and executions exchange is JSON. */
  #invoke(functionArn: string, event: unknown): Promise<InvocationResult> {
    const { time, weather } = this;
    const text = JSON.stringify(event);
    const delivery = () => this.deliver(functionArn, JSON.parse(text));
    const againMs = weather.secondDeliveryMs();
    if (againMs !== undefined) time.after(againMs, undefined, () => void delivery().catch(() => {}));
    return delivery().then(
      result => ({ payload: JSON.stringify(result ?? null) }),
      ({ name: errorType, message: errorMessage }: Error) =>
        functionError(JSON.stringify({ errorType, errorMessage })),
    );
  }

  /** A certificate that ACM has issued now, as far as it matters here: what tells it from others. */
  signed(nowMs: number, validityMs: number) {
    this.#signedCount += 1;
    const serial = `00:${this.#signedCount}`;
    return { certificate: '', privateKey: '', serial, notBeforeMs: nowMs, notAfterMs: nowMs + validityMs };
  }

  #counted(service: Service): Service {
    return async call => {
      if (!/^(Get|List|Describe|Query)/.test(call.operation)) this.version += 1;
      for (const watch of this.#watches) watch(call, 'before');
      const output = await service(call);
      for (const watch of this.#watches) watch(call, 'after', output);
      return output;
    };
  }
}

/** An event that EventBridge does not accept is a fault that its sender has met. */
function noticingRejections(service: Service): Service {
  return async call => {
    const output = (await service(call)) as { readonly FailedEntryCount: number };
    if (output.FailedEntryCount > 0) call.actor.hasMetFault = true;
    return output;
  };
}
