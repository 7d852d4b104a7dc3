import type { VantagePoints } from '../../shared/domains/dns/vantage-points.ts';
import type { Domain } from '../../shared/domains/life/domain.ts';
import { DOMAINS_TABLE, isClaim } from '../../shared/domains/life/domain-table.ts';
import { isUnreconciled, RECONCILE_MINUTES } from '../../shared/domains/life/reconciliation.ts';
import { hasExpired } from '../../shared/domains/life/unverified-claims.ts';
import { Project } from '../../shared/projects/project.ts';
import { NO_ROUTING, type Routing } from '../../shared/projects/routing.ts';
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
import { MINUTE_MS, VirtualTime } from './virtual-time.ts';
import { CALM, type Weather } from './weather.ts';

const { machines, operateTimeoutMs } = flowMachines();

/** The world that the code of the service is in at the moment. There is one at a time, as there is one process. */
let current: World;

divertClients((...call) => current.send(...call));

const service = serviceIn({
  now: () => current.time.nowMs,
  vantagePoints: domain => current.send('dns', 'Ask', domain, 1) as Promise<VantagePoints>,
  resolvers: [async (name, type) => current.dns.ask(name, type)],
  // Edges spread no change here: a domain is reached when API Gateway has it mapped.
  reach: async domain =>
    current.gateway.names.get(domain)?.mapping
      ? { kind: 'reached' }
      : { kind: 'unreachable', why: 'The domain name is not mapped.' },
});

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
  readonly lambda: ReturnType<typeof lambdaModel>;
  readonly service = service;
  readonly send: ReturnType<typeof calls>;
  /** May be changed while the world goes on. */
  weather: Weather;
  /** Whether the scheduled reconcile has something to do. */
  isReconcileDue = false;
  /** Grows whenever something may have changed. */
  version = 0;
  readonly #projects = new WeakMap<Item, Project>();

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
      machines,
      deliver: ({ name, timeoutMs }, event) => {
        const delivery = () =>
          this.lambda.invoke(
            name,
            timeoutMs,
            () => this.service.steps[name]?.(event as never) as Promise<unknown>,
          );
        const againMs = now().secondDeliveryMs();
        if (againMs !== undefined) time.after(againMs, undefined, () => void delivery().catch(() => {}));
        return delivery();
      },
    });
    const counted =
      (service: Service): Service =>
      call => {
        if (!/^(Get|List|Describe|Query)/.test(call.operation)) this.version += 1;
        return service(call);
      };
    this.send = calls({
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
        dns: ({ input }) => this.dns.vantagePointsFor(String(input)),
      },
    });
    current = this;
  }

  domains(): Domain[] {
    const found: Domain[] = [];
    for (const item of this.dynamodb.items('domains').values()) {
      if (isClaim(item)) found.push(item as Domain);
    }
    return found;
  }

  /** The project that has proven a name. */
  ownerOf(name: string): string | undefined {
    const owner = this.dynamodb.items('domains').get(`${name} ${DOMAINS_TABLE.ownerSortKey}`);
    return owner?.provenBy as string | undefined;
  }

  /** The claim of a name by this project; by default the owner's, or the first claim of a name that has no owner. */
  domain(name: string, project = this.ownerOf(name)): Domain | undefined {
    return this.domains().find(
      claim => claim.domain === name && [claim.project, undefined].includes(project),
    );
  }

  projects(): Project[] {
    return [...this.dynamodb.items('projects').values()].map(item => {
      const known = this.#projects.get(item) ?? projectNamed(String(item.id), item.routing as Routing);
      this.#projects.set(item, known);
      return known;
    });
  }

  /** The domains whose mapping the scheduled reconcile would write. */
  pendingMappings(): string[] {
    return [...this.dynamodb.items('projects').values()].flatMap(({ pendingMappings = new Set() }) =>
      [...(pendingMappings as Set<string>)].map(entry => entry.split(' ')[1] ?? ''),
    );
  }

  /** A project that may have custom domains, published at an API of its own. */
  addProject(id: string): void {
    const { plan, apiId, stage, createdAt, deploy } = projectNamed(id);
    this.dynamodb.items('projects').set(id, {
      id,
      plan,
      apiId,
      stage,
      createdAt,
      deployState: deploy.state,
      succeededAt: createdAt,
    });
  }

  /** Runs the scheduled reconcile within five minutes if it has something to do; otherwise it would change nothing. */
  scheduleReconcile(): void {
    const isDue = (claim: Domain) => isUnreconciled(claim) || hasExpired(claim, this.time.nowMs);
    const isNeeded = this.domains().some(isDue) || this.pendingMappings().length > 0;
    if (this.isReconcileDue || !isNeeded) return;
    this.isReconcileDue = true;
    const period = RECONCILE_MINUTES * MINUTE_MS;
    this.time.after(period - (this.time.nowMs % period), undefined, () => {
      this.lambda
        .invoke('ReconcileDomains', operateTimeoutMs, () => this.service.reconcileAll())
        .catch(() => {})
        .finally(() => {
          this.isReconcileDue = false;
        });
    });
  }

  operate(payload: Record<string, unknown>): Promise<Awaited<ReturnType<World['service']['operate']>>> {
    const { command, requestId } = payload;
    return this.lambda.invoke(`Operate ${command}`, operateTimeoutMs, () =>
      this.service.operate(payload, String(requestId)),
    );
  }
}

export function apiOf(project: string): string {
  return `api-${project}`;
}

function projectNamed(id: string, routing: Routing = NO_ROUTING): Project {
  return Project.parse({
    id,
    plan: 'pro',
    deploy: { state: 'succeeded', at: null, succeededAt: '2026-01-01T00:00:00.000Z' },
    apiId: apiOf(id),
    stage: 'staging',
    createdAt: '2026-01-01T00:00:00.000Z',
    ...routing,
  });
}
