import type { DomainName } from '../../infra/local/virtual/api-gateway.ts';
import { derived, type TableItems } from '../../infra/local/virtual/dynamodb.ts';
import { addressOf } from '../../infra/local/virtual/public-dns.ts';
import type { VirtualAws } from '../../infra/local/virtual/virtual-aws.ts';
import { HOUR_MS, MINUTE_MS } from '../../infra/local/virtual/virtual-time.ts';
import { CLAIM_TAG } from '../../shared/aws/ownership-tags.ts';
import { PUBLISH_MINUTES, RECONCILE_MINUTES } from '../../shared/domains/life/reconciliation.ts';
import type { Reply } from '../../shared/operator/contract.ts';
import type { Project } from '../../shared/projects/project.ts';
import { NO_ROUTING, type Routing } from '../../shared/projects/routing.ts';
import { type ClaimView, claimsIn, eventsIn, executionOf, keyOf, ownerIn } from './claims-view.ts';
import {
  apiOf,
  type EnvironmentName,
  platformZoneOf,
  REDIRECT_STAGE,
  redirectApiOf,
  type serviceIn,
  tableOf,
} from './service.ts';

/** What an environment uses of the world that it is in. */
type Surroundings = VirtualAws & { violate(message: string): void };

/** What the invariants read of a project. */
export type RoutedProject = Pick<Project, 'id' | 'plan'> & Routing;

/** One environment of the service in the account: its tables, its functions and its schedule. */
export class Environment {
  readonly name: EnvironmentName;
  readonly platformZone: ReturnType<typeof platformZoneOf>;
  readonly redirectApi: string;
  readonly service: ReturnType<typeof serviceIn>;
  /** Whether the scheduled reconcile has something to do. */
  isReconcileDue = false;
  /** The claims, by their keys in the table. */
  readonly claims: () => ReadonlyMap<string, ClaimView>;
  readonly domains: () => readonly ClaimView[];
  readonly projects: () => readonly RoutedProject[];
  /** The ids of the events in the outbox. */
  readonly pendingEvents: () => ReadonlySet<string>;
  readonly #world: Surroundings;
  readonly #operateTimeoutMs: number;
  #lookedAt = { version: -1, atMs: 0 };
  #pending: { projects?: unknown; claims?: unknown; names: readonly string[] } = { names: [] };
  #publication = { isScheduled: false, version: -1 };
  readonly #items: TableItems;

