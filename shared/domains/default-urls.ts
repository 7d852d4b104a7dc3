import { setTimeout as pauseFor } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { documents, queryItems } from '../aws/document-client.ts';
import { orUnavailable } from '../aws/dynamodb.ts';
import { describeError, log } from '../log.ts';
import { awayReason } from '../projects/default-endpoint.ts';
import type { Project } from '../projects/project.ts';
import { SERVICE_PROJECT_ID } from '../projects/project-choices.ts';
import { deployRequired, type ProjectStore } from '../projects/project-store.ts';
import { defaultUrlRole } from '../projects/routing.ts';
import { type Certificates, isLost } from './aws/certificates.ts';
import type { PlatformZone } from './aws/platform-zone.ts';
import type { Clock } from './clock.ts';
import {
  type ApiStage,
  AttachedByOthers,
  type Front,
  type FrontClaim,
  FrontFull,
  FrontRefused,
  type Later,
  NotAttached,
  type Ticket,
} from './front.ts';
import { DEFAULT_CLAIM, DOMAINS_TABLE } from './life/domain.ts';
import { type Holder, LeaseLost, leases, PATIENCE_MS } from './life/lease.ts';
import { attachmentRefused } from './pass/troubles.ts';

interface DefaultUrlsParts {
  readonly platformDomain: string;
  /** The API of hosts that redirect, which responds with 404 for all others. */
  readonly redirectApi: ApiStage;
  /** The domains table. */
  readonly tableName: string;
  readonly projects: Pick<ProjectStore, 'list' | 'find'>;
  readonly certificates: Pick<Certificates, 'ensure' | 'view' | 'removeAll'>;
  readonly front: Front;
  readonly zone: PlatformZone;
  readonly clock: Clock;
}

/** What a project's default URL does, and why. */
export interface DefaultUrlView {
  readonly url: string;
  readonly state: 'pending' | 'serving' | 'redirecting' | 'closed';
  readonly reason: string | null;
}

/** Names that were deleted, and how many are left. */
export interface WithdrawnUrls {
  readonly removed: string[];
  readonly remaining: number;
}

export type DefaultUrls = ReturnType<typeof defaultUrls>;

/** Those of an environment without a platform domain. */
export const NO_DEFAULT_URLS: DefaultUrls = {
  reconcile: async () => {},
  follow: async () => [],
  views: async () => () => undefined,
  servesPages: async () => false,
  withdraw: async () => ({ removed: [], remaining: 0 }),
};

/** How long a run may wait between its passes: the function has four minutes. */
const RUN_MS = 3 * 60_000;
/**
 * ACM names the validation record within tens of seconds, and issues the certificate minutes later. Delegating the platform
 * domain may take somebody days: then each run looks once.
 */
const FRESH_MS = 10 * 60_000;
const POLL_MS = 5000;
/** ACM takes ten requests a second, of the whole account. */
const SHORTEST_POLL_MS = 250;
/** ACM takes 5,000 certificate requests a year: one that keeps failing uses 1,500 of them. */
const REQUEST_PAUSE_MS = 6 * 60 * 60_000;
/** ACM knows a repeated request for an hour. */
const TOKEN_MS = 60 * 60_000;
/** A full quota lasts until people raise it or make room. Any other refusal may be gone by the next run. */
const FULL_MS = 30 * 60_000;
/** Projects don't change more often than this while one mapping is changed for them. */
const MAX_CHANGES = 5;

const LATER = 'This will change within five minutes.';
const QUEUED = 'API Gateway creates one domain name every 30 seconds. This one is waiting for its turn.';

/** The label of the domain name for all names that no project has. */
const WILDCARD = '*';
/** The label of the domain name for pages of the service itself. */
export const PAGES_LABEL = 'domains';

/** What a domain name is mapped to: `<API>/<stage>`, nothing, or `OPEN` if somebody began to change it. */
type Mapping = string;
const CLOSED: Mapping = 'closed';
const OPEN: Mapping = 'open';

const mappingOf = ({ apiId, stage }: ApiStage): Mapping => `${apiId}/${stage}`;

/** What all default URLs have in common. Times are in milliseconds since 1970. */
const Setup = z.object({
  certificateArn: z._default(z.nullable(z.string()), null),
  requestedAtMs: z._default(z.number(), 0),
  /** The ticket of the front for the next change. */
  slotAt: z._default(z.nullable(z.string()), null),
  /** Why there is no certificate yet. */
  trouble: z._default(z.nullable(z.string()), null),
  /** Nothing is created until the next deploy. */
  isWithdrawn: z._default(z.boolean(), false),
});
type Setup = z.infer<typeof Setup>;

