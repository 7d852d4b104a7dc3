import { Domain } from '../../shared/domains/domain.ts';
import { Project } from '../../shared/projects/project.ts';
import { NO_ROUTING } from '../../shared/projects/routing.ts';
import { AcmModel } from './acm-model.ts';
import { calls, type Service } from './calls.ts';
import { divertClients } from './diverted-clients.ts';
import type { Item } from './dynamodb-expressions.ts';
import { DynamoDbModel } from './dynamodb-model.ts';
import { flowMachines } from './flow-machines.ts';
import { GatewayModel } from './gateway-model.ts';
import { lambdaModel } from './lambda-model.ts';
import { PublicDns } from './public-dns.ts';
import { Random } from './random.ts';
import { Route53Model } from './route53-model.ts';
import { MANAGED_ZONE, PLATFORM_ZONE, serviceIn, TABLES } from './service.ts';
import { StepFunctionsModel } from './step-functions-model.ts';
import { Trace } from './trace.ts';
import { VirtualTime } from './virtual-time.ts';
import { CALM, type Weather } from './weather.ts';

const { machines, operateTimeoutMs } = flowMachines();

/** One AWS account with the service in it, the DNS around it, and a clock. */
export class World {
  readonly random: Random;
  readonly time = new VirtualTime();
  readonly trace = new Trace(this.time);
  readonly dynamodb = new DynamoDbModel(TABLES);
  readonly route53 = new Route53Model({
    [PLATFORM_ZONE.id]: PLATFORM_ZONE.name,
    [MANAGED_ZONE.id]: MANAGED_ZONE.name,
  });
  readonly dns = new PublicDns(this.time, this.route53, {
    [PLATFORM_ZONE.name]: PLATFORM_ZONE.id,
    [MANAGED_ZONE.name]: MANAGED_ZONE.id,
  });
  readonly acm: AcmModel;
  readonly gateway: GatewayModel;
  readonly states: StepFunctionsModel;
  readonly invoke: ReturnType<typeof lambdaModel>;
  readonly service: ReturnType<typeof serviceIn>;
  /** May be changed while the world goes on. */
  weather: Weather;
  /** Grows whenever a call may have changed something. */
  version = 0;
  readonly #parsed = new WeakMap<Item, Domain>();

  constructor(seed: number, weather: (random: Random, time: VirtualTime) => Weather = () => CALM) {
    this.random = new Random(seed);
    this.weather = weather(this.random, this.time);
    const { time, trace, random } = this;
    const now = () => this.weather;
    this.acm = new AcmModel(time, this.dns, {
      recordDelayMs: () => now().recordDelayMs(),
      listDelayMs: () => now().listDelayMs(),
      issueDelayMs: () => now().issueDelayMs(),
      failure: () => now().failure(),
      isFailedByCaa: () => now().isFailedByCaa(),
      inUseMs: () => now().inUseMs(),
    });
    this.gateway = new GatewayModel(time, this.acm, () => now().spreadMs());
    this.invoke = lambdaModel({ time, trace, startDelayMs: () => now().startDelayMs() });
    this.states = new StepFunctionsModel({
      time,
      trace,
      machines,
      deliver: ({ name, timeoutMs }, event) => {
        const delivery = () => this.invoke(name, timeoutMs, () => this.service.steps[name]?.(event as never) as Promise<unknown>);
        const againMs = now().secondDeliveryMs();
        if (againMs !== undefined) time.after(againMs, undefined, () => void delivery().catch(() => {}));
        return delivery();
      },
    });
    const counted = (service: Service): Service => call => {
      if (!/^(Get|List|Describe|Query)/.test(call.operation)) this.version += 1;
      return service(call);
    };
    const send = calls({
      time,
      trace,
      random,
      fateOf: call => this.weather.fateOf(call),
      services: {
        dynamodb: counted(this.dynamodb.service),
        acm: counted(this.acm.service),
        apigateway: counted(this.gateway.service),
        route53: counted(this.route53.service),
        states: counted(this.states.service),
        dns: ({ input }) => this.dns.placesFor(String(input)),
      },
    });
    divertClients(send);
    this.service = serviceIn({
      now: () => time.nowMs,
      places: registrable => send('dns', 'Ask', registrable, 1) as ReturnType<Parameters<typeof serviceIn>[0]['places']>,
    });
  }

  domains(): Domain[] {
    const found: Domain[] = [];
    for (const item of this.dynamodb.items('domains').values()) {
      if (item.body) found.push(this.#domain(item));
    }
    return found;
  }

  domain(name: string): Domain | undefined {
    const item = this.dynamodb.items('domains').get(name);
    return item && this.#domain(item);
  }

  projects(): Project[] {
    return [...this.dynamodb.items('projects').values()].map(({ id, routing }) =>
      projectNamed(id?.S ?? '', routing?.S),
    );
  }

  /** A project that may have custom domains, published at an API of its own. */
  addProject(id: string): void {
    const { plan, apiId, stage, createdAt, deploy } = projectNamed(id);
    this.dynamodb.items('projects').set(id, {
      id: { S: id },
      plan: { S: plan },
      apiId: { S: apiId },
      stage: { S: stage },
      createdAt: { S: createdAt },
      deployState: { S: deploy.state },
    });
  }

  operate(payload: Record<string, unknown>): Promise<Awaited<ReturnType<World['service']['operate']>>> {
    const { command, requestId } = payload;
    return this.invoke(`Operate ${command}`, operateTimeoutMs, () => this.service.operate(payload, String(requestId)));
  }

  #domain(item: Item): Domain {
    const known = this.#parsed.get(item);
    if (known) return known;
    const domain = JSON.parse(item.body?.S ?? 'null') as Domain;
    this.#parsed.set(item, domain);
    return domain;
  }
}

export function apiOf(project: string): string {
  return `api-${project}`;
}

function projectNamed(id: string, routing?: string): Project {
  return Project.parse({
    id,
    plan: 'pro',
    deploy: { state: 'succeeded', at: null },
    apiId: apiOf(id),
    stage: 'staging',
    createdAt: '2026-01-01T00:00:00.000Z',
    ...(routing === undefined ? NO_ROUTING : JSON.parse(routing)),
  });
}
