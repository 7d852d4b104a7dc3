import { setTimeout as pauseFor } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  APIGatewayClient,
  GetRestApiCommand,
  GetStageCommand,
  UpdateRestApiCommand,
  UpdateStageCommand,
} from '@aws-sdk/client-api-gateway';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { controlPlaneClient } from '../aws/control-plane.ts';
import { documents, type Item, queryItems } from '../aws/document-client.ts';
import { orUnavailable } from '../aws/dynamodb.ts';
import { describeError, log } from '../log.ts';
import type { Project } from '../projects/project.ts';
import { deployRequired, type ProjectStore } from '../projects/project-store.ts';
import { type DefaultUrlRole, defaultUrlRole, reachedPrimary } from '../projects/routing.ts';
import { type Certificates, isLost } from './aws/certificates.ts';
import type { PlatformZone } from './aws/platform-zone.ts';
import type { Clock } from './clock.ts';
import {
  type ApiStage,
  AttachedByOthers,
  type AttachedDomain,
  type Front,
  type FrontClaim,
  FrontRefused,
  type Later,
  type Ticket,
} from './front.ts';
import { type CertificateView, DEFAULT_CLAIM, DOMAINS_TABLE } from './life/domain.ts';

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

export type DefaultUrls = ReturnType<typeof defaultUrls>;

/** Those of an environment without a platform domain. */
export const NO_DEFAULT_URLS: DefaultUrls = {
  reconcile: async () => {},
  follow: async () => [],
  views: async () => () => undefined,
  withdraw: async () => ({ removed: [], remaining: 0 }),
};

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
/** Projects are not changed more often than this while one change is made for them. */
const MAX_FOLLOWED_CHANGES = 5;

const LATER = 'This will change within five minutes.';

/** The label of the domain name for all names that no project has. */
const WILDCARD = '*';

/** What a domain name is mapped to: `<API>/<stage>`, or nothing. */
type Mapping = string;
const CLOSED: Mapping = 'closed';

function mappingOf(apiStage: ApiStage | undefined): Mapping {
  return apiStage ? `${apiStage.apiId}/${apiStage.stage}` : CLOSED;
}

/** What a project asks of its default URL, which a primary domain replaces while its visitors arrive here. */
type RequiredUrl = DefaultUrlRole | { readonly kind: 'undeployed'; readonly message: string };

function requiredUrl(project: Project): RequiredUrl {
  const unmet = deployRequired(project);
  return unmet ? { kind: 'undeployed', message: unmet.message } : defaultUrlRole(project);
}

function requiredMapping(project: Project, redirectApi: ApiStage): Mapping {
  const { kind } = requiredUrl(project);
  if (kind === 'closed') return CLOSED;
  return mappingOf(kind === 'serving' ? project : redirectApi);
}

/** What keeps default URLs from being as they should be, and what AWS says of it. */
const Trouble = z.object({
  kind: z.enum(['certificate_pending', 'certificate_failed', 'slot_awaited', 'gateway_busy', 'name_refused']),
  why: z.optional(z.string()),
});
type Trouble = z.infer<typeof Trouble>;
/** One that another version of the service has written is as good as none. */
const trouble = z.catch(z.nullable(Trouble), null);

const TROUBLE_TEXTS: Readonly<Record<Trouble['kind'], (domain: string, why?: string) => string>> = {
  certificate_pending: domain =>
    `The certificate of *.${domain} hasn't been issued yet. ACM issues it once ${domain} is delegated to the name servers of the output PlatformNameServers.`,
  certificate_failed: (domain, why) =>
    `ACM did not issue the certificate of *.${domain} (${why}). A new one is requested within six hours.`,
  slot_awaited: () =>
    'API Gateway changes one domain name every 30 seconds. This one is waiting for its turn.',
  gateway_busy: () => `API Gateway was busy. ${LATER}`,
  name_refused: (_, why) => `API Gateway rejects the domain name: ${why}`,
};