/**
 * A domain name of default URLs, in the state it was left. Anything that may be at the front or in the zone has an item.
 */
const Name = z.object({
  /** The certificate it has at the front, once it is in place. */
  certificateArn: z._default(z.nullable(z.string()), null),
  mapping: z._default(z.nullable(z.string()), null),
  /** What keeps it from its certificate, and when to try again. */
  trouble: z._default(z.nullable(z.string()), null),
  againAtMs: z._default(z.number(), 0),
});
type Name = z.infer<typeof Name>;
const ABSENT = Name.parse({});

interface Issued {
  readonly arn?: string;
  readonly trouble: string | null;
  readonly againAtMs?: number | undefined;
}

/**
 * The default URLs of projects, https://<project>.<platform domain>. Every project that was deployed has a domain name of
 * API Gateway, mapped to its API, to the API of redirects, or to none while it is closed. One more, `*.<platform domain>`,
 * leads all other names to the API of redirects, which responds with 404, and `domains.<platform domain>` to the pages of
 * the service itself. All have one certificate.
 *
 * Whoever changes them holds the lease of the platform domain; scheduled runs and commands act the same way.
 *
 * Routing rules of the wildcard would do without further domain names. They are not used: a domain name has 50 of them, an
 * account 120 domain names; they compare the Host header by case; and none can respond with 403.
 */
