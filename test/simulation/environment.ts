import {
  type DomainName,
  derived,
  MINUTE_MS,
  regionalDomainName,
  type TableItems,
  type VirtualAws,
} from '../../infra/local/simulation.ts';
import { CLAIM_TAG } from '../../shared/aws/ownership-tags.ts';
import { PUBLISH_MINUTES, RECONCILE_MINUTES } from '../../shared/domains/life/due.ts';
import type { Reached } from '../../shared/domains/reach.ts';
import type { Reply } from '../../shared/operator/contract.ts';
import type { Project } from '../../shared/projects/project.ts';
import {
  activeRedirect,
  type Destination,
  destinationOfDefaultUrl,
  destinationOfDomain,
  livePrimary,
  NO_ROUTING,
  type Routing,
  reachedPrimary,
} from '../../shared/projects/routing.ts';
import { type ClaimView, claimsIn, eventsIn, executionOf, isLeased, keyOf, ownerIn } from './claims-view.ts';
import type { EnvironmentName } from './deployed.ts';
import { DEPLOYED, type DeployedFunction } from './deployed.ts';
import { Schedule, wakeUp } from './schedule.ts';
import { apiOf, type serviceIn, tableOf } from './service.ts';

/** What an environment uses of the world that it is in. */
type Surroundings = VirtualAws & {
  violate(message: string): void;
  visitorsOf(domain: string): Reached;
};

/** What the invariants read of a project. */
export type RoutedProject = Pick<Project, 'id' | 'plan' | 'whileLive'> & Routing;

/** A run of scheduled work: `judge` is told when it began and when it has ended without a fault. */
export type Judge = (work: ScheduledWork) => (() => void) | undefined;
export type ScheduledWork = keyof (typeof DEPLOYED)['staging']['scheduled'];

/** One environment of the service in the account: its tables, its functions and its schedule. */
export class Environment {
  readonly name: EnvironmentName;
  readonly platformZone: { readonly id: string; readonly name: string };
  readonly redirectApi: string;
  readonly service: ReturnType<typeof serviceIn>;
  readonly tables: Readonly<Record<'domains' | 'projects', string>>;
  /** Whether its projects have default URLs, which cost four slots at API Gateway. */
  hasDefaultUrls = false;
  /** Whether the scheduled reconcile runs every five minutes, also where the world needs nothing of it. */
  sweepsAlways = false;
  /** When an operator has asked last for a verification of a name. */
  readonly verifiedAtMs = new Map<string, number>();
  /** Called when scheduled work begins; what it returns, when that has ended, and no fault has kept it from anything. */
  judge: Judge = () => undefined;
  /** The claims, by their keys in the table. */
  readonly claims: () => ReadonlyMap<string, ClaimView>;
  readonly domains: () => readonly ClaimView[];
  readonly projects: () => readonly RoutedProject[];
  /** The ids of the events in the outbox. */
  readonly pendingEvents: () => ReadonlySet<string>;
  readonly #world: Surroundings;
  #pending: { projects?: unknown; claims?: unknown; names: readonly string[] } = { names: [] };
  readonly #reconcile: Schedule;
  readonly #schedules: readonly Schedule[];
  readonly #items: TableItems;