/** A domain name of default URLs, as it was left. */
const NameState = z.union([
  z.object({
    kind: z.literal('mapped'),
    certificateArn: z.string(),
    mapping: z.string(),
    writtenAtMs: z.number(),
    trouble,
  }),
  /** A function is mapping it, or ended before it was done. */
  z.object({ kind: z.literal('unsettled'), certificateArn: z.string(), trouble }),
  z.object({ kind: z._default(z.literal('absent'), 'absent'), trouble }),
]);
type NameState = z.infer<typeof NameState>;

/** Whether a domain name needs nothing. Until `settledMs` a function that was stopped may have changed it since. */
function isDone(name: NameState, mapping: Mapping, certificateArn: string, settledMs: number): boolean {
  if (name.kind !== 'mapped' || name.trouble || name.certificateArn !== certificateArn) return false;
  return name.mapping === mapping && name.writtenAtMs < settledMs;
}

/** What all default URLs have in common. Times are in milliseconds since 1970. */
const Setup = z.object({
  certificateArn: z.optional(z.string()),
  requestedAtMs: z.optional(z.number()),
  /** A slot that was booked for a later run. */
  slotAt: z.optional(z.string()),
  /** Why there is no certificate yet. */
  trouble,
  /** Nothing is created until the next deploy. */
  isWithdrawn: z.optional(z.boolean()),
});
type Setup = z.infer<typeof Setup>;

/** What is to be done about the certificate. One that failed is requested again, but not at once. */
function certificateStep(view: CertificateView | undefined, isTooSoon: boolean): 'request' | 'wait' | 'use' {
  if (view && !isLost(view)) return 'use';
  return view && view.status !== null && isTooSoon ? 'wait' : 'request';
}

type Context = DefaultUrlsParts & { readonly store: ReturnType<typeof defaultUrlStore> };

/**
 * The default URLs of projects, https://<project>.<platform domain>. Every project that was deployed has a domain name of
 * API Gateway, mapped to its API, to the API of redirects, or to none while it is closed. One more, `*.<platform domain>`,
 * leads all other names to the API of redirects, which responds with 404. All have one certificate.
 *
 * Routing rules of the wildcard would do without further domain names. They are not used: a domain name has 50 of them,
 * an account 120 domain names; they compare the Host header by case; and none can respond with 403.
 */
export function defaultUrls(parts: DefaultUrlsParts) {
  const context: Context = { ...parts, store: defaultUrlStore(parts.tableName, parts.platformDomain) };
  return {
    /**
     * Makes sure that everything is in place, as far as that is possible by now; the next run goes on. After a deploy it
     * brings back what was withdrawn, and waits for nothing.
     */
    reconcile: (options: { isDeployed?: boolean } = {}) => reconcile(context, options),
    /** Maps the domain names that projects have of their own, after a change. Returns what the operator has to know. */
    follow: () => follow(context),
    /** Deletes the domain names, their records and the certificate, before the stack is deleted. To be repeated. */
    withdraw: () => withdraw(context),
    /** What the default URL of a project does; undefined in an environment without a platform domain. */
    async views(): Promise<(project: Project) => DefaultUrlView | undefined> {
      const { setup, nameOf } = await context.store.read();
      return project => viewOf(project, setup, nameOf(project.id), parts);
    },
  };
}

async function reconcile(context: Context, { isDeployed = false }): Promise<void> {
  const { store, clock, redirectApi } = context;
  const endMs = clock.now() + (isDeployed ? 0 : clock.scaled(RUN_MS));
  const { setup, nameOf } = await store.read();
  if (setup.isWithdrawn && !isDeployed) return;
  if (setup.isWithdrawn) await store.unset('isWithdrawn');
  const { arn, trouble = null } = await issuedCertificate(context, setup, endMs);
  if (!isDeepStrictEqual(setup.trouble, trouble)) await store.set({ trouble });
  if (arn === undefined) return;
  const run: Run = { ...context, arn, inTurn: turnsUntil(context, endMs, setup) };
  const settledMs = clock.now() - clock.scaled(SETTLED_MS);
  const failures: unknown[] = [];
  for (const project of await context.projects.list()) {
    const name = nameOf(project.id);
    if (name.kind === 'absent' && deployRequired(project)) continue;
    // AWS is asked about a domain name only when something has changed.
    if (isDone(name, requiredMapping(project, redirectApi), arn, settledMs)) continue;
    failures.push(...(await failureOf(project, () => serve(run, projectName(context, project, name)))));
  }
  const required = async () => mappingOf(redirectApi);
  await serve(run, { ...claimFor(context, WILDCARD), before: nameOf(WILDCARD), required });
  if (failures.length > 0) throw new AggregateError(failures, 'Some default URLs could not be changed.');
}