export function defaultUrls(parts: DefaultUrlsParts) {
  const { platformDomain, redirectApi, projects, certificates, front, zone, clock } = parts;
  const store = urlStore(parts.tableName, platformDomain);
  const holding = leases(parts.tableName, clock.now);
  const claimFor = (label: string): FrontClaim => ({
    domain: `${label}.${platformDomain}`,
    target: `${DEFAULT_CLAIM}.${platformDomain}`,
  });
  // Stays the same when a request is repeated, and differs when a failed certificate is replaced.
  const certificateClaim = (arn: string | null, requestedAtMs: number) => ({
    ...claimFor(WILDCARD),
    revision: requestedAtMs,
    certificate: { arn },
  });

  const mappingOfProject = (project: Project): Mapping => {
    const { kind } = deployRequired(project) ? { kind: 'redirecting' } : defaultUrlRole(project);
    if (kind === 'closed') return CLOSED;
    return mappingOf(kind === 'serving' ? project : redirectApi);
  };
  /** The service's own API has the pages, unless a project had that name before there were any. */
  const mappingOfPages = (all: readonly Project[]): Mapping | undefined => {
    const service = all.find(({ id }) => id === SERVICE_PROJECT_ID);
    const isTaken = all.some(({ id }) => id === PAGES_LABEL);
    return service && !deployRequired(service) && !isTaken ? mappingOf(service) : undefined;
  };
  const requiredMapping = async (label: string): Promise<Mapping> => {
    const project = label === WILDCARD ? undefined : await projects.find(label);
    if (project) return mappingOfProject(project);
    const pages = label === PAGES_LABEL ? mappingOfPages(await projects.list()) : undefined;
    return pages ?? mappingOf(redirectApi);
  };
  const isMismapped = (project: Project, { mapping } = ABSENT) =>
    mapping !== null && mapping !== mappingOfProject(project);

  /** Maps a domain name as its project asks, and looks again after each change: commands don't wait. */
  const map = async (label: string, present: Mapping, holder: Holder): Promise<void> => {
    const claim = claimFor(label);
    let mapping = present;
    for (let changes = 0; changes < MAX_CHANGES; changes += 1) {
      const required = await requiredMapping(label);
      if (mapping === required) return;
      // If this function ends early, the next run finds it open.
      if (mapping !== OPEN) await store.set(label, { mapping: OPEN });
      holder.requireTime();
      const [apiId = '', stage = ''] = required.split('/');
      await (required === CLOSED ? front.unroute(claim) : front.route(claim, { apiId, stage }));
      mapping = required;
      await store.set(label, { mapping });
    }
  };

  /** Asks the front for a change with the current ticket, and keeps what it says for the next one. */
  const inTurn = async (setup: Setup, change: (ticket: Ticket) => Promise<Later | undefined>) => {
    const { slotAt } = setup;
    setup.slotAt = null;
    try {
      const later = await change(slotAt);
      setup.slotAt = later?.ticket ?? null;
      return later;
    } finally {
      if (setup.slotAt !== slotAt) await store.setUp({ slotAt: setup.slotAt });
    }
  };

  /** Does work for each project; returns those it failed for, with the errors. */
  const forEach = async <Each extends { label: string }>(
    all: readonly Each[],
    work: (each: Each) => Promise<void>,
  ) => {
    const failed = new Map<string, unknown>();
    for (const each of all) {
      const { label } = each;
      try {
        await work(each);
      } catch (error) {
        if (error instanceof LeaseLost) throw error;
        // It was deleted by hand: the next run attaches it again, or says who has it.
        const isGone = error instanceof NotAttached || error instanceof AttachedByOthers;
        if (isGone) await store.set(label, { certificateArn: null });
        log.error('A default URL could not be changed.', { project: label, error: describeError(error) });
        failed.set(label, error);
      }
    }
    return failed;
  };

  /** The certificate once it's issued; until then, what keeps it from that, and when to look again if that's soon. */
  const issued = async (setup: Setup, holder: Holder): Promise<Issued> => {
    const nowMs = clock.now();
    let { certificateArn: arn, requestedAtMs } = setup;
    let view = arn === null ? undefined : await certificates.view(arn);
    if (arn === null || !view || isLost(view)) {
      if (view?.status && nowMs < requestedAtMs + clock.scaled(REQUEST_PAUSE_MS)) {
        const why = [view.status, view.failure].filter(Boolean).join(': ');
        const trouble = `ACM did not issue the certificate of *.${platformDomain} (${why}). A new one is requested within six hours.`;
        return { trouble };
      }
      // Stored before the request, so that whoever continues or withdraws gets the same one.
      const isRepeated = arn === null && nowMs < requestedAtMs + TOKEN_MS;
      if (!isRepeated) {
        requestedAtMs = nowMs;
        await store.setUp({ certificateArn: null, requestedAtMs });
      }
      holder.requireTime();
      arn = await certificates.ensure(certificateClaim(null, requestedAtMs));
      await store.setUp({ certificateArn: arn });
      view = await certificates.view(arn);
    }
    for (const { name, value } of view.validations) {
      if ((await zone.targetOf(name)) !== value) await zone.pointAt(name, value);
    }
    if (view.status === 'ISSUED') return { arn, trouble: null };
    const trouble = `The certificate of *.${platformDomain} hasn't been issued yet. ACM issues it once ${platformDomain} is delegated to the name servers of the output PlatformNameServers.`;
    const isFresh = nowMs < requestedAtMs + clock.scaled(FRESH_MS);
    const pollMs = Math.max(SHORTEST_POLL_MS, clock.scaled(POLL_MS));
    return { trouble, againAtMs: isFresh ? nowMs + pollMs : undefined };
  };

  /**
   * One pass over everything, as far as currently possible. Returns when to continue, if that's soon. Asks AWS about a domain
   * name only if something changed.
   */
  const pass = async (holder: Holder): Promise<number | undefined> => {
    const { setup, names } = await store.read();
    if (setup.isWithdrawn) return undefined;
    const { arn, trouble, againAtMs } = await issued(setup, holder);
    if (trouble !== setup.trouble) await store.setUp({ trouble });
    if (arn === undefined) return againAtMs;
    const nowMs = clock.now();
    let queued: Later | undefined;

    /**
     * What keeps a domain name from being attached with the certificate, and until when. A refused name doesn't hold up
     * others.
     */
    const attach = async (label: string, before: Name): Promise<Name> => {
      const waiting = before.againAtMs > 0 ? before : { ...before, trouble: QUEUED };
      if (queued) return waiting;
      holder.requireTime();
      try {
        queued = await inTurn(setup, ticket => front.attach(claimFor(label), arn, ticket));
        return queued ? waiting : { ...before, trouble: null, againAtMs: 0 };
      } catch (error) {
        const isRefused = error instanceof FrontRefused;
        if (!isRefused && !(error instanceof AttachedByOthers)) throw error;
        const { domain } = claimFor(label);
        const refusal = isRefused ? attachmentRefused(domain, error).message : error.message;
        if (refusal !== before.trouble) log.warn('A default URL was refused.', { domain, refusal });
        const pauseMs = error instanceof FrontFull ? clock.scaled(FULL_MS) : 0;
        return { ...before, trouble: refusal, againAtMs: nowMs + pauseMs };
      }
    };

    const serve = async ({ label, name, isLacking }: (typeof due)[number]): Promise<void> => {
      // Stored before it is created, so that a withdrawal finds it.
      const before = { ...name, mapping: name.mapping ?? OPEN };
      const after = isLacking ? await attach(label, before) : before;
      if (!isDeepStrictEqual(after, name)) await store.set(label, after);
      const isNew = isLacking && after.trouble === null;
      if (isNew || before.certificateArn !== null) await map(label, before.mapping, holder);
      const served = isNew && (await front.find(claimFor(label)));
      if (!served) return;
      await zone.alias(claimFor(label).domain, served);
      await store.set(label, { certificateArn: arn });
    };

    const all = await projects.list();
    const pages = mappingOfPages(all);
    const wanted = all
      .filter(project => names.has(project.id) || !deployRequired(project))
      .map(project => [project.id, mappingOfProject(project)] as const);
    const own = [
      ...(pages === undefined ? [] : [[PAGES_LABEL, pages] as const]),
      [WILDCARD, mappingOf(redirectApi)] as const,
    ];
    const due = [...wanted, ...own]
      .map(([label, mapping]) => {
        const name = names.get(label) ?? ABSENT;
        const isLacking = name.certificateArn !== arn && name.againAtMs <= nowMs;
        return {
          label,
          name,
          isLacking,
          isMismapped: name.certificateArn !== null && name.mapping !== mapping,
        };
      })
      .filter(({ isLacking, isMismapped }) => isLacking || isMismapped)
      .sort((one, other) => one.name.againAtMs - other.name.againAtMs);
    const failed = await forEach(due, serve);
    if (failed.size > 0) throw new AggregateError(failed.values(), 'Some default URLs could not be changed.');
    return queued?.atMs;
  };

  /** Deletes the domain names, their records and the certificate, as far as currently possible. */
  const removal = async (holder: Holder): Promise<WithdrawnUrls> => {
    const { setup, names } = await store.read();
    for (const [label, { mapping }] of names) {
      if (mapping === null) continue;
      holder.requireTime();
      await front.unroute(claimFor(label));
      await zone.remove(claimFor(label).domain);
      await store.set(label, ABSENT);
    }
    const { certificateArn, requestedAtMs } = setup;
    const isRequested = requestedAtMs > 0;
    const removed: string[] = [];
    const remaining = () => names.size - removed.length + (isRequested ? 1 : 0);
    for (const label of names.keys()) {
      holder.requireTime();
      const later = await inTurn(setup, ticket => front.detach(claimFor(label), ticket));
      if (later) return { removed, remaining: remaining() };
      await store.remove(label);
      removed.push(claimFor(label).domain);
    }
    if (!isRequested) return { removed, remaining: 0 };
    holder.requireTime();
    const arn = certificateArn ?? (await certificates.ensure(certificateClaim(null, requestedAtMs)));
    const { validations } = await certificates.view(arn);
    for (const { name } of validations) await zone.remove(name);
    const isGone = await certificates.removeAll(certificateClaim(arn, requestedAtMs));
    if (isGone) {
      await store.setUp({ certificateArn: null, requestedAtMs: 0 });
      return { removed, remaining: 0 };
    }
    // AWS may carry out a run's request after its domain name was removed. The next removal deletes it again.
    const labels = [WILDCARD, PAGES_LABEL, ...(await projects.list()).map(({ id }) => id)];
    for (const label of labels) if (await front.find(claimFor(label))) await store.set(label, ABSENT);
    return { removed, remaining: 1 };
  };

  const viewOf = (project: Project, setup: Setup, name = ABSENT): DefaultUrlView => {
    const url = `https://${project.id}.${platformDomain}`;
    const view = (state: DefaultUrlView['state'], reason: string | null) => ({ url, state, reason });
    const { mapping, trouble } = name;
    if (setup.isWithdrawn) return view('pending', '"petstore teardown" removed it. A deploy brings it back.');
    const undeployed = deployRequired(project);
    if (undeployed) return view('pending', undeployed.message);
    if (name.certificateArn === null || mapping === OPEN) {
      return view('pending', setup.trouble ?? trouble ?? "It's being set up. This takes up to five minutes.");
    }
    const isRedirecting = mapping === mappingOf(redirectApi);
    const state = mapping === CLOSED ? 'closed' : isRedirecting ? 'redirecting' : 'serving';
    if (mapping !== mappingOfProject(project)) return view(state, trouble ?? LATER);
    return view(state, state === 'serving' ? awayReason(project) : null);
  };

  return {
    /**
     * Makes sure that everything is in place, as far as currently possible; the next run continues. After a deploy it brings
     * back what was withdrawn, and waits for nothing.
     */
    async reconcile({ isDeployed = false } = {}): Promise<void> {
      const endMs = clock.now() + (isDeployed ? 0 : clock.scaled(RUN_MS));
      if (isDeployed) await store.setUp({ isWithdrawn: false });
      for (;;) {
        const againAtMs = await holding(platformDomain, pass, PATIENCE_MS, leftMs => clock.now() + leftMs);
        if (againAtMs === undefined || againAtMs > endMs) return;
        await pauseFor(Math.max(0, againAtMs - clock.now()));
      }
    },

    /** After a change, maps the projects' own domain names. Returns what the operator should know. */
    async follow(): Promise<string[]> {
      const mismapped = async () => {
        const { names } = await store.read();
        const wrong = (await projects.list()).filter(project => isMismapped(project, names.get(project.id)));
        return wrong.map(({ id }) => ({ label: id, mapping: names.get(id)?.mapping ?? OPEN }));
      };
      const before = await mismapped();
      if (before.length === 0) return [];
      const followed = await holding(
        platformDomain,
        async holder => {
          const failed = await forEach(await mismapped(), ({ label, mapping }) =>
            map(label, mapping, holder),
          );
          return [...failed.keys()];
        },
        PATIENCE_MS,
      );
      return (followed ?? before.map(({ label }) => label)).map(
        id => `The default URL of ${id} couldn't be changed yet. ${LATER}`,
      );
    },

    /**
     * Deletes the domain names, their records and the certificate, before the stack is deleted. Repeat it until nothing is
     * left.
     */
    async withdraw(): Promise<WithdrawnUrls> {
      const { setup } = await store.read();
      if (!setup.isWithdrawn) await store.setUp({ isWithdrawn: true, slotAt: null });
      return (await holding(platformDomain, removal, PATIENCE_MS)) ?? { removed: [], remaining: 1 };
    },

    /** Whether the pages of the service itself are at their URL. */
    async servesPages(): Promise<boolean> {
      const { setup, names } = await store.read();
      const { certificateArn, mapping } = names.get(PAGES_LABEL) ?? ABSENT;
      return (
        !setup.isWithdrawn && certificateArn !== null && mapping === mappingOfPages(await projects.list())
      );
    },

    /** What the default URL of a project does; undefined in an environment without a platform domain. */
    async views(): Promise<(project: Project) => DefaultUrlView | undefined> {
      const { setup, names } = await store.read();
      return project => viewOf(project, setup, names.get(project.id));
    },
  };
}

