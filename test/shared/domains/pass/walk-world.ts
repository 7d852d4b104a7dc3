import { type Certificates, CertificatesFull } from '../../../../shared/domains/aws/certificates.ts';
import { clock as makeClock, timeOf } from '../../../../shared/domains/clock.ts';
import { type RequiredRecord, requiredRecords } from '../../../../shared/domains/dns/required-record.ts';
import {
  ApiUnknown,
  AttachedByOthers,
  type AttachedDomain,
  type Front,
  FrontFull,
  type Later,
  NotAttached,
} from '../../../../shared/domains/front.ts';
import { viewed } from '../../../../shared/domains/life/change.ts';
import type { CertificateView, Domain, SeenRecord } from '../../../../shared/domains/life/domain.ts';
import { hasVisitors } from '../../../../shared/domains/life/domain-reason.ts';
import { isAttached, isReady, isServed } from '../../../../shared/domains/life/domain-status.ts';
import { TAKEOVER_HOURS } from '../../../../shared/domains/life/waits.ts';
import type { Look, Seen } from '../../../../shared/domains/pass/gates.ts';
import { neededOf, type Sight } from '../../../../shared/domains/pass/inspection.ts';
import { liveRouting } from '../../../../shared/domains/pass/live-routing.ts';
import { managedRecords } from '../../../../shared/domains/pass/managed-records.ts';
import { observer } from '../../../../shared/domains/pass/observe.ts';
import { takeover, updateNotice } from '../../../../shared/domains/pass/takeover.ts';
import { tender } from '../../../../shared/domains/pass/tend.ts';
import type { Observed, Reached, Unreached } from '../../../../shared/domains/reach.ts';
import type { Project } from '../../../../shared/projects/project.ts';
import { keptProjects } from '../../projects/kept-projects.ts';
import { DEPLOYED, someProject } from '../../projects/some-project.ts';
import { AT_MS, certified, HOST, live, NAME, PUBLISHED, REDIRECTS, VALIDATION } from '../claimed-domain.ts';
import { keptClaims } from '../stored-claims.ts';

/** Says what the world has, or how a call ends. The first option is right; what any other counts as is `wrong`. */
export type Choose = <Value>(what: string, options: readonly Value[], wrong: Wrong) => Value;
type Wrong = 'world' | 'ours' | 'call' | 'nothing';

/** A call that AWS didn't take, so that the pass fails. */
class Throttled extends Error {}