async function follow(context: Context): Promise<string[]> {
  const { nameOf } = await context.store.read();
  const warnings: string[] = [];
  for (const project of await context.projects.list()) {
    const name = nameOf(project.id);
    if (name.kind === 'absent') continue;
    if (name.kind === 'mapped' && name.mapping === requiredMapping(project, context.redirectApi)) continue;
    const failure = await failureOf(project, () => map(context, projectName(context, project, name), name));
    warnings.push(...failure.map(() => `The default URL of ${project.id} couldn't be changed yet. ${LATER}`));
  }
  return warnings;
}

/** Makes a change for a project, and returns its error if it has one: others are changed anyway. */
async function failureOf({ id }: Project, change: () => Promise<void>): Promise<unknown[]> {
  try {
    await change();
    return [];
  } catch (error) {
    log.error('A default URL could not be changed.', { project: id, error: describeError(error) });
    return [error];
  }
}

function viewOf(
  project: Project,
  setup: Setup,
  name: NameState,
  { platformDomain, redirectApi }: DefaultUrlsParts,
): DefaultUrlView {
  const url = `https://${project.id}.${platformDomain}`;
  const required = requiredUrl(project);
  const say = (trouble: Trouble | null, otherwise: string) =>
    trouble ? TROUBLE_TEXTS[trouble.kind](platformDomain, trouble.why) : otherwise;
  const pending = (reason: string): DefaultUrlView => ({ url, state: 'pending', reason });
  if (setup.isWithdrawn) return pending('"petstore teardown" removed it. A deploy brings it back.');
  if (required.kind === 'undeployed') return pending(required.message);
  if (name.kind !== 'mapped') {
    return pending(say(setup.trouble ?? name.trouble, "It's being set up. This takes up to five minutes."));
  }
  const { mapping } = name;
  const redirects = mappingOf(redirectApi);
  const state = mapping === CLOSED ? 'closed' : mapping === redirects ? 'redirecting' : 'serving';
  if (mapping !== requiredMapping(project, redirectApi)) {
    return { url, state, reason: say(name.trouble, LATER) };
  }
  const reason =
    required.kind === 'serving' ? awayReason(project) : `The primary domain ${required.primary} is live.`;
  return { url, state, reason };
}

async function withdraw(context: Context): Promise<WithdrawnUrls> {
  const { store, front, zone, clock, certificates } = context;
  await store.set({ isWithdrawn: true });
  const { setup, labels } = await store.read();
  const inTurn = turnsUntil(context, clock.now() + clock.scaled(WITHDRAWAL_MS), setup);
  const claims = labels.map(label => claimFor(context, label));
  for (const claim of claims) {
    await front.unroute(claim);
    await zone.remove(claim.domain);
  }
  const removed: string[] = [];
  const arn = setup.certificateArn;
  const interrupted = () => ({
    removed,
    remaining: claims.length - removed.length + (arn === undefined ? 0 : 1),
  });
  for (const claim of claims) {
    if ((await front.find(claim))?.isOurs) {
      if (await inTurn(ticket => front.detach(claim, ticket))) return interrupted();
    }
    await store.remove(claim);
    removed.push(claim.domain);
  }
  if (arn === undefined) return { removed, remaining: 0 };
  const { validations } = await certificates.view(arn);
  for (const { name } of validations) await zone.remove(name);
  const isGone = await certificates.removeAll(certificateClaim(context, arn));
  if (isGone) await store.unset('certificateArn', 'requestedAtMs');
  return { removed, remaining: isGone ? 0 : 1 };
}

function claimFor({ platformDomain }: Context, label: string): FrontClaim {
  return { domain: `${label}.${platformDomain}`, target: `${DEFAULT_CLAIM}.${platformDomain}` };
}

