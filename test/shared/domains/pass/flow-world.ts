import type { Certificates } from '../../../../shared/domains/aws/certificates.ts';
import type { PlatformZone } from '../../../../shared/domains/aws/platform-zone.ts';
import { clock, timeOf } from '../../../../shared/domains/clock.ts';
import type { OperatorParts } from '../../../../shared/domains/composition.ts';
import { NO_DEFAULT_URLS } from '../../../../shared/domains/default-urls.ts';
import type { ZoneDelegation } from '../../../../shared/domains/dns/delegation.ts';
import { zoneFinder } from '../../../../shared/domains/dns/vantage-points.ts';
import {
  ApiUnknown,
  type AttachedDomain,
  type Front,
  type Later,
  type Ticket,
} from '../../../../shared/domains/front.ts';
import type { CertificateView, Domain } from '../../../../shared/domains/life/domain.ts';
import { isBeingRemoved } from '../../../../shared/domains/life/domain-status.ts';
import { domainStore } from '../../../../shared/domains/life/domain-store.ts';
import { liveRouting } from '../../../../shared/domains/pass/live-routing.ts';
import type { ManagedRecords } from '../../../../shared/domains/pass/managed-records.ts';
import { reconciler } from '../../../../shared/domains/pass/reconciler.ts';
import { sweeper } from '../../../../shared/domains/pass/sweep.ts';
import { takeover } from '../../../../shared/domains/pass/takeover.ts';
import { tender } from '../../../../shared/domains/pass/tend.ts';
import { type Attempt, worker } from '../../../../shared/domains/pass/worker.ts';
import type { Reached } from '../../../../shared/domains/reach.ts';
import type { Project } from '../../../../shared/projects/project.ts';
import { projectStore } from '../../../../shared/projects/project-store.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import {
  AT,
  AT_MS,
  certified,
  claimed,
  HOST,
  NAME,
  PUBLISHED,
  REDIRECTS,
  TARGET,
  VALIDATION,
} from '../claimed-domain.ts';
import { type ZoneContent, zoneLookup } from '../dns/zone-lookup.ts';
import { forget, save, storeClaim } from '../stored-claims.ts';

/** The second attempt at www.zoo.example, as an execution passes it to a wake-up. */
export const ATTEMPT = { domain: NAME, project: 'zoo', attempt: 2 };

/** Its domain name at API Gateway, with its certificate; and one of others. */
export const GATEWAY: AttachedDomain = {
  host: HOST,
  hostedZoneId: 'Z1UJRXOUMOOFQ8',
  certificateArn: certified().arn as string,
  isOurs: true,
};
export const FOREIGN: AttachedDomain = { ...GATEWAY, host: 'd-9', certificateArn: 'theirs', isOurs: false };

/** An API that was deleted. */
export const GONE_API = 'nowhere001';

/** The records of www.zoo.example as they should be. */
export const RIGHT_RECORDS = {
  'www.zoo.example CNAME': [TARGET],
  [`${VALIDATION.name} CNAME`]: [VALIDATION.value],
} as const;

const { arn: _, requests: __, ...ISSUED } = certified();

const initialWorld = () => ({
  nowMs: AT_MS,
  zone: RIGHT_RECORDS as ZoneContent,
  /** The name servers that the zone is delegated to. */
  delegation: undefined as ZoneDelegation | undefined,
  certificate: ISSUED as CertificateView,
  /** Whether a certificate can be deleted. */
  isInUse: false,
  gateway: undefined as AttachedDomain | undefined,
  /** What the host in the platform's zone points at. */
  hostTarget: HOST as string | undefined,
  /** Fields of the projects in place of those that are stored; undefined when the projects are gone. */
  projectFields: {} as Partial<Project> | undefined,
  /** How an HTTPS request to the domain ends. */
  reached: { kind: 'reached' } as Reached,
  /** What the next change of a domain name comes to. */
  refusal: undefined as Error | undefined,
  /** How long after now the next slot is. */
  slotInMs: 0,
  /** What someone else does when the domain has just been mapped. */
  onMapped: async () => {},
  /** What happens while a mapping is deleted. */
  onUnmapped: async () => {},
  calls: [] as string[],
  /** The API that each domain is mapped to. */
  mapped: new Map<string, string>(),
});