const MOVED = { apiId: 'another001', stage: 'test' } as const;
const CAA = { at: 'zoo.example', record: '0 issue ";"', lacksAmazon: true } as const;
const FRONT = { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8', isOurs: true } as const;
const SIBLING = 'zoo.example';
const RIVAL = { project: 'circus', target: 'fedcba98765432100123.apps.petstore.example' } as const;

/** What the project may have become. */
const PROJECTS = {
  right: {},
  gone: {},
  free: { plan: 'free' },
  'not deployed': { deploy: { ...DEPLOYED, succeededAt: null } },
  moved: MOVED,
  suspended: { redirects: [{ from: NAME, to: SIBLING, status: 308 }], awayDomains: [SIBLING] },
} satisfies Record<string, Partial<Project>>;

/** What ACM may say of a certificate. */
const ISSUED = { ...certified(), serial: 'aa:01' };
const PENDING = { ...ISSUED, status: 'PENDING_VALIDATION', serial: null };
const VIEWS = {
  ISSUED,
  PENDING,
  'CAA error': { ...PENDING, status: 'FAILED', failure: 'CAA_ERROR' },
  refused: { ...PENDING, status: 'FAILED', failure: 'DOMAIN_NOT_ALLOWED' },
  'timed out': { ...PENDING, status: 'VALIDATION_TIMED_OUT' },
  revoked: { ...ISSUED, status: 'REVOKED' },
  gone: { ...PENDING, status: null, validations: [] },
  'renewal stuck': { ...ISSUED, renewal: 'PENDING_VALIDATION' },
};
type View = keyof typeof VIEWS;

function viewOf(view: View): CertificateView {
  const { arn: _, requests: __, ...seen } = VIEWS[view];
  return seen;
}

/** What a certificate may have become since the last look: one that is known to be lost doesn't recover. */
function viewsOf({ certificate: { status } }: Domain): readonly View[] {
  if (status === 'ISSUED') return ['ISSUED', 'revoked', 'gone', 'renewal stuck'];
  if (status === 'REVOKED') return ['revoked'];
  return ['ISSUED', 'PENDING', 'CAA error', 'refused', 'timed out', 'gone'];
}

const RECORDS = ['ok', 'missing', 'mismatch', 'unreachable', 'spreading', 'conflict'] as const;
type RecordSeen = (typeof RECORDS)[number] | 'flattened' | 'proxied';

/** A record as a check shows it; a provider may show addresses in place of a CNAME record, a proxy its own. */
export function recordSeen(record: RequiredRecord, seen: RecordSeen): SeenRecord {
  const state = seen === 'flattened' ? 'ok' : seen === 'proxied' ? 'conflict' : seen;
  const observed = { ok: [record.value], flattened: ['192.0.2.1'], proxied: ['104.16.0.1'] };
  const action = state === 'ok' || state === 'spreading' ? null : `${state}.`;
  return { ...record, state, observed: observed[seen as 'ok'] ?? [], advice: [], action };
}

/** The first of these are alike but for their words. */
const UNREACHED: readonly Unreached['kind'][] = [
  'unresolved',
  'certificate_wrong',
  'unproven',
  'unprovable',
  'unreachable',
  'unknown',
  'unconfirmed',
];
const REACHED: Reached = { kind: 'reached' };
const AWAY: Unreached = { kind: 'answer_foreign', why: '' };
const GONE: Reached = { kind: 'unreachable', why: '' };

/** How requests may end, at our edge and where visitors are led; the first is as it should be. */
function reachesOf(visitors: Reached, isFull: boolean): readonly Observed[] {
  const elsewhere: Reached[] = [
    { kind: 'reached', isProxied: true },
    ...UNREACHED.filter((_, index) => isFull || index > 3).map(kind => ({ kind, why: '' })),
    { ...AWAY, isPartial: true },
  ];
  return [
    { edge: REACHED, visitors },
    { edge: REACHED, visitors: visitors === REACHED ? AWAY : REACHED },
    ...elsewhere.map(each => ({ edge: REACHED, visitors: each })),
    ...[visitors, GONE].map(each => ({ edge: GONE, visitors: each })),
  ];
}

/** One pass, or a few one after the other, over a claim in a world of which each thing is chosen when it is first asked for. */
export type World = Awaited<ReturnType<typeof worldAround>>;

/**
 * The world around a claim behind the ports of a pass. What DNS shows is chosen as states of records, whose look-ups are not
 * made; all else runs as it is in the service.
 */
export async function worldAround(claim: Domain, choose: Choose, { isFull = true } = {}) {
  let nowMs = AT_MS;
  const clock = makeClock(1, () => nowMs);
  const chosen = new Map<string, unknown>();
  const set = (what: string, value: unknown) => chosen.set(what, value);
  const get = <Value>(what: string, options: readonly Value[], wrong: Wrong = 'world'): Value => {
    if (!chosen.has(what)) set(what, choose(what, options, wrong));
    return chosen.get(what) as Value;
  };
  /** What was asked of AWS and done; `isIdle`: although it was so already. */
  const calls: { readonly what: string; readonly isIdle: boolean }[] = [];
  const done = (what: string, isIdle: boolean) => calls.push({ what, isIdle });
  /** How a call ends. */
  const outcome = <Kind extends string>(what: string, ...refusals: readonly Kind[]): Kind | 'done' => {
    const kind = get<Kind | 'done' | 'throttled'>(
      `call: ${what}`,
      ['done', ...refusals, 'throttled'],
      'call',
    );
    if (kind === 'throttled') throw new Throttled(what);
    return kind;
  };

  const claims = keptClaims();
  await claims.keep(claim);
  const find = () => claims.find(claim.domain, claim.project);
  if (claim.provenAt !== null) claims.own(claim.domain, claim.project);

  const isSwitched = () =>
    get('switched', isReady(claim) ? [false, true] : [true, false], isFull ? 'nothing' : 'world');
  const certificate = () => get<View>('certificate', viewsOf(claim));

  const certificates: Certificates = {
    async ensure(before) {
      if (outcome('request', 'no room') === 'no room') throw new CertificatesFull();
      const isUsable = before.certificate.arn === null && chosen.get('certificate') === 'PENDING';
      done('request', isUsable);
      set('certificate', 'PENDING');
      return isUsable ? (certified().arn as string) : `${certified().arn}${calls.length}`;
    },
    view: async () => viewOf(certificate()),
    remove: async () => {
      done('delete certificate', certificate() === 'gone');
      set('certificate', 'gone');
      return true;
    },
    removeAll: async () => {
      const isInUse = outcome('delete certificate', 'in use') === 'in use';
      if (!isInUse) done('delete certificate', false);
      return !isInUse;
    },
    isRecordShared: async () => false,
  };

  const fronts = {
    none: null,
    ours: { ...FRONT, certificateArn: claim.certificate.arn ?? '' },
    'other certificate': { ...FRONT, certificateArn: 'other' },
    foreign: { ...FRONT, isOurs: false, certificateArn: 'theirs' },
    "a rival's": { ...FRONT, isOurs: false, certificateArn: 'theirs' },
  } satisfies Record<string, AttachedDomain | null>;
  const foundFront = () => {
    const left = claim.gateway ? 'ours' : 'none';
    const others = Object.keys(fronts).filter(each => each !== left) as (keyof typeof fronts)[];
    const kind = get<keyof typeof fronts>('front', [left, ...others], 'ours');
    return get<AttachedDomain | null>('front name', [fronts[kind]]);
  };
  const SLOTS = { now: 0, soon: 30_000, queued: 3_600_000 };
  /** The wait for a slot, unless the claim has one now. */
  const turn = (ticket: string | null = null): Later | undefined => {
    const bookedMs = nowMs + SLOTS[get<keyof typeof SLOTS>('slot', ['now', 'soon', 'queued'], 'call')];
    const atMs = ticket === null ? bookedMs : Date.parse(ticket);
    return atMs > nowMs ? { kind: 'later', atMs, ticket: timeOf(atMs), isBusy: false } : undefined;
  };
  const busy = (): Later => ({
    kind: 'later',
    atMs: nowMs + SLOTS.soon,
    ticket: timeOf(nowMs + SLOTS.soon),
    isBusy: true,
  });
  const mapping = () => {
    const left = claim.route === 'open' ? PUBLISHED : claim.route;
    const others = [PUBLISHED, MOVED, null].filter(each => each?.apiId !== left?.apiId);
    return get('mapping', [left, ...others], 'ours');
  };
  const front: Front = {
    isForeign: async () => get<string>('front', ['foreign']) === 'foreign',
    find: async () => foundFront() ?? undefined,
    async attach(_, certificateArn, ticket) {
      const waiting = turn(ticket);
      if (waiting) return waiting;
      const kind = outcome('attach', 'busy', 'full', 'others');
      if (kind === 'busy') return busy();
      if (kind === 'full') throw new FrontFull();
      if (kind === 'others') {
        set('front', 'foreign');
        set('front name', fronts.foreign);
        throw new AttachedByOthers();
      }
      done('attach', foundFront()?.certificateArn === certificateArn);
      set('front name', { ...FRONT, certificateArn });
      return undefined;
    },
    hasStage: async () => true,
    routeOf: async () => mapping() ?? undefined,
    async route(_, apiStage) {
      const kind = outcome('route', 'undone', 'API gone', 'not attached');
      if (kind === 'API gone') throw new ApiUnknown();
      if (kind === 'not attached') throw new NotAttached();
      if (kind === 'undone') return;
      done('route', mapping()?.apiId === apiStage.apiId);
      set('mapping', apiStage);
    },
    async unroute() {
      outcome('unroute');
      done('unroute', mapping() === null);
      set('mapping', null);
    },
    async detach(_, ticket) {
      const waiting = turn(ticket);
      if (waiting) return waiting;
      if (outcome('detach', 'busy') === 'busy') return busy();
      done('detach', foundFront() === null);
      set('front name', null);
      return undefined;
    },
  };

  const zone = {
    targetOf: async () => get('host', [HOST, undefined], 'ours'),
    async pointAt(_: string, target: string) {
      if (outcome('point', 'undone') === 'undone') return;
      done('point', get('host', [HOST, undefined], 'ours') === target);
      set('host', target);
    },
    async remove() {
      outcome('delete host');
    },
  };

  const purposeOf = (name: string) =>
    name === VALIDATION.name ? 'certificate' : name === NAME ? 'traffic' : 'ownership';
  const accountZones = {
    list: async () => [],
    async create({ name }: { readonly name: string }) {
      outcome('create record');
      done('create record', chosen.get(`${purposeOf(name)} record`) === 'ok');
      set(`${purposeOf(name)} record`, 'ok');
    },
    async remove() {},
  };

  let kept: ReturnType<typeof keptProjects> | undefined;
  const projects = () => {
    const kind = get('project', Object.keys(PROJECTS) as (keyof typeof PROJECTS)[]);
    const given: Partial<Project> = PROJECTS[kind];
    const isLive = isServed(claim);
    const zoo = someProject({
      ...PUBLISHED,
      plan: 'pro',
      deploy: DEPLOYED,
      ...given,
      liveDomains: [SIBLING, ...(isLive ? [NAME] : [])],
      primary: SIBLING,
      awayDomains: [...(given.awayDomains ?? []), ...(isLive && !hasVisitors(claim) ? [NAME] : [])],
    });
    kept ??= keptProjects([...(kind === 'gone' ? [] : [zoo]), someProject({ id: RIVAL.project })]);
    return kept;
  };

  const base = {
    clock,
    domains: claims.store,
    projects: {
      find: async (id: string) => projects().find(id),
      routingChange: (...given: Parameters<ReturnType<typeof keptProjects>['routingChange']>) =>
        projects().routingChange(...given),
    } as ReturnType<typeof keptProjects>,
    certificates,
    front,
    zone,
    vantagePoints: async () => ({ zone: undefined, isApex: false, authoritative: undefined, resolvers: [] }),
    redirectApi: REDIRECTS,
    reach: async () => get<Observed>('reach', reachesOf(isSwitched() ? REACHED : AWAY, isFull)),
  };
  const parts = {
    ...base,
    managedRecords: {
      ...managedRecords({ ...base, accountZones }),
      zoneIdOf: async () => get<string | undefined>('zone of ours', [undefined, 'ZZOO'], 'nothing'),
    },
    takeover: takeover(base),
    ...liveRouting(base),
  };

  const sight = (of: Domain): Sight => {
    const kind = get(
      'kind',
      of.kind === 'apex' ? (['apex', 'subdomain'] as const) : (['subdomain', 'apex'] as const),
    );
    const view = of.certificate.arn === null ? undefined : viewOf(certificate());
    const current = { ...of, kind, zone: kind === 'apex' ? NAME : 'zoo.example' };
    const required = requiredRecords(view ? { ...current, certificate: viewed(of, view) } : current);
    const checked = required.map(record => {
      const isTraffic = record.purpose === 'traffic';
      const right: RecordSeen = isTraffic && !isSwitched() ? 'mismatch' : 'ok';
      const hidden = isTraffic
        ? (['proxied', ...(record.type === 'CNAME' ? ['flattened'] : [])] as RecordSeen[])
        : [];
      const states = [
        right,
        ...[...RECORDS, ...hidden].filter(state => state !== right && (isFull || state !== 'conflict')),
      ];
      return recordSeen(record, get<RecordSeen>(`${record.purpose} record`, states));
    });
    // Name servers that are silent take longer than a pass may last.
    if (get('name servers', ['fast', 'slow']) === 'slow') nowMs += 60_000;
    return {
      kind,
      zone: current.zone,
      nameServers: of.nameServers,
      certificate: view,
      records: neededOf(checked, current),
    };
  };
  const rival = async ({ contest }: Domain): Promise<NonNullable<Seen['rival']> | null> => {
    const RIVALS = contest
      ? (['gone', 'none', 'there', 'unknown', 'leaving'] as const)
      : (['none', 'there', 'gone', 'unknown', 'leaving'] as const);
    const kind = get<(typeof RIVALS)[number]>('rival', claim.provenAt === null ? RIVALS : ['none']);
    if (kind === 'none') return null;
    const owner =
      (await claims.store.find(NAME, RIVAL.project)) ?? (await rivalClaim(kind === 'leaving', contest));
    return { owner, support: kind === 'leaving' ? 'gone' : kind };
  };
  async function rivalClaim(isLeaving: boolean, contest: Domain['contest']): Promise<Domain> {
    const until = contest?.since && timeOf(Date.parse(contest.since) + TAKEOVER_HOURS * 3_600_000);
    const isTold = until && get('owner', ['told', 'not told'], 'nothing') === 'told';
    const owner = live({
      ...RIVAL,
      ...(isLeaving
        ? { status: 'removing' }
        : { status: 'needs_attention', reason: 'traffic_record_missing' }),
      ...(isTold && { takeover: until }),
    });
    await claims.keep(owner);
    claims.own(NAME, RIVAL.project);
    return owner;
  }
  const caa = () => get('CAA', ['allowed', 'blocked', 'unknown'] as const);
  const observe = observer(parts);
  const looks = async (of: Domain, look: Look, seen: Seen): Promise<Seen> => {
    if (look === 'sight') return { ...seen, sight: { ...sight(of), of } };
    if (look === 'rival') return { ...seen, rival: await rival(of) };
    if (look !== 'caa') return observe(of, look, seen);
    const kind = caa();
    return {
      ...seen,
      caa: kind === 'allowed' ? { kind } : kind === 'blocked' ? { kind, block: CAA } : { kind, at: NAME },
    };
  };

  let isWoken = false;
  return {
    chosen,
    calls,
    set,
    find,
    keep: claims.keep,
    nowMs: () => nowMs,
    /** One pass; the time that it asks to wait, if it hasn't failed. */
    async pass() {
      calls.length = 0;
      const before = await find();
      const isSwept =
        before && isAttached(before) && !isWoken && get('woken by', ['sweep', 'worker'], 'call') === 'sweep';
      isWoken = false;
      const wake = async () => {
        isWoken = true;
      };
      const tend = tender(parts, isSwept ? wake : undefined, looks);
      try {
        const tended = await claims.store.holding(NAME, holder => tend(claim, holder));
        if (!tended) throw new Error('The claim is changed all the time.');
        return { claim: tended.claim, seconds: tended.seconds, isDone: true, error: undefined };
      } catch (error) {
        const isMeant = error instanceof Throttled || error instanceof NotAttached;
        return { claim: await find(), isDone: false, ...(!isMeant && { error: error as Error }) };
      }
    },
    /** Time passes: what the acts have begun goes on. */
    later(seconds: number) {
      nowMs += seconds * 1000;
      if (chosen.get('certificate') === 'PENDING') set('certificate', 'ISSUED');
    },
    /** What the owner is told when another project contests the name, or no longer does. */
    async notice(isContested: boolean) {
      const contest = { since: timeOf(nowMs) };
      if (isContested)
        await claims.keep(
          live({ ...RIVAL, status: 'verifying', verifiedAt: null, issuedAt: null, provenAt: null, contest }),
        );
      await updateNotice(parts, claim);
      return find();
    },
  };
}