function certificateClaim(context: Context, arn: string | null) {
  // Equal in runs that overlap, another when a certificate that failed is replaced.
  const revision = Math.floor(context.clock.now() / HOUR_MS);
  return { ...claimFor(context, WILDCARD), revision, certificate: { arn } };
}

/** The certificate once it is issued, or what keeps it from being. */
async function issuedCertificate(
  context: Context,
  setup: Setup,
  endMs: number,
): Promise<{ readonly arn?: string; readonly trouble?: Trouble }> {
  const { certificates, clock, store, zone } = context;
  let arn = setup.certificateArn;
  let view = arn === undefined ? undefined : await certificates.view(arn);
  const nextRequestMs = (setup.requestedAtMs ?? 0) + clock.scaled(REQUEST_PAUSE_MS);
  const step = certificateStep(view, nextRequestMs > clock.now());
  if (step === 'wait') {
    const why = [view?.status, view?.failure].filter(Boolean).join(': ');
    return { trouble: { kind: 'certificate_failed', why } };
  }
  let isNew = false;
  if (arn === undefined || step === 'request') {
    arn = await certificates.ensure(certificateClaim(context, null));
    view = undefined;
    isNew = true;
    await store.set({ certificateArn: arn, requestedAtMs: clock.now() });
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
    if (status === 'ISSUED') return { arn };
    // Whoever has to delegate the platform domain may take days: only what is new is waited for.
    if (!isNew || clock.now() >= waitEndMs) return { trouble: { kind: 'certificate_pending' } };
    await pauseFor(pollMs);
    view = undefined;
  }
}

type InTurn = (change: (ticket: Ticket) => Promise<Later | undefined>) => Promise<Later | undefined>;

/** Waits for turns until the end of a run. One that is later is kept for the next run. */
function turnsUntil({ store, clock }: Context, endMs: number, { slotAt }: Setup): InTurn {
  let ticket = slotAt ?? null;
  return async change => {
    for (;;) {
      const later = await change(ticket);
      if (later) ({ ticket } = later);
      if (later && (later.isBusy || later.atMs > endMs)) {
        await store.set({ slotAt: later.ticket });
        return later;
      }
      if (!later) {
        if (ticket !== null) await store.unset('slotAt');
        ticket = null;
        return undefined;
      }
      await pauseFor(Math.max(0, later.atMs - clock.now()));
    }
  };
}

/** A domain name: its state as it was read, and what it has to be mapped to by now. */
interface Name extends FrontClaim {
  readonly before: NameState;
  readonly required: () => Promise<Mapping>;
}

function projectName(context: Context, project: Project, before: NameState): Name {
  const required = async () =>
    requiredMapping((await context.projects.find(project.id)) ?? project, context.redirectApi);
  return { ...claimFor(context, project.id), before, required };
}

type Run = Context & { readonly arn: string; readonly inTurn: InTurn };

/** Attaches a name, maps it and points it there, as far as that is possible by now. */
async function serve(run: Run, name: Name): Promise<void> {
  const { served, trouble = null } = await attach(run, name);
  if (served) {
    await map(run, name, { certificateArn: served.certificateArn, trouble });
    await run.zone.alias(name.domain, served);
  } else if (trouble) {
    await run.store.put(name, { kind: 'absent', trouble }, name.before);
  }
}

/** The domain name with the certificate; in trouble the one that there is. */
async function attach(
  { front, store, arn, inTurn }: Run,
  name: Name,
): Promise<{ readonly served?: AttachedDomain | undefined; readonly trouble?: Trouble }> {
  const present = await front.find(name);
  const served = present?.isOurs ? present : undefined;
  if (served?.certificateArn === arn) return { served };
  try {
    const later = await inTurn(async ticket =>
      (await store.read()).setup.isWithdrawn ? undefined : front.attach(name, arn, ticket),
    );
    if (later) return { served, trouble: { kind: later.isBusy ? 'gateway_busy' : 'slot_awaited' } };
    return { served: await front.find(name) };
  } catch (error) {
    if (!(error instanceof FrontRefused || error instanceof AttachedByOthers)) throw error;
    return { served, trouble: { kind: 'name_refused', why: error.message } };
  }
}

