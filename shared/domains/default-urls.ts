import { setTimeout as pauseFor } from 'node:timers/promises';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { documents, queryItems } from '../aws/document-client.ts';
import { orUnavailable } from '../aws/dynamodb.ts';
import { describeError, log } from '../log.ts';
import { awayReason } from '../projects/default-endpoint.ts';
import type { Project } from '../projects/project.ts';
import { deployRequired, type ProjectStore } from '../projects/project-store.ts';
import { reachedPrimary } from '../projects/routing.ts';
import { type Certificates, isLost } from './aws/certificates.ts';
import type { PlatformZone } from './aws/platform-zone.ts';
import type { Clock } from './clock.ts';
import {
  type ApiStage,
  AttachedByOthers,
  type AttachedDomain,
  type Front,
  FrontBusy,
  FrontRefused,
} from './front.ts';
import { DEFAULT_CLAIM, DOMAINS_TABLE } from './life/domain.ts';

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

/** What the default URL of a project does, and why. */
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

/**
 * The default URLs of projects, https://<project>.<platform domain>. Every project that was deployed has a domain name of
 * API Gateway, mapped to its API, to the API of redirects, or to none while it is closed. One more, `*.<platform domain>`,
 * leads all other names to the API of redirects, which responds with 404. All have one certificate.
 *
 * Routing rules of the wildcard would do without further domain names. They are not used: a domain name has 50 of them,
 * an account 120 domain names; they compare the Host header by case; and none can respond with 403.
 */
export interface DefaultUrls {
  /**
   * Makes sure that everything is in place, as far as that is possible by now; the next run goes on. After a deploy it
   * brings back what was withdrawn, and waits for nothing.
   */
  reconcile(options?: { isDeployed?: boolean }): Promise<void>;
  /** Maps the domain names that projects have of their own, after a change. Returns what the operator has to know. */
  follow(): Promise<string[]>;
  /** What the default URL of a project does; undefined in an environment without a platform domain. */
  views(): Promise<(project: Project) => DefaultUrlView | undefined>;
  /** Deletes the domain names, their records and the certificate, before the stack is deleted. To be repeated. */
  withdraw(): Promise<WithdrawnUrls>;
}

/** Those of an environment without a platform domain. */
export const NO_DEFAULT_URLS: DefaultUrls = {
  reconcile: async () => {},
  follow: async () => [],
  views: async () => () => undefined,
  withdraw: async () => ({ removed: [], remaining: 0 }),
};

/** The label of the domain name for all names that no project has. */
const WILDCARD = '*';
const CLOSED = 'closed';

/** How long a run may wait for slots: the function has four minutes. */
const RUN_MS = 3 * 60_000;
/** How long a withdrawal may wait for slots: the operator function has 55 s. */
const WITHDRAWAL_MS = 35_000;
/** ACM names the validation record within tens of seconds, and issues the certificate minutes later. */
const FIRST_WAIT_MS = 60_000;
const POLL_MS = 3000;
/** ACM takes ten requests a second, of the whole account. */
const SHORTEST_POLL_MS = 250;
/** ACM takes 5,000 requests for certificates a year: one that fails again and again uses 1,500 of them. */
const REQUEST_PAUSE_MS = 6 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
/** A function that was stopped may write an old mapping over a newer one until it ends, after four minutes at most. */
const SETTLED_MS = 15 * 60_000;
/** A project is not changed more often than this while one mapping is written. */
const MAX_FOLLOWED_CHANGES = 5;

const LATER = 'This will change within five minutes.';