/** The items of default URLs in the domains table (life/domain.ts). */
function urlStore(TableName: string, platformDomain: string) {
  const { defaultUrlsPartitionKey: domain } = DOMAINS_TABLE;
  const setupKey = `#${platformDomain}`;
  const keyOf = (label: string) => `${label}.${platformDomain}`;
  const update = async (project: string, fields: object): Promise<void> => {
    const entries = Object.entries(fields);
    const change = new UpdateCommand({
      TableName,
      Key: { domain, project },
      UpdateExpression: `SET ${entries.map(([name]) => `${name} = :${name}`).join(', ')}`,
      ExpressionAttributeValues: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
    });
    await orUnavailable(documents.send(change));
  };
  return {
    async read() {
      const items = await queryItems({
        TableName,
        KeyConditionExpression: '#domain = :domain',
        ExpressionAttributeNames: { '#domain': DOMAINS_TABLE.partitionKey },
        ExpressionAttributeValues: { ':domain': domain },
        ConsistentRead: true,
      });
      const keyed = items.map(item => [String(item.project), item] as const);
      const own = keyed.filter(([key]) => key.endsWith(keyOf('')) && !key.startsWith('#'));
      return {
        setup: Setup.parse(keyed.find(([key]) => key === setupKey)?.[1] ?? {}),
        names: new Map(own.map(([key, item]) => [key.slice(0, -keyOf('').length), Name.parse(item)])),
      };
    },

    /** Changes fields that all names share. */
    setUp: (fields: Partial<Setup>) => update(setupKey, fields),

    /** Changes fields of a name. */
    set: (label: string, fields: Partial<Name>) => update(keyOf(label), fields),

    async remove(label: string): Promise<void> {
      const Key = { domain, project: keyOf(label) };
      await orUnavailable(documents.send(new DeleteCommand({ TableName, Key })));
    },
  };
}