/** Maps a domain name, and records that. */
async function map(
  { front, store, clock }: Context,
  name: Name,
  { certificateArn, trouble }: { readonly certificateArn: string; readonly trouble: Trouble | null },
): Promise<void> {
  let recorded = name.before;
  const mapping = await settle({
    required: name.required,
    present: async () => mappingOf(await front.routeOf(name)),
    async change(to) {
      // If this function ends before it has looked again, the next run does.
      const unsettled = { kind: 'unsettled', certificateArn, trouble } as const;
      await store.put(name, unsettled, recorded);
      recorded = unsettled;
      const [apiId = '', stage = ''] = to.split('/');
      await (to === CLOSED ? front.unroute(name) : front.route(name, { apiId, stage }));
      return true;
    },
  });
  if (mapping === undefined) return;
  await store.put(
    name,
    { kind: 'mapped', certificateArn, trouble, mapping, writtenAtMs: clock.now() },
    recorded,
  );
}

/** Changes something until it is as is required then; undefined if it can't be changed now. */
async function settle<State extends string>(parts: {
  required(): Promise<State>;
  present(): Promise<string>;
  /** Returns whether it could. */
  change(to: State, from: string): Promise<boolean>;
}): Promise<State | undefined> {
  for (let change = 1; change <= MAX_FOLLOWED_CHANGES; change += 1) {
    const required = await parts.required();
    const present = await parts.present();
    if (present === required) return required;
    if (!(await parts.change(required, present))) return undefined;
  }
  return undefined;
}

/** The items of default URLs in the domains table (life/domain.ts). */
function defaultUrlStore(TableName: string, platformDomain: string) {
  const { defaultUrlsPartitionKey: domain } = DOMAINS_TABLE;
  const setupKey = { domain, project: `#${platformDomain}` };
  const changeSetup = async (UpdateExpression: string, ExpressionAttributeValues?: Item) => {
    const update = { TableName, Key: setupKey, UpdateExpression, ExpressionAttributeValues };
    await orUnavailable(documents.send(new UpdateCommand(update)));
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
      const byKey = new Map(items.map(item => [String(item.project), item]));
      const names = [...byKey.keys()].filter(
        key => key.endsWith(`.${platformDomain}`) && !key.startsWith('#'),
      );
      return {
        setup: Setup.parse(byKey.get(setupKey.project) ?? {}),
        labels: names.map(name => name.slice(0, -platformDomain.length - 1)),
        nameOf: (label: string) => NameState.parse(byKey.get(`${label}.${platformDomain}`) ?? {}),
      };
    },

    async set(fields: Partial<Setup>): Promise<void> {
      const values = Object.entries(fields).map(([name, value]) => [`:${name}`, value]);
      const settings = Object.keys(fields).map(name => `${name} = :${name}`);
      await changeSetup(`SET ${settings.join(', ')}`, Object.fromEntries(values));
    },

    async unset(...fields: readonly (keyof Setup)[]): Promise<void> {
      await changeSetup(`REMOVE ${fields.join(', ')}`);
    },

    /** Writes the state of a name, unless it is the one before. */
    async put({ domain: project }: FrontClaim, state: NameState, before: NameState): Promise<void> {
      if (isDeepStrictEqual({ ...state, writtenAtMs: 0 }, { ...before, writtenAtMs: 0 })) return;
      await orUnavailable(documents.send(new PutCommand({ TableName, Item: { domain, project, ...state } })));
    },

    async remove({ domain: project }: FrontClaim): Promise<void> {
      await orUnavailable(documents.send(new DeleteCommand({ TableName, Key: { domain, project } })));
    },
  };
}

const ENDPOINT_LATER =
  "The default endpoint couldn't be opened or closed yet. It will be retried within minutes.";

/** Whether the default endpoint of an API is open; a closed one responds with 403. */
type EndpointState = 'open' | 'closed';

/**
 * The default endpoint of the API of this service, https://<id>.execute-api.<region>.amazonaws.com.
 *
 * A change of disableExecuteApiEndpoint takes effect with the next update of a stage. The description of the stage is that
 * update: it holds the state as fields of a query string, and the time makes it differ from the one before. An endpoint
 * whose stage has another description was changed by a run that ended in between, and is changed again.
 */