export function defaultUrls(parts: DefaultUrlsParts): DefaultUrls {
  const { platformDomain, redirectApi, projects, front, zone, certificates, clock } = parts;
  const store = defaultUrlStore(parts.tableName, platformDomain);
  const wildcardName = `${WILDCARD}.${platformDomain}`;
  const claimFor = (label: string) => ({
    domain: `${label}.${platformDomain}`,
    target: `${DEFAULT_CLAIM}.${platformDomain}`,
  });
  const certificateClaim = (arn: string | null) => ({
    ...claimFor(WILDCARD),
    // Equal in runs that overlap, another when a certificate that failed is replaced.
    revision: Math.floor(clock.now() / HOUR_MS),
    certificate: { arn },
  });
  const until = (timeMs: number) => pauseFor(Math.max(0, timeMs - clock.now()));

  /** What the default URL of a project is mapped to; undefined if it is closed. */
  const requiredOf = (project: Project): ApiStage | undefined => {
    if (deployRequired(project)) return redirectApi;
    if (reachedPrimary(project) === undefined || project.whileLive === 'serve') return project;
    return project.whileLive === 'redirect' ? redirectApi : undefined;
  };

  /** The certificate, once it is issued. */
  const issuedCertificate = async (setup: Setup, endMs: number): Promise<string | undefined> => {
    const pending = async (problem: string) => {
      if (setup.problem !== problem) await store.change({ problem });
      return undefined;
    };
    let arn = setup.certificateArn;
    let view = arn === undefined ? undefined : await certificates.view(arn);
    let isNew = false;
    if (arn === undefined || (view && isLost(view))) {
      const nextRequestMs = (setup.requestedAtMs ?? 0) + clock.scaled(REQUEST_PAUSE_MS);
      if (view && view.status !== null && nextRequestMs > clock.now()) {
        const failure = view.failure === null ? '' : `: ${view.failure}`;
        return pending(
          `ACM did not issue the certificate of ${wildcardName} (${view.status}${failure}). A new one is requested within six hours.`,
        );
      }
      arn = await certificates.ensure(certificateClaim(null));
      view = undefined;
      isNew = true;
      await store.change({ certificateArn: arn, requestedAtMs: clock.now() });
    }
    const pollMs = Math.max(SHORTEST_POLL_MS, clock.scaled(POLL_MS));
    const waitEndMs = Math.min(endMs, clock.now() + clock.scaled(FIRST_WAIT_MS));
    for (;;) {
      const { status, validations } = view ?? (await certificates.view(arn));
      for (const { name, value } of validations) {
        if ((await zone.targetOf(name)) === value) continue;
        await zone.pointAt(name, value);
        isNew = true;
      }
      if (status === 'ISSUED') return arn;
      // Whoever has to delegate the platform domain may take days: only what is new is waited for.
      if (!isNew || clock.now() >= waitEndMs) break;
      await pauseFor(pollMs);
      view = undefined;
    }
    return pending(
      `The certificate of ${wildcardName} hasn't been issued yet. ACM issues it once ${platformDomain} is delegated to the name servers of the output PlatformNameServers.`,
    );
  };

  /** Slots until the end of a run. One that is later is kept for the next run. */
  const slotsUntil = (endMs: number, { slotAtMs }: Setup) => {
    let queuedMs = slotAtMs;
    return async (): Promise<boolean> => {
      queuedMs ??= (await front.bookSlot()).queuedAtMs;
      const atMs = await front.timeOfSlot(queuedMs);
      if (atMs > endMs) {
        await store.change({ slotAtMs: queuedMs });
        return false;
      }
      await until(atMs);
      if (queuedMs === slotAtMs) await store.change({ slotAtMs: undefined });
      queuedMs = undefined;
      return true;
    };
  };

  interface Run {
    readonly arn: string;
    readonly names: ReadonlyMap<string, RecordedName>;
    readonly takeSlot: () => Promise<boolean>;
    /** Whether a domain name could not be created yet. */
    isWaiting: boolean;
  }

  /** The domain name with the certificate; undefined while there is none. */
  const domainName = async (label: string, run: Run): Promise<AttachedDomain | undefined> => {
    const claim = claimFor(label);
    const present = await front.find(claim);
    const obstructed = async (problem: string, isWaiting: boolean) => {
      run.isWaiting ||= isWaiting;
      const recorded = run.names.get(label) ?? { label };
      if (recorded.problem !== problem) await store.put({ ...recorded, problem });
      return present?.isOurs ? present : undefined;
    };
    if (present?.isOurs && present.certificateArn === run.arn) return present;
    try {
      if (!present) await front.requireRoom(claim.domain);
      if (!(await run.takeSlot())) {
        return obstructed(
          'API Gateway changes one domain name every 30 seconds. This one is waiting for its turn.',
          true,
        );
      }
      if ((await store.read()).setup.isWithdrawn) return undefined;
      return await front.attach(claim, run.arn);
    } catch (error) {
      if (error instanceof FrontBusy) return obstructed(`API Gateway was busy. ${LATER}`, true);
      const isRefusal = error instanceof FrontRefused || error instanceof AttachedByOthers;
      if (!isRefusal) throw error;
      return obstructed(`API Gateway rejects the domain name ${claim.domain}: ${error.message}`, false);
    }
  };

  /** Maps a domain name, again until it is mapped as is required then, and records that. */
  const map = async (
    before: RecordedName,
    certificateArn: string,
    required: () => Promise<ApiStage | undefined>,
  ): Promise<void> => {
    const { label } = before;
    const claim = claimFor(label);
    let recorded = before;
    for (let change = 0; change < MAX_FOLLOWED_CHANGES; change += 1) {
      const apiStage = await required();
      const mapping = textOf(apiStage);
      if (textOf(await front.routeOf(claim)) === mapping) {
        const after = { label, mapping, certificateArn, writtenAtMs: clock.now() };
        if (!isRecordedAs(recorded, after)) await store.put(after);
        return;
      }
      // If this function ends before it has looked again, the next run does.
      recorded = { label, certificateArn };
      await store.put(recorded);
      if (apiStage) await front.route(claim, apiStage);
      else await front.unroute(claim);
    }
  };

  const serve = async (label: string, run: Run, required: () => Promise<ApiStage | undefined>) => {
    const served = await domainName(label, run);
    if (!served) return;
    await map(run.names.get(label) ?? { label }, served.certificateArn, required);
    await zone.alias(claimFor(label).domain, served);
  };

  const requiredNow = (project: Project) => async () =>
    requiredOf((await projects.find(project.id)) ?? project);

  return {
    async reconcile({ isDeployed = false } = {}) {
      const endMs = clock.now() + (isDeployed ? 0 : clock.scaled(RUN_MS));
      const { setup, names } = await store.read();
      if (setup.isWithdrawn && !isDeployed) return;
      if (setup.isWithdrawn) await store.change({ isWithdrawn: undefined });
      const arn = await issuedCertificate(setup, endMs);
      if (arn === undefined) return;
      if (setup.problem !== undefined) await store.change({ problem: undefined });
      const run: Run = { arn, names, takeSlot: slotsUntil(endMs, setup), isWaiting: false };
      const serveOthers = () => serve(WILDCARD, run, async () => redirectApi);
      // A wildcard that serves projects, as it once did, goes on until they have domain names of their own.
      const { mapping = textOf(redirectApi) } = names.get(WILDCARD) ?? {};
      const isLast = mapping !== textOf(redirectApi);
      if (!isLast) await serveOthers();
      const failures: unknown[] = [];
      for (const project of await projects.list()) {
        const own = names.get(project.id);
        if (own === undefined && deployRequired(project)) continue;
        // AWS is asked about a domain name only when something has changed.
        const required = { label: project.id, mapping: textOf(requiredOf(project)), certificateArn: arn };
        const isSettled = clock.now() - (own?.writtenAtMs ?? 0) > clock.scaled(SETTLED_MS);
        if (own && isSettled && isRecordedAs(own, required)) continue;
        await serve(project.id, run, requiredNow(project)).catch((error: unknown) => {
          failures.push(error);
          log.error('A default URL could not be changed.', {
            project: project.id,
            error: describeError(error),
          });
        });
      }
      if (isLast && !run.isWaiting) await serveOthers();
      if (failures.length > 0) throw new AggregateError(failures, 'Some default URLs could not be changed.');
    },

    async follow() {
      const { names } = await store.read();
      if (![...names.keys()].some(label => label !== WILDCARD)) return [];
      const warnings: string[] = [];
      for (const project of await projects.list()) {
        const own = names.get(project.id);
        if (own?.certificateArn === undefined || own.mapping === textOf(requiredOf(project))) continue;
        await map(own, own.certificateArn, requiredNow(project)).catch((error: unknown) => {
          log.error('A default URL could not be changed.', {
            project: project.id,
            error: describeError(error),
          });
          warnings.push(`The default URL of ${project.id} couldn't be changed yet. ${LATER}`);
        });
      }
      return warnings;
    },

    async views() {
      const { setup, names } = await store.read();
      return project => {
        const url = `https://${claimFor(project.id).domain}`;
        const own = names.get(project.id);
        const pending = setup.isWithdrawn
          ? '"petstore teardown" removed it. A deploy brings it back.'
          : (deployRequired(project)?.message ??
            (own?.mapping === undefined
              ? (setup.problem ?? own?.problem ?? "It's being set up. This takes up to five minutes.")
              : undefined));
        if (pending !== undefined) return { url, state: 'pending', reason: pending };
        const mapping = own?.mapping;
        const state =
          mapping === CLOSED ? 'closed' : mapping === textOf(redirectApi) ? 'redirecting' : 'serving';
        if (mapping !== textOf(requiredOf(project))) return { url, state, reason: own?.problem ?? LATER };
        const reason =
          state === 'serving'
            ? awayReason(project)
            : `The primary domain ${reachedPrimary(project)} is live.`;
        return { url, state, reason };
      };
    },

    async withdraw() {
      await store.change({ isWithdrawn: true });
      const { setup, names } = await store.read();
      const takeSlot = slotsUntil(clock.now() + clock.scaled(WITHDRAWAL_MS), setup);
      const claims = [...names.keys()].map(label => ({ label, ...claimFor(label) }));
      for (const claim of claims) {
        await front.unroute(claim);
        await zone.remove(claim.domain);
      }
      const removed: string[] = [];
      const remaining = () => claims.length - removed.length + (setup.certificateArn === undefined ? 0 : 1);
      for (const claim of claims) {
        if ((await front.find(claim))?.isOurs) {
          if (!(await takeSlot())) return { removed, remaining: remaining() };
          try {
            await front.detach(claim);
          } catch (error) {
            if (!(error instanceof FrontBusy)) throw error;
            return { removed, remaining: remaining() };
          }
        }
        await store.remove(claim.label);
        removed.push(claim.domain);
      }
      if (setup.certificateArn === undefined) return { removed, remaining: 0 };
      const { validations } = await certificates.view(setup.certificateArn);
      for (const { name } of validations) await zone.remove(name);
      const isGone = await certificates.removeAll(certificateClaim(setup.certificateArn));
      if (isGone) await store.change({ certificateArn: undefined, requestedAtMs: undefined });
      return { removed, remaining: isGone ? 0 : 1 };
    },
  };
}