  constructor(name: EnvironmentName, world: Surroundings, service: ReturnType<typeof serviceIn>) {
    this.name = name;
    const { platformZone, redirects } = DEPLOYED[name];
    this.platformZone = platformZone;
    this.redirectApi = redirects.apiId;
    this.service = service;
    this.#world = world;
    world.stages.set(redirects.apiId, redirects.stage);
    this.tables = { domains: tableOf(name, 'domains'), projects: tableOf(name, 'projects') };
    const projects = world.dynamodb.items(this.tables.projects);
    this.#items = world.dynamodb.items(this.tables.domains);
    this.claims = derived(this.#items, claimsIn);
    this.domains = derived(this.#items, () => [...this.claims().values()]);
    this.pendingEvents = derived(this.#items, eventsIn);
    this.projects = derived(projects, projectsAmong);
    const every = (minutes: number, work: ScheduledWork, hasWork: () => boolean) =>
      new Schedule({
        world,
        periodMs: minutes * MINUTE_MS,
        hasWork,
        run: () => this.run(work),
        overlaps: work === 'PublishEvents',
      });
    this.#reconcile = every(RECONCILE_MINUTES, 'ReconcileDomains', () => this.#isReconcileDue());
    this.#schedules = [
      this.#reconcile,
      every(PUBLISH_MINUTES, 'PublishEvents', () => this.pendingEvents().size > 0),
      every(RECONCILE_MINUTES, 'ReconcileEndpoint', () => this.#isEndpointDue()),
    ];
  }

  /** Whether the scheduled reconcile has something to do. */
  get isReconcileDue(): boolean {
    return this.#reconcile.isAwaited;
  }

  /** The primary domains that replace the default URLs of their projects, by the ids of the projects. */
  primaries(): ReadonlyMap<string, string> {
    if (!this.hasDefaultUrls) return new Map();
    return new Map(
      this.projects().flatMap(project => {
        const primary = replacing(project);
        return primary === undefined ? [] : [[project.id, primary] as const];
      }),
    );
  }

  /** What the API of redirects does with the visitors of hosts that are mapped to it, as its function decides. */
  destinations(): { readonly host: string; readonly destination: Destination }[] {
    const { domainNames } = this.#world;
    const isRedirecting = (host: string) => domainNames.find(host)?.mapping?.restApiId === this.redirectApi;
    return this.projects().flatMap(project => {
      const leading = [
        { host: this.defaultHost(project.id), destination: destinationOfDefaultUrl(project) },
        ...project.liveDomains.map(host => ({ host, destination: destinationOfDomain(project, host) })),
      ];
      return leading.flatMap(({ host, destination }) =>
        destination && isRedirecting(host) ? [{ host, destination }] : [],
      );
    });
  }

  /** The domains whose mapping the scheduled reconcile would write. */
  pendingMappings(): readonly string[] {
    const [projects, claims] = [this.projects(), this.domains()];
    if (this.#pending.projects === projects && this.#pending.claims === claims) return this.#pending.names;
    const { redirects } = DEPLOYED[this.name];
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
    this.#world.stages.set(this.apiOf(id), this.name);
    this.#world.dynamodb.items(this.tables.projects).set(id, {
      id,
      plan: 'pro',
      apiId: this.apiOf(id),
      stage: this.name,
      createdAt,
      whileLive: 'redirect' satisfies RoutedProject['whileLive'],
      deployState: 'succeeded',
      succeededAt: createdAt,
    });
  }

  /** The domain name at API Gateway, if it was created for this claim. */
  nameOf(claim: ClaimView): DomainName | undefined {
    const name = this.#world.domainNames.find(claim.domain);
    return name?.tags[CLAIM_TAG] === claim.id ? name : undefined;
  }

  /** Whether the execution of the present attempt at a domain has not ended. */
  isWorkedOn(claim: ClaimView): boolean {
    const machine = DEPLOYED[this.name].tendMachine;
    const arn = `${machine.replace(':stateMachine:', ':execution:')}:${executionOf(claim)}`;
    return this.#world.executions.isUnfinished(arn);
  }

  /** Whether somebody works on a name. */
  isHeld(domain: string): boolean {
    return isLeased(this.#items, domain, this.#world.time.nowMs);
  }

  /** Has the scheduled functions run that have something to do. */
  followSchedules(): void {
    for (const schedule of this.#schedules) schedule.look();
  }

  /** Nobody waits for scheduled work that has nothing left to do. */
  giveUpSchedules(): void {
    for (const schedule of this.#schedules) schedule.giveUp();
  }

  #isReconcileDue(): boolean {
    if (this.sweepsAlways) return true;
    const { time } = this.#world;
    const isDue = (claim: ClaimView) =>
      claim.isDue(time.nowMs) ||
      (claim.isInFlow && !this.isWorkedOn(claim)) ||
      (claim.status === 'ready' && (this.#arrives(claim) || this.#isAdrift(claim))) ||
      (claim.isLive && claim.isLookDue(time.nowMs, this.isPrimary(claim)) && this.#isNews(claim));
    const isOutdated = (claim: ClaimView) => this.isNoticeOutdated(claim);
    return (
      this.domains().some(claim => isDue(claim) || isOutdated(claim)) || this.pendingMappings().length > 0
    );
  }

  /** Whether the owner of a name sees when it may be lost, and nobody contests it any more. */
  isNoticeOutdated({ domain, lossAtMs, isBeingRemoved }: ClaimView): boolean {
    const isContesting = (claim: ClaimView) =>
      claim.domain === domain && claim.status === 'verifying' && claim.contestedSinceMs !== null;
    return lossAtMs !== null && !isBeingRemoved && !this.domains().some(isContesting);
  }

  /** Whether DNS leads the traffic of a domain here. */
  #arrives({ domain }: ClaimView): boolean {
    return this.#world.visitorsOf(domain).kind === 'reached';
  }

  /** Whether visitors of a live domain came or left since it was looked at. */
  #isNews({ domain, hasVisitors }: ClaimView): boolean {
    const { kind } = this.#world.visitorsOf(domain);
    return kind !== 'unknown' && kind !== 'unconfirmed' && hasVisitors !== (kind === 'reached');
  }

  /** Whether a live domain is the primary one of its project. */
  isPrimary({ domain, project }: ClaimView): boolean {
    const routing = this.projects().find(({ id }) => id === project);
    return routing !== undefined && livePrimary(routing) === domain;
  }

  /** Whether what is ours of an attached domain is not as the service has left it. */
  #isAdrift(claim: ClaimView): boolean {
    return claim.reason === null && !this.isInPlace(claim);
  }

  /** Whether an attached domain has its certificate, its mapping and its host. */
  isInPlace(claim: ClaimView): boolean {
    const isCertified =
      this.nameOf(claim)?.certificateArn === claim.certificateArn &&
      this.#world.certificates.find(claim.certificateArn)?.status === 'ISSUED';
    return isCertified && this.isRouted(claim);
  }

  /** Whether the mapping and the host of an attached domain are as the tables ask for; a name that is gone has neither. */
  isRouted(claim: ClaimView): boolean {
    return this.isMapped(claim) && this.isPointed(claim);
  }

  isMapped(claim: ClaimView): boolean {
    return this.nameOf(claim)?.mapping?.restApiId === this.requiredApi(claim);
  }

  isPointed(claim: ClaimView): boolean {
    const [pointsAt] = this.#world.route53.find(this.platformZone.id, claim.target, 'CNAME')?.values ?? [];
    const name = this.nameOf(claim);
    return pointsAt === (name && regionalDomainName(name));
  }

  /** Whether somebody else's API serves an attached domain, which requests don't show. */
  isMappedToOthers(claim: ClaimView): boolean {
    const { restApiId: apiId } = this.nameOf(claim)?.mapping ?? {};
    const own = [this.redirectApi, ...this.projects().map(({ id }) => this.apiOf(id))];
    return apiId !== undefined && !own.includes(apiId);
  }

  /** The API that serves an attached domain: that of its project, or that of redirects. */
  requiredApi({ domain, project }: ClaimView): string {
    const routing = this.projects().find(({ id }) => id === project);
    return routing && activeRedirect(routing, domain) ? this.redirectApi : this.apiOf(project);
  }

  /** Whether default URLs are not as they should be. */
  #isEndpointDue(): boolean {
    if (!this.hasDefaultUrls) return false;
    const { domainNames } = this.#world;
    const isWrong = (label: string, api: string | undefined) => {
      const name = domainNames.find(this.defaultHost(label));
      return name === undefined || name.mapping?.restApiId !== api;
    };
    if (isWrong('*', this.redirectApi)) return true;
    return this.projects().some(project => isWrong(project.id, this.#defaultApi(project)));
  }

  /** The API that the default URL of a project leads to; undefined while it is closed. */
  #defaultApi(project: RoutedProject): string | undefined {
    const isReplaced = replacing(project) !== undefined && reachedPrimary(project) !== undefined;
    if (!isReplaced) return this.apiOf(project.id);
    return project.whileLive === 'closed' ? undefined : this.redirectApi;
  }

  /** The host of a project's default URL. */
  defaultHost(project: string): string {
    return `${project}.${this.platformZone.name}`;
  }

  /** The scheduled work; that of domains is also what ACM's events about certificates lead to. */
  async run(work: ScheduledWork, certificateArns?: readonly string[]): Promise<void> {
    const { reconcileAll, tendAffected, reconcileUrls, publishAll } = this.service;
    const functions = {
      ReconcileDomains: () => (certificateArns ? tendAffected(certificateArns) : reconcileAll()),
      ReconcileEndpoint: reconcileUrls,
      PublishEvents: publishAll,
    };
    await this.#invoke(
      work,
      undefined,
      async () => {
        const { actor } = this.#world.time;
        const onEnd = certificateArns ? undefined : this.judge(work);
        const result = await functions[work]().catch((error: Error) => {
          if (!actor?.hasMetFault)
            this.#world.violate(`${actor?.name} fails (${causeOf(error)}), and no fault explains it`);
          throw error;
        });
        if (!actor?.hasMetFault) onEnd?.();
        return result ?? null;
      },
      DEPLOYED[this.name].scheduled[work],
    ).catch(() => {});
  }

  /** ACM has something to say of certificates. */
  tendAffected(certificateArns: readonly string[]): Promise<void> {
    return wakeUp(this.#world, () => this.run('ReconcileDomains', certificateArns));
  }

  /** ACM has something to say of the certificates of all domains: each of them is tended. */
  tendAll(): Promise<void> {
    return this.tendAffected(this.domains().map(claim => claim.certificateArn));
  }

  /** Invokes the operator function. An internal error that no fault explains is a violation. */
  operate(payload: Record<string, unknown>): Promise<Reply> {
    const { command, requestId, project, domain } = payload;
    // A move is the work of two projects.
    const actorProject = command === 'domains.move' ? undefined : (project as string | undefined);
    return this.#invoke(`Operate ${command}`, actorProject, async () => {
      const { actor } = this.#world.time;
      const reply = await this.service.operate(payload, String(requestId));
      if (command === 'domains.verify') this.verifiedAtMs.set(String(domain), this.#world.time.nowMs);
      if (!reply.ok && reply.error.code === 'internal_error' && !actor?.hasMetFault) {
        this.#world.violate(`${actor?.name} returns internal_error, and no fault explains it`);
      }
      return reply;
    });
  }

  /** Whoever runs the DNS asks for a look at the page for owners. */
  askForLook(link: { readonly domain: string; readonly key: string }): Promise<boolean> {
    const { asking } = DEPLOYED[this.name];
    const ask = async () => {
      const { actor } = this.#world.time;
      return this.service.askForLook(link).catch((error: Error) => {
        // Other writers were faster, again and again.
        if (!actor?.hasMetFault && error.name !== 'ApiError')
          this.#world.violate(`${actor?.name} ends with ${causeOf(error)}, and no fault explains it`);
        throw error;
      });
    };
    return this.#invoke('AskForLook', undefined, ask, asking);
  }

  /** Delivers a task of a state machine. An error that neither a fault nor a race explains is a violation. */
  tend(event: unknown): Promise<unknown> {
    const { project } = event as { project?: string };
    return this.#invoke(
      'TendDomain',
      project,
      async () => {
        const { actor } = this.#world.time;
        try {
          return await this.service.tend(event);
        } catch (error) {
          const { name, message } = error as Error;
          if (!actor?.hasMetFault && !RETRIED_ERRORS.includes(name)) {
            this.#world.violate(`${actor?.name} ends with ${name} (${message}), and no fault explains it`);
          }
          throw error;
        }
      },
      DEPLOYED[this.name].worker,
    );
  }

  #invoke<Result>(
    name: string,
    project: string | undefined,
    work: () => Promise<Result>,
    { timeoutMs, principal }: DeployedFunction = DEPLOYED[this.name].operator,
  ): Promise<Result> {
    const purpose = { environment: this.name, project };
    return this.#world.lambda.invoke({ name, timeoutMs, purpose, principal }, work);
  }
}

/** The primary domain that replaces the default URL of a project while it is live. */
function replacing(project: RoutedProject): string | undefined {
  return project.whileLive === 'serve' ? undefined : livePrimary(project);
}

function projectsAmong(items: TableItems): RoutedProject[] {
  return [...items.values()].map(
    ({ id, plan, whileLive, routing = NO_ROUTING, awayDomains = new Set() }) =>
      ({
        id,
        plan,
        whileLive,
        ...(routing as Routing),
        awayDomains: [...(awayDomains as Set<string>)],
      }) as RoutedProject,
  );
}

function causeOf(error: Error): string {
  return error instanceof AggregateError
    ? error.errors.map(causeOf).join()
    : `${error.name}: ${error.message}`;
}

/** What a step throws when another writer was faster. The state machine repeats it. */
const RETRIED_ERRORS = ['DomainTaken', 'RoutingChanged'];