export function defaultEndpoint({
  projects,
  apiId,
  stage,
  now = Date.now,
}: ApiStage & { readonly projects: Pick<ProjectStore, 'list'>; readonly now?: () => number }) {
  const client = controlPlaneClient(APIGatewayClient);
  const restApi = { restApiId: apiId };
  const restApiStage = { ...restApi, stageName: stage };
  const replace = (path: string, value: string) => ({
    patchOperations: [{ op: 'replace' as const, path, value }],
  });

  const present = async () => {
    const { disableExecuteApiEndpoint, apiStatus } = await client.send(new GetRestApiCommand(restApi));
    if (apiStatus === 'UPDATING' || apiStatus === 'PENDING') return 'updating';
    const { description } = await client.send(new GetStageCommand(restApiStage));
    const state: EndpointState = disableExecuteApiEndpoint ? 'closed' : 'open';
    // Before the first change the endpoint is open, and the stage has no description.
    const applied = description ? new URLSearchParams(description).get('defaultEndpoint') : 'open';
    return applied === state ? state : 'unsettled';
  };

  const change = async (state: EndpointState, from: string) => {
    // API Gateway refuses changes meanwhile; a deploy that changes the TLS policy takes a quarter of an hour.
    if (from === 'updating') return false;
    const isDisabled = String(state === 'closed');
    await client.send(
      new UpdateRestApiCommand({ ...restApi, ...replace('/disableExecuteApiEndpoint', isDisabled) }),
    );
    const description = new URLSearchParams({ defaultEndpoint: state, sinceMs: String(now()) }).toString();
    await client.send(new UpdateStageCommand({ ...restApiStage, ...replace('/description', description) }));
    log.info('The default endpoint was changed.', { apiId, state });
    return true;
  };

  const required = async () => requiredEndpoint(await projects.list(), apiId).state;
  /** Opens or closes it as the projects ask for, if it is not so already. Returns whether it is so now. */
  const reconcile = async () => (await settle({ required, present, change })) !== undefined;

  return {
    reconcile,

    /** Reconciles after a change that may matter. Returns what the operator has to know: a failure here doesn't undo the change. */
    async follow({ isAlways = false } = {}): Promise<string[]> {
      try {
        const isWanted = (await projects.list()).some(
          project => project.apiId === apiId && project.whileLive === 'closed',
        );
        return (isAlways || isWanted) && !(await reconcile()) ? [ENDPOINT_LATER] : [];
      } catch (error) {
        log.error('The default endpoint could not be changed.', { apiId, error: describeError(error) });
        return [ENDPOINT_LATER];
      }
    },
  };
}

export type DefaultEndpoint = ReturnType<typeof defaultEndpoint>;

/**
 * What the projects ask of the default endpoint of an API. All projects that are published at the API have it in common:
 * it is closed only if each of them wants that and has a live primary domain, so that none loses its only URL.
 * `openBecause` says why it is open although some project wants it closed.
 */
export function requiredEndpoint(
  projects: readonly Project[],
  apiId: string,
): { readonly state: EndpointState; readonly openBecause: string | null } {
  const published = projects.filter(project => project.apiId === apiId);
  const isWanted = published.some(({ whileLive }) => whileLive === 'closed');
  if (!isWanted) return { state: 'open', openBecause: null };
  const keeping = published.find(({ whileLive }) => whileLive !== 'closed');
  if (keeping) {
    return { state: 'open', openBecause: `Project ${keeping.id} at the same API keeps it open.` };
  }
  const dependent = published.find(project => reachedPrimary(project) === undefined);
  if (!dependent) return { state: 'closed', openBecause: null };
  const openBecause = awayReason(dependent) ?? `Project ${dependent.id} has no live primary domain.`;
  return { state: 'open', openBecause };
}

/** Why the URLs of a project are served although its primary domain is live. */
export function awayReason({ primary, awayDomains = [], whileLive }: Project): string | null {
  if (primary === null || whileLive === 'serve' || !awayDomains.includes(primary)) return null;
  return `Visitors of the primary domain ${primary} don't arrive here, by its last check. "domains show" says why.`;
}