  constructor(
    name: EnvironmentName,
    world: Surroundings,
    service: ReturnType<typeof serviceIn>,
    operateTimeoutMs: number,
  ) {
    this.name = name;
    this.platformZone = platformZoneOf(name);
    this.redirectApi = redirectApiOf(name);
    this.service = service;
    this.#world = world;
    this.#operateTimeoutMs = operateTimeoutMs;
    world.gateway.apis.set(this.redirectApi, REDIRECT_STAGE);
    const projects = world.dynamodb.items(tableOf(name, 'projects'));
    this.#items = world.dynamodb.items(tableOf(name, 'domains'));
    this.claims = derived(this.#items, claimsIn);
    this.domains = derived(this.#items, () => [...this.claims().values()]);
    this.pendingEvents = derived(this.#items, eventsIn);
    this.projects = derived(projects, projectsAmong);
  }

  /** The domains whose mapping the scheduled reconcile would write. */
  pendingMappings(): readonly string[] {
    const [projects, claims] = [this.projects(), this.domains()];
    if (this.#pending.projects === projects && this.#pending.claims === claims) return this.#pending.names;
    const redirects = { apiId: this.redirectApi, stage: REDIRECT_STAGE };
    const routed = new Map(
      projects.map(({ id, ...project }) => [id, { ...project, apiId: this.apiOf(id), stage: this.name }]),
    );
    const pending = claims.filter(claim => claim.isMismapped(routed.get(claim.project), redirects));
    this.#pending = { projects, claims, names: pending.map(({ domain }) => domain) };
    return this.#pending.names;
  }

  apiOf(project: string): string {
    return apiOf(this.name, project);
  }

  /** The project that has proven a name. */
  ownerOf(name: string): string | undefined {
    return ownerIn(this.#items, name);
  }

  /** The claim of a name by this project; by default the owner's, or the first claim of a name that has no owner. */
  domain(name: string, project = this.ownerOf(name)): ClaimView | undefined {
    return project === undefined
      ? this.domains().find(claim => claim.domain === name)
      : this.claims().get(keyOf({ domain: name, project }));
  }

  /** A project that may have custom domains, published at an API of its own. */
  addProject(id: string): void {
    const createdAt = '2026-01-01T00:00:00.000Z';
    this.#world.gateway.apis.set(this.apiOf(id), this.name);
    this.#world.dynamodb.items(tableOf(this.name, 'projects')).set(id, {
      id,
      plan: 'pro',
      apiId: this.apiOf(id),
      stage: this.name,
      createdAt,
      whileLive: 'redirect',
      deployState: 'succeeded',
      succeededAt: createdAt,
    });
  }

  /** The domain name at API Gateway, if it was created for this claim. */
  nameOf(claim: ClaimView): DomainName | undefined {
    const name = this.#world.gateway.names.get(claim.domain);
    return name?.tags[CLAIM_TAG] === claim.id ? name : undefined;
  }

  /** Whether the execution of the present attempt at a domain has not ended. */
  isWorkedOn(claim: ClaimView): boolean {
    const { machine, name } = executionOf(claim);
    return this.#world.states.isRunning(`${this.name}-${machine}`, name);
  }

  /** Runs the scheduled reconcile within five minutes if it has something to do; otherwise it would change nothing. */
  scheduleReconcile(): void {
    const { time } = this.#world;
    const isDue = (claim: ClaimView) =>
      claim.isDue(time.nowMs) ||
      (claim.isInFlow && !this.isWorkedOn(claim)) ||
      (claim.status === 'ready' && (this.#arrives(claim) || this.#hasWaited(claim)));
    if (this.isReconcileDue || !this.#isLookWorthwhile()) return;
    if (!this.domains().some(isDue) && this.pendingMappings().length === 0) return;
    this.isReconcileDue = true;
    const period = RECONCILE_MINUTES * MINUTE_MS;
    time.after(period - (time.nowMs % period), undefined, () => {
      this.#invoke('ReconcileDomains', undefined, () => this.service.reconcileAll())
        .catch(() => {})
        .finally(() => {
          this.isReconcileDue = false;
        });
    });
  }

  /** Whether DNS leads the traffic of a domain here. */
  #arrives({ domain }: ClaimView): boolean {
    const { gateway, dns } = this.#world;
    const found = dns.ask(domain, 'A');
    const host = gateway.names.get(domain)?.host ?? '';
    return found.kind === 'records' && found.values.every(address => address === addressOf(host, 'A'));
  }

  /** Whether a domain that is ready has been so for long enough that its owner is reminded, or it ends. */
  #hasWaited({ readyAtMs, remindedAtMs }: ClaimView): boolean {
    const days = (this.#world.time.nowMs - (readyAtMs ?? 0)) / (24 * HOUR_MS);
    return days >= (remindedAtMs === null ? 30 - 7 : 30);
  }

  /** Whether something may have become due: something has changed, or it was time, by which a claim expires or a flow is lost. */
  #isLookWorthwhile(): boolean {
    const { version, time } = this.#world;
    const isLost = this.domains().some(claim => claim.isInFlow && !this.isWorkedOn(claim));
    const untilMs = this.#lookedAt.atMs + (isLost ? RECONCILE_MINUTES * MINUTE_MS : HOUR_MS);
    if (this.#lookedAt.version === version && time.nowMs < untilMs) return false;
    this.#lookedAt = { version, atMs: time.nowMs };
    return true;
  }

  /** The daily check of live domains. */
  async recheck(): Promise<void> {
    const recheckAll = async () => ({ checked: await this.service.recheckAll() });
    await this.#invoke('RecheckDomains', undefined, recheckAll, 15 * MINUTE_MS).catch(() => {});
  }

  /**
   * Schedules the next publication if the outbox has events; with an empty one it would change nothing. A run may begin
   * while an earlier one still works, and retries what a failed one left.
   */
  schedulePublication(): void {
    const { time, version } = this.#world;
    if (this.#publication.isScheduled || this.#publication.version === version) return;
    const isScheduled = this.pendingEvents().size > 0;
    this.#publication = { isScheduled, version };
    if (!isScheduled) return;
    const period = PUBLISH_MINUTES * MINUTE_MS;
    time.after(period - (time.nowMs % period), undefined, () => {
      this.#publication = { isScheduled: false, version: -1 };
      void this.#invoke('PublishEvents', undefined, () => this.service.publishAll()).catch(() => {});
    });
  }

  /** Invokes the operator function. An internal error that no fault explains is a violation. */
  operate(payload: Record<string, unknown>): Promise<Reply> {
    const { command, requestId, project } = payload;
    // A move is the work of two projects.
    const actorProject = command === 'domains.move' ? undefined : (project as string | undefined);
    return this.#invoke(`Operate ${command}`, actorProject, async () => {
      const { actor } = this.#world.time;
      const reply = await this.service.operate(payload, String(requestId));
      if (!reply.ok && reply.error.code === 'internal_error' && !actor?.hasMetFault) {
        this.#world.violate(`${actor?.name} returns internal_error, and no fault explains it`);
      }
      return reply;
    });
  }

  /** Delivers a task of a state machine. An error that neither a fault nor a race explains is a violation. */
  deliver(step: string, timeoutMs: number, event: unknown): Promise<unknown> {
    const { project } = event as { project?: string };
    return this.#invoke(
      step,
      project,
      async () => {
        const { actor } = this.#world.time;
        try {
          return await (this.service.steps[step]?.(event as never) as Promise<unknown>);
        } catch (error) {
          const { name, message } = error as Error;
          if (!actor?.hasMetFault && !RETRIED_ERRORS.includes(name)) {
            this.#world.violate(`${actor?.name} ends with ${name} (${message}), and no fault explains it`);
          }
          throw error;
        }
      },
      timeoutMs,
    );
  }

  #invoke<Result>(
    name: string,
    project: string | undefined,
    work: () => Promise<Result>,
    timeoutMs = this.#operateTimeoutMs,
  ): Promise<Result> {
    return this.#world.lambda.invoke({ name, timeoutMs, purpose: { environment: this.name, project } }, work);
  }
}

function projectsAmong(items: TableItems): RoutedProject[] {
  return [...items.values()].map(
    ({ id, plan, routing = NO_ROUTING }) => ({ id, plan, ...(routing as Routing) }) as RoutedProject,
  );
}

/** What a step throws when another writer was faster. The state machine repeats it. */
const RETRIED_ERRORS = ['DomainTaken', 'RoutingChanged'];