type PassParts = Parameters<typeof tender>[0];

type BaseParts = Omit<
  OperatorParts,
  keyof ReturnType<typeof liveRouting> | 'zoneOf' | 'reconcile' | 'tend' | 'sweep' | 'takeover'
> & {
  readonly managedRecords: ManagedRecords;
};

/**
 * The services of custom domains over a table of their own, with DNS and AWS as the test sets them and a clock that
 * stands still. What AWS is asked is recorded in `calls`. `given` replaces further parts.
 */
export async function flowWorld({ scale = 1, ...given }: Partial<BaseParts> & { scale?: number } = {}) {
  const world = initialWorld();
  const domains = given.domains ?? domainStore(await tableLike('DomainsTable'), () => world.nowMs);
  const stored = given.projects ?? projectStore(await tableLike('ProjectsTable'));
  const asGiven = (project: Project) => (world.projectFields ? [{ ...project, ...world.projectFields }] : []);
  const projects = {
    ...stored,
    async find(id: string) {
      const project = await stored.find(id);
      return project && asGiven(project)[0];
    },
    list: async () => (await stored.list()).flatMap(asGiven),
  };
  const note = (...words: readonly string[]) => world.calls.push(words.join(' '));
  const refuse = () => {
    const { refusal } = world;
    world.refusal = undefined;
    if (refusal) throw refusal;
  };

  const certificates: Certificates = {
    isRecordShared: async () => false,
    async ensure() {
      note('request');
      return `arn:aws:acm:us-east-1:000000000000:certificate/another-${world.calls.length}`;
    },
    view: async () => world.certificate,
    async remove(arn) {
      note(`delete certificate ${arn.slice(arn.lastIndexOf('/') + 1)}`);
      return !world.isInUse;
    },
    async removeAll() {
      note('delete certificates');
      return !world.isInUse;
    },
  };
  const inTurn = (ticket: Ticket = null, change: () => void): Later | undefined => {
    if (ticket === null) note('slot');
    const atMs = ticket === null ? world.nowMs + world.slotInMs : Date.parse(ticket);
    if (atMs > world.nowMs) return { kind: 'later', atMs, ticket: timeOf(atMs), isBusy: false };
    return change() as undefined;
  };
  const front: Front = {
    isForeign: async () => world.gateway?.isOurs === false,
    hasStage: async ({ apiId }) => apiId !== GONE_API,
    find: async () => world.gateway,
    async routeOf({ domain }) {
      const apiId = world.mapped.get(domain);
      return apiId === undefined
        ? undefined
        : { ...(apiId === REDIRECTS.apiId ? REDIRECTS : PUBLISHED), apiId };
    },
    async attach({ domain }, certificateArn, ticket) {
      return inTurn(ticket, () => {
        note('ensure', domain, certificateArn);
        refuse();
        world.gateway = { ...GATEWAY, host: world.gateway?.host ?? HOST, certificateArn };
      });
    },
    async route({ domain }, { apiId }) {
      note('map', domain, apiId);
      if (apiId === GONE_API) throw new ApiUnknown();
      world.mapped.set(domain, apiId);
      await world.onMapped();
    },
    async unroute({ domain }) {
      note('unmap', domain);
      world.mapped.delete(domain);
      await world.onUnmapped();
    },
    async detach({ domain }, ticket) {
      return inTurn(ticket, () => {
        note('remove', domain);
        refuse();
        world.gateway = undefined;
      });
    },
  };
  const zone: PlatformZone = {
    targetOf: async () => world.hostTarget,
    async alias(name, { host }) {
      note('alias', name, host);
    },
    async open(host, target) {
      note('open', host, target);
    },
    async pointAt(host, target) {
      note('point', host, target);
      world.hostTarget = target;
    },
    async remove(host) {
      note('remove', host);
    },
    nameServers: async () => ['ns-1.aws.example', 'ns-2.aws.example'],
  };
  const managedRecords: ManagedRecords = {
    zoneIdOf: async () => undefined,
    make: async domain => domain,
    async removeAll() {
      note('delete records');
    },
  };
  const lookup = zoneLookup(() => world.zone);
  const base: BaseParts = {
    clock: clock(scale, () => world.nowMs),
    domains,
    certificates,
    front,
    zone,
    managedRecords,
    flows: {
      async start(claim) {
        note(
          isBeingRemoved(claim) ? 'start removal' : 'start verification',
          claim.domain,
          String(claim.attempt),
        );
      },
    },
    async reach(domain, { serials }, edgeHost, published = []) {
      note('reach', domain, ...serials, edgeHost, ...published);
      return { edge: { kind: 'reached' }, visitors: world.reached };
    },
    async sampleAddresses(hosts) {
      if (hosts.length > 0) note('sample', ...hosts);
    },
    vantagePoints: async () => ({
      zone: undefined,
      isApex: false,
      ...(world.delegation && { delegation: world.delegation }),
      authoritative: lookup,
      resolvers: [lookup],
    }),
    resolvers: [lookup],
    answeringZones: [],
    platformDomain: undefined,
    defaultUrls: NO_DEFAULT_URLS,
    platformDelegation: async () => ({ isInPlace: true }),
    endpointOf: id => `${id}.execute-api.us-east-1.amazonaws.com`,
    ...given,
    projects,
  };
  const routed = { ...base, ...liveRouting({ ...base, redirectApi: REDIRECTS }), takeover: takeover(base) };
  const tendHeld = tender(routed, base.flows.start);
  const tend = (claim: Domain, patienceMs = 0) =>
    domains.holding(claim.domain, holder => tendHeld(claim, holder), patienceMs);
  const parts = {
    ...routed,
    zoneOf: zoneFinder(base.vantagePoints),
    reconcile: reconciler(routed),
    tend,
    sweep: sweeper({ ...routed, tend }),
  };
  const store = parts.domains;
  if (!given.projects) await projects.recordDeploy({ id: 'zoo', plan: 'pro', ...PUBLISHED }, AT);

  return Object.assign(world, {
    parts,
    store,
    /** Stores a domain in place of the one of its name. */
    async stored(changes: Partial<Domain> = {}): Promise<Domain> {
      const domain = claimed({ status: 'verifying', attempt: 2, ...changes });
      const before = await store.find(domain.domain, domain.project);
      if (before) await this.forget(before);
      await storeClaim(store, domain);
      return domain;
    },
    save: (next: Domain) => save(store, next),
    forget: (claim: Domain, keptUntilMs?: number) => forget(store, claim, world.nowMs, keptUntilMs),
    async found(name = NAME, project = 'zoo'): Promise<Domain> {
      const domain = await store.find(name, project);
      if (!domain) throw new Error(`There is no ${name}.`);
      return domain;
    },
    /** A wake-up by an execution, where some parts may be others; what follows, and the domain as it is then. */
    async run(attempt: Attempt = ATTEMPT, others: Partial<PassParts> = {}) {
      const wake = worker({ domains, tend: tender({ ...routed, ...others }) });
      const { next, waitSeconds } = await wake(attempt);
      return { ...(await domains.find(attempt.domain, attempt.project)), next, waitSeconds };
    },
    /** Gives a live domain its domain name and its mapping at API Gateway. */
    attach(name = NAME) {
      world.gateway = GATEWAY;
      world.mapped.set(name, 'abcdefghij');
    },
    /** Sets everything as it was at first. */
    reset() {
      Object.assign(world, initialWorld());
    },
  });
}

export type FlowWorld = Awaited<ReturnType<typeof flowWorld>>;