/** Whether nothing is to be done about a domain name, for all that was recorded of it. */
function isRecordedAs(recorded: RecordedName, required: RecordedName): boolean {
  return (
    recorded.problem === undefined &&
    recorded.mapping === required.mapping &&
    recorded.certificateArn === required.certificateArn
  );
}

/** What a domain name is mapped to, as it is recorded. */
function textOf(mapping: ApiStage | undefined): string {
  return mapping ? `${mapping.apiId}/${mapping.stage}` : CLOSED;
}

/** What all default URLs have in common. Times are in milliseconds since 1970. */
const Setup = z.object({
  certificateArn: z.optional(z.string()),
  requestedAtMs: z.optional(z.number()),
  /** A slot that was booked for a later run. */
  slotAtMs: z.optional(z.number()),
  /** Why there is no certificate yet. */
  problem: z.optional(z.string()),
  /** Nothing is created until the next deploy. */
  isWithdrawn: z.optional(z.boolean()),
});
type Setup = z.infer<typeof Setup>;

/** A domain name of default URLs, as it was left. */
const RecordedName = z.object({
  /** The project, or * for the names that no project has. */
  label: z.string(),
  /** Absent while it is being written. */
  mapping: z.optional(z.string()),
  certificateArn: z.optional(z.string()),
  writtenAtMs: z.optional(z.number()),
  /** Why it is not as it should be. */
  problem: z.optional(z.string()),
});
type RecordedName = z.infer<typeof RecordedName>;

/** The items of default URLs in the domains table (life/domain.ts). */
function defaultUrlStore(tableName: string, platformDomain: string) {
  const { defaultUrlsPartitionKey: domain } = DOMAINS_TABLE;
  const setupKey = { domain, project: `#${platformDomain}` };
  const suffix = `.${platformDomain}`;
  return {
    async read() {
      const items = await queryItems({
        TableName: tableName,
        KeyConditionExpression: '#domain = :domain',
        ExpressionAttributeNames: { '#domain': DOMAINS_TABLE.partitionKey },
        ExpressionAttributeValues: { ':domain': domain },
        ConsistentRead: true,
      });
      const names = items
        .filter(({ project }) => String(project).endsWith(suffix) && !String(project).startsWith('#'))
        .map(item => RecordedName.parse({ ...item, label: String(item.project).slice(0, -suffix.length) }));
      return {
        setup: Setup.parse(items.find(({ project }) => project === setupKey.project) ?? {}),
        names: new Map(names.map(name => [name.label, name])),
      };
    },

    /** Sets fields, and removes those that are undefined. */
    async change(fields: { readonly [Field in keyof Setup]: Setup[Field] | undefined }): Promise<void> {
      const entries = Object.entries(fields);
      const set = entries.filter(([, value]) => value !== undefined);
      const unset = entries.filter(([, value]) => value === undefined);
      const expressions = [
        ...(set.length > 0 ? [`SET ${set.map(([field]) => `${field} = :${field}`).join(', ')}`] : []),
        ...(unset.length > 0 ? [`REMOVE ${unset.map(([field]) => field).join(', ')}`] : []),
      ];
      await orUnavailable(
        documents.send(
          new UpdateCommand({
            TableName: tableName,
            Key: setupKey,
            UpdateExpression: expressions.join(' '),
            ...(set.length > 0 && {
              ExpressionAttributeValues: Object.fromEntries(
                set.map(([field, value]) => [`:${field}`, value]),
              ),
            }),
          }),
        ),
      );
    },

    async put({ label, ...name }: RecordedName): Promise<void> {
      const Item = { domain, project: `${label}${suffix}`, ...name };
      await orUnavailable(documents.send(new PutCommand({ TableName: tableName, Item })));
    },

    async remove(label: string): Promise<void> {
      const Key = { domain, project: `${label}${suffix}` };
      await orUnavailable(documents.send(new DeleteCommand({ TableName: tableName, Key })));
    },
  };
}
