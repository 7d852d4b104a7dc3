import { describe, expect, test } from 'vitest';
import { timeOf } from '../../../../shared/domains/clock.ts';
import { requiredRecords } from '../../../../shared/domains/dns/required-record.ts';
import type { Later } from '../../../../shared/domains/front.ts';
import type { Domain, ManagedRecord, Trouble } from '../../../../shared/domains/life/domain.ts';
import { type Decision, decide } from '../../../../shared/domains/pass/decide.ts';
import type { Outcome, Seen } from '../../../../shared/domains/pass/gates.ts';
import { neededOf } from '../../../../shared/domains/pass/inspection.ts';
import type { Reached } from '../../../../shared/domains/reach.ts';
import {
  AT,
  AT_MS,
  ago,
  CHALLENGE,
  certified,
  claimed,
  clockAt,
  DAY,
  HOST,
  HOUR,
  live,
  MINUTE,
  NAME,
  PUBLISHED,
  REDIRECTS,
  removing,
  SECOND,
  TARGET,
  VALIDATION,
} from '../claimed-domain.ts';
import { recordSeen } from './walk-world.ts';

const NOW = clockAt(AT_MS);

const FRONT = {
  host: HOST,
  hostedZoneId: 'Z1UJRXOUMOOFQ8',
  certificateArn: certified().arn as string,
  isOurs: true,
};
const RECERTIFIED = { ...FRONT, certificateArn: 'other' };
const FOREIGN = { ...FRONT, isOurs: false };
const ARRIVED: Reached = { kind: 'reached' };
const AWAY: Reached = { kind: 'answer_foreign', why: 'Another server responds.' };
const SOME: Reached = { ...AWAY, isPartial: true };
const GONE: Reached = { kind: 'unreachable', why: 'There was no response in time.' };
const UNRESOLVED: Reached = { kind: 'unresolved', why: 'Its name servers fail (SERVFAIL).' };
const UNCONFIRMED: Reached = { kind: 'unconfirmed', why: 'IPv6.', at: '2600:1f18::bad', isPartial: true };
const UNKNOWN: Reached = { kind: 'unknown', why: 'Proofs are throttled.' };
const UNPROVEN: Reached = { kind: 'unproven', why: 'Another.', at: '104.16.0.1' };
const PROXIED: Reached = { kind: 'reached', isProxied: true };

const CAA = { at: 'zoo.example', record: '0 issue "ca"', lacksAmazon: true };
const BLOCKED = { caa: { kind: 'blocked', block: CAA } } as const;
const NO_CAA = { caa: { kind: 'unknown', at: 'zoo.example' } } as const;

const DONE: Outcome = { kind: 'done' };
const LEFT: Outcome = { kind: 'left' };
const refused = (reason: Trouble['reason'], more: Partial<Trouble> = {}): Outcome => ({
  kind: 'refused',
  trouble: { reason, message: 'Refused.', ...more },
});
const later = (seconds: number, { isBusy = false, nowMs = AT_MS } = {}): Later => {
  const atMs = nowMs + seconds * SECOND;
  return { kind: 'later', atMs, ticket: timeOf(atMs), isBusy };
};
const BUSY = later(31, { isBusy: true });
const lacking = (reason: Trouble['reason']) => ({
  project: { route: PUBLISHED, unmet: { reason, message: 'Lacking.' } },
});

/** A claim of each kind, to which everything has just happened. */
const PENDING = certified({ status: 'PENDING_VALIDATION' });
const VERIFYING = claimed({ status: 'verifying', certificate: PENDING });
const ISSUING = claimed({ status: 'issuing', certificate: PENDING });
const ATTACHING = claimed({
  status: 'issuing',
  issuedAt: AT,
  attachedAt: AT,
  certificate: certified(),
  pointsAt: HOST,
  gateway: { host: HOST, hostedZoneId: FRONT.hostedZoneId },
  route: PUBLISHED,
});
const UNNAMED = { ...ATTACHING, gateway: null, attachedAt: null, route: null };
const READY = live({ status: 'ready', issuedAt: AT, switchLater: true, readyAt: AT, liveAt: null });
const LIVE = live();
const REMOVING = removing();
const apex = (claim: Domain): Domain => ({ ...claim, kind: 'apex', zone: NAME });
const switchedLater = (claim: Domain): Domain => ({ ...claim, switchLater: true });
const inRound = (rounds: number, claim: Domain): Domain => ({ ...claim, rounds });
const verifiedAgo = (days: number, claim: Domain): Domain => ({ ...claim, verifyStartedAt: ago(days * DAY) });
const troubled = (reason: Domain['reason'], changes: Partial<Domain> = {}) =>
  live({ status: 'needs_attention', reason, message: 'As it was.', ...changes });

type State = Parameters<typeof recordSeen>[1];

/** What is wrong in an otherwise right world: records, what ACM says of the certificate, requests, or what else was seen. */
interface Wrong extends Partial<Omit<Seen, 'sight' | 'reach'>> {
  readonly traffic?: State;
  readonly ownership?: State;
  readonly validation?: State;
  readonly acm?: Partial<Domain['certificate']>;
  readonly visitors?: Reached;
  readonly edge?: Reached;
}
const NO_TEXT = { ownership: 'missing' } as const;
const NO_RECORD = { traffic: 'missing', ...NO_TEXT } as const;
const NO_VALIDATION = { validation: 'missing' } as const;
const ELSEWHERE = { traffic: 'mismatch', visitors: AWAY } as const;

/** What is seen of a claim in a right world, but for this. */
function seenOf(claim: Domain, wrong: Wrong = {}): Seen {
  const isReady = claim.status === 'ready';
  const {
    traffic = isReady ? 'mismatch' : 'ok',
    ownership = 'ok',
    validation = 'ok',
    acm,
    ...others
  } = wrong;
  const { visitors = isReady ? AWAY : ARRIVED, edge = ARRIVED, ...rest } = others;
  const states = { traffic, ownership, certificate: validation };
  const { kind, zone, nameServers } = claim;
  const { requests, arn, ...view } = { serial: null, ...claim.certificate, ...acm };
  const checked = requiredRecords(claim).map(record => recordSeen(record, states[record.purpose]));
  return {
    sight: { kind, zone, nameServers, certificate: view, records: neededOf(checked, claim), of: claim },
    caa: { kind: 'allowed' },
    rival: null,
    project: { route: PUBLISHED },
    front: FRONT,
    route: PUBLISHED,
    host: HOST,
    reach: { visitors, edge },
    zoneId: null,
    tried: {},
    ...rest,
  };
}

/** What a claim is by a decision, and what comes next: an act, a look, or a wait, for the next execution if it rests. */
function outcome({ next, look, act, seconds }: Decision): string {
  const { status, reason } = next;
  const wait = seconds === undefined ? [] : [`${next.isResting ? 'rest ' : ''}${seconds} s`];
  const then = look ? [`look at ${look}`] : act ? [act.do] : wait;
  return [reason === null ? status : `${status}: ${reason}`, ...then].join('; ');
}

type Row = readonly [what: string, wrong: Wrong, comes: string, other?: Domain];

/** What comes of a claim, or of another one, by what is wrong. */
function decides(claim: Domain, rows: readonly Row[]): void {
  test.each(rows.map(([what, wrong, comes, other = claim]) => ({ what, wrong, comes, other })))(
    '$what',
    ({ wrong, comes, other }) => {
      expect(outcome(decide(other, seenOf(other, wrong), NOW))).toBe(comes);
    },
  );
}

const looksOf = (claim: Domain): string => {
  const right = seenOf(claim);
  const asked: string[] = [];
  let seen: Seen = { tried: {} };
  for (let next = decide(claim, seen, NOW); next.look; next = decide(claim, seen, NOW)) {
    asked.push(next.look);
    seen = { ...seen, [next.look]: right[next.look] };
  }
  return asked.join(' ');
};

test('an attached domain is looked at in full: what is ours, then its visitors, then what it needs to stay', () => {
  expect(looksOf(LIVE)).toBe('sight front project route host reach caa');
  expect(looksOf(ATTACHING)).toBe('project front route host sight reach');
  expect(looksOf(ISSUING)).toBe('sight caa');
  expect(looksOf(VERIFYING)).toBe('rival sight');
});

describe('the proof of a claim', () => {
  const proven = (changes: Partial<Domain> = {}): Domain => ({ ...VERIFYING, provenAt: AT, ...changes });
  const open = 'verifying: traffic_record_missing; 15 s';
  const flattened = { ...NO_TEXT, traffic: 'flattened' } as const;
  decides(VERIFYING, [
    ['is its CNAME record', NO_TEXT, 'issuing; prove'],
    ['is its TXT record', { traffic: 'missing' }, 'issuing; prove'],
    ['of an apex is its TXT record', { traffic: 'missing' }, 'issuing; prove', apex(VERIFYING)],
    // Anyone can point a name at these addresses.
    ['of an apex is not its traffic', NO_TEXT, 'verifying: ownership_record_missing; 15 s', apex(VERIFYING)],
    ['is no flattened record', flattened, 'verifying: ownership_record_missing; 15 s'],
    ...(['missing', 'mismatch', 'conflict', 'unreachable', 'spreading'] as const).map(
      (traffic): Row => [traffic, { ...NO_TEXT, traffic }, `verifying: traffic_record_${traffic}; 15 s`],
    ),
    ['is missing for longer', NO_RECORD, 'verifying: traffic_record_missing; 60 s', inRound(8, VERIFYING)],
    [
      'is missing for hours',
      NO_RECORD,
      'verifying: traffic_record_missing; rest 3600 s',
      inRound(47, VERIFYING),
    ],
    // By then the claim ends.
    ['was never found', { ...NO_RECORD, tried: { discard: DONE } }, open, verifiedAgo(31, VERIFYING)],
    ['was found once', NO_RECORD, open, proven({ verifyStartedAt: ago(30 * DAY - 1) })],
    ['is given up after 30 days', NO_RECORD, 'failed: traffic_record_missing', verifiedAgo(30, proven())],
  ]);

  test('is late after 48 hours, which its owner is told once', () => {
    const at = (ms: number, claim: Domain) =>
      decide(claim, seenOf(claim, NO_RECORD), clockAt(AT_MS + ms)).next;
    expect(at(2 * DAY, VERIFYING)).not.toHaveProperty('lateAt');
    const late = at(2 * DAY + 1, VERIFYING);
    const message =
      'Still waiting after 48 hours. missing. What is missing is looked for every hour until 2 Mar 2026, 12:00 UTC.';
    expect(late).toMatchObject({
      lateAt: timeOf(AT_MS + 2 * DAY + 1),
      message: 'missing.',
      lastEvent: { type: 'needs attention', message },
    });
    expect(at(2.5 * DAY, late)).toMatchObject({ lateAt: late.lateAt, lastEvent: late.lastEvent });
  });

  test('is dated by its first time', () => {
    const marks = (claim: Domain) => decide(claim, seenOf(claim), NOW).next;
    expect(marks(VERIFYING)).toMatchObject({ verifiedAt: AT, provenAt: AT });
    expect(marks(proven({ provenAt: ago(DAY) }))).toMatchObject({ verifiedAt: AT, provenAt: ago(DAY) });
  });
});

describe('the certificate of a claim that nobody has proven is discarded', () => {
  const createdAgo = (ms: number, claim: Domain) => ({ ...claim, createdAt: ago(ms) });
  const spent = { ...NO_RECORD, acm: { status: 'VALIDATION_TIMED_OUT' } };
  const open = 'verifying: traffic_record_missing; 15 s';
  const idle = claimed({ certificate: PENDING });
  const issued = claimed({ certificate: certified() });
  decides(VERIFYING, [
    ['when ACM has given it up', spent, 'verifying; discard'],
    ['once', { ...spent, tried: { discard: DONE } }, open],
    ['when ACM gives it up about now', NO_RECORD, 'verifying; discard', createdAgo(72 * HOUR, VERIFYING)],
    ['not before', NO_RECORD, open, createdAgo(72 * HOUR - 1, VERIFYING)],
    ['not if the claim was proven', spent, open, { ...VERIFYING, provenAt: AT }],
    ['also when nobody verifies it', {}, 'pending_dns; discard', createdAgo(72 * HOUR, idle)],
    ['unless it is issued', {}, 'pending_dns', createdAgo(72 * HOUR, issued)],
  ]);
});

describe('a name that another project owns', () => {
  const contestedFor = (ms?: number): Domain => ({
    ...VERIFYING,
    project: 'farm',
    contest: { since: ms === undefined ? null : ago(ms) },
  });
  const owner = (support: 'there' | 'gone' | 'unknown', changes: Partial<Domain> = {}) => ({
    rival: { owner: live({ provenAt: ago(DAY), takeover: AT, ...changes }), support },
  });
  const UNPROVEN_YET = 'verifying: ownership_record_missing; 15 s';
  const PENDING_YET = 'verifying: takeover_pending; 15 s';
  const HALF = 3 * HOUR;
  const OVER = 6 * HOUR;
  const givingUp = owner('gone', { status: 'removing' });
  const discarding = { ...owner('gone'), acm: { status: 'FAILED' } };
  const inOurZone = { ...owner('gone'), ...NO_TEXT, zoneId: 'Z1' };
  test.each<
    [what: string, contestedMs: number | undefined, Wrong, comes: string, since: string | null | undefined]
  >([
    ['is taken: its owner has a record', undefined, owner('there'), 'failed: domain_taken', null],
    ['is contested by the TXT record alone', undefined, { ...owner('gone'), ...NO_TEXT }, UNPROVEN_YET, null],
    ['is contested', undefined, owner('gone'), PENDING_YET, AT],
    ['is contested for three hours', HALF, owner('gone'), PENDING_YET, ago(HALF)],
    ['is no longer contested', HALF, { ...owner('gone'), ...NO_TEXT }, UNPROVEN_YET, null],
    [
      'has silent name servers',
      HALF,
      owner('unknown'),
      'verifying: ownership_record_unreachable; 15 s',
      null,
    ],
    ['has a new owner, who has six hours', HALF, owner('gone', { provenAt: ago(HOUR) }), PENDING_YET, AT],
    ['goes over soon', OVER - 9000, owner('gone'), 'verifying: takeover_pending; 9 s', ago(OVER - 9000)],
    ['goes over', OVER, owner('gone'), 'issuing; takeOver', undefined],
    ['is kept until then', OVER, owner('gone', { takeover: ago(-HOUR) }), PENDING_YET, ago(OVER)],
    ['is kept by a record at the last moment', OVER, owner('there'), 'failed: domain_taken', null],
    ['goes over at once where its owner gives it up', undefined, givingUp, 'issuing; takeOver', undefined],
    ['is free, so needs no TXT record', undefined, { rival: null, ...NO_TEXT }, 'issuing; prove', undefined],
    // Its owner is told together with the write that shows the contest, which this one isn't.
    ['has a certificate that is discarded first', undefined, discarding, 'verifying; discard', null],
    ['is proven without our help', undefined, inOurZone, UNPROVEN_YET, null],
  ])('%s', (_, contestedMs, wrong, comes, since) => {
    const claim = contestedFor(contestedMs);
    const decision = decide(claim, seenOf(claim, wrong), NOW);
    expect([outcome(decision), decision.next.contest?.since]).toEqual([comes, since]);
  });
});

describe('the certificate', () => {
  const since = (minutes: number) => ({ ...ISSUING, verifiedAt: ago(minutes * MINUTE) });
  const asked = (requests: number) => ({ ...ISSUING, certificate: { ...PENDING, requests } });
  const month = verifiedAgo(30, { ...ISSUING, verifiedAt: ago(30 * DAY) });
  const timedOut = { acm: { status: 'VALIDATION_TIMED_OUT' } };
  const caaError = { acm: { status: 'FAILED', failure: 'CAA_ERROR' } };
  const notAllowed = { acm: { status: 'FAILED', failure: 'DOMAIN_NOT_ALLOWED' } };
  const full = { tried: { request: refused('certificate_refused') } };
  const requested = { tried: { request: DONE } };
  decides(ISSUING, [
    ['is pending', {}, 'issuing; 15 s', since(30)],
    ['is delayed after half an hour', {}, 'issuing: certificate_delayed; 15 s', since(31)],
    ['may have to wait for CAA look-ups', NO_CAA, 'issuing; 15 s', since(30)],
    ['waits for CAA look-ups', NO_CAA, 'issuing: caa_unreachable; 15 s', since(31)],
    ['is forbidden by CAA', BLOCKED, 'issuing: caa_blocked; 15 s'],
    ['waits for its record', NO_VALIDATION, 'issuing: certificate_record_missing; 15 s'],
    ['waits for a proof', { ...NO_TEXT, traffic: 'mismatch' }, 'issuing: traffic_record_mismatch; 15 s'],
    ['is gone', { acm: { status: null } }, 'issuing; request'],
    ['was given up by ACM', timedOut, 'issuing; request'],
    [
      'would be given up again',
      { ...timedOut, ...NO_VALIDATION },
      'issuing: certificate_record_missing; 15 s',
    ],
    ['was forbidden by CAA', caaError, 'issuing; request'],
    ['is still forbidden by CAA', { ...caaError, ...BLOCKED }, 'issuing: caa_blocked; 15 s'],
    ['was requested', requested, 'issuing; 60 s', asked(1)],
    ['was requested a third time', requested, 'issuing; 240 s', asked(3)],
    ['has no room in the account', full, 'issuing: certificate_refused; 15 s'],
    ['was refused too often', caaError, 'failed: certificate_failed', asked(8)],
    ['is refused for good', notAllowed, 'failed: certificate_failed'],
    ['is pending for 30 days', {}, 'failed: certificate_delayed', month],
    [
      'lacks its record for 30 days',
      { ...timedOut, ...NO_VALIDATION },
      'failed: certificate_record_missing',
      month,
    ],
    ['is forbidden by CAA for 30 days', BLOCKED, 'failed: caa_blocked', month],
    ['is issued, and the domain attached', { acm: { status: 'ISSUED' }, front: null }, 'issuing; attach'],
  ]);

  test('is told from the one before it, which ACM may have shown earlier in the pass', () => {
    const before = { ...ISSUING, certificate: { ...PENDING, arn: 'before' } };
    const { next } = decide(asked(1), { ...seenOf(before, caaError), ...requested }, NOW);
    expect(next.certificate).toEqual(asked(1).certificate);
  });

  test('has the CAA record that blocks it named, until that is put right', () => {
    const { next } = decide(ISSUING, seenOf(ISSUING, BLOCKED), NOW);
    expect(next.caa).toEqual(CAA);
    expect(decide(next, seenOf(next), NOW).next.caa).toBeUndefined();
  });
});

describe('a domain that is attached', () => {
  const month = verifiedAgo(30, ATTACHING);
  const refusedBefore = { ...UNNAMED, reason: 'attachment_refused' } as const;
  const attach = (attempt: Outcome) => ({ front: null, tried: { attach: attempt } });
  const byOthers = { ...attach({ kind: 'others' }), isForeign: true };
  const full = attach(refused('attachment_refused', { quota: 'L-A93447B8' }));
  decides(ATTACHING, [
    ['goes live', {}, 'live; goLive'],
    ['has the wrong plan', lacking('plan_required'), 'issuing: plan_required; 15 s'],
    [
      'has it for 30 days, and is mapped no more',
      lacking('plan_required'),
      'failed: plan_required; unroute',
      month,
    ],
    ['has no project', { project: null }, 'failed: project_gone; unroute'],
    ['has no domain name', { front: null }, 'issuing; attach', UNNAMED],
    ['has one with another certificate', { front: RECERTIFIED }, 'issuing; attach'],
    ['has one that is not ours', { front: FOREIGN }, 'issuing; look at isForeign'],
    ["has another team's", { front: FOREIGN, isForeign: true }, 'issuing: domain_name_foreign; 15 s'],
    [
      "has its former project's",
      { front: FOREIGN, isForeign: false },
      'issuing: domain_name_being_released; 15 s',
    ],
    ['was just attached by others', byOthers, 'issuing: domain_name_foreign; 15 s'],
    ['is refused', attach(refused('attachment_refused')), 'issuing: attachment_refused; 15 s'],
    ['has no room in the account', full, 'issuing: attachment_refused; 1800 s'],
    ['has a later slot', attach(later(62)), 'issuing; 62 s'],
    ['has one in an hour', attach(later(3600)), 'issuing; 3600 s'],
    [
      'says what was refused until its slot',
      attach(later(62)),
      'issuing: attachment_refused; 62 s',
      refusedBefore,
    ],
    ['finds API Gateway busy', attach(BUSY), 'issuing; 31 s'],
    ['finds it busy again and again', attach(BUSY), 'issuing; 91 s', inRound(20, ATTACHING)],
    ['finds it busy for 30 days', attach(BUSY), 'failed: gateway_busy', { ...month, route: null }],
    ['is not mapped', { route: null }, 'issuing; route'],
    ['stays mapped otherwise until it is live', { route: REDIRECTS }, 'live; goLive'],
    ['has no API', { route: null, tried: { route: refused('api_gone') } }, 'issuing: api_gone; 15 s'],
    ['has a host that leads elsewhere', { host: 'd-9' }, 'issuing; point'],
    ['has one that stays so', { host: 'd-9', tried: { point: DONE } }, 'issuing: host_record_changed; 15 s'],
    ['has lost its certificate', { acm: { status: 'EXPIRED' } }, 'failed: certificate_lost; unroute'],
    // Its alias can be named now.
    ['is an apex with a new domain name', {}, 'issuing; look at sight', apex(UNNAMED)],
  ]);

  test('is so since it has its first domain name', () => {
    const { gateway, pointsAt } = ATTACHING;
    const { next } = decide(UNNAMED, seenOf(UNNAMED), NOW);
    expect(next).toMatchObject({ attachedAt: AT, gateway, pointsAt });
  });
});

describe('the visitors of a domain that is attached', () => {
  const proxied = { traffic: 'proxied', visitors: PROXIED } as const;
  const conflict = 'verifying: traffic_record_conflict; 15 s';
  const unconfirmed = 'issuing: https_unconfirmed; 15 s';
  const missing = 'verifying: traffic_record_missing; 15 s';
  const before = { ...ATTACHING, reason: 'https_answer_foreign' } as const;
  const kept = 'issuing: https_answer_foreign; 15 s';
  decides(ATTACHING, [
    ['arrive, whatever addresses DNS shows', { traffic: 'conflict' }, 'live; goLive'],
    ['arrive before all resolvers know', { traffic: 'spreading' }, 'live; goLive'],
    ['arrive by a record that was cached', { traffic: 'missing' }, missing],
    ['arrive by the only proof, which was cached', { ...NO_TEXT, traffic: 'conflict' }, conflict],
    ['arrive by a proxy', proxied, 'live; goLive'],
    ['arrive by a proxy without a proof of the claim', { ...proxied, ...NO_TEXT }, conflict],
    ['get to a proxy', { traffic: 'proxied', visitors: UNPROVEN }, conflict],
    [
      'may get to one, which our own edge cannot prove',
      { traffic: 'proxied', visitors: UNKNOWN },
      kept,
      before,
    ],
    ['have an address that nobody can judge', { visitors: UNCONFIRMED }, unconfirmed],
    [
      'have one that DNS alone cannot call wrong',
      { traffic: 'conflict', visitors: UNCONFIRMED },
      unconfirmed,
    ],
    ['have one, and no record', { traffic: 'missing', visitors: UNCONFIRMED }, missing],
    ['get elsewhere', { visitors: AWAY }, 'issuing: https_answer_foreign; 15 s'],
    ['get elsewhere by DNS', ELSEWHERE, 'verifying: traffic_record_mismatch; 15 s', inRound(7, ATTACHING)],
    ['get no response', { visitors: GONE }, 'issuing: https_unreachable; 15 s'],
    [
      'find no address, which was right',
      { visitors: UNRESOLVED },
      'verifying: traffic_record_unreachable; 15 s',
    ],
    [
      'are missing for 30 days',
      { ...ELSEWHERE, ...NO_RECORD },
      'failed: traffic_record_missing; unroute',
      verifiedAgo(30, ATTACHING),
    ],
    ['are switched later, as was asked for', ELSEWHERE, 'ready', switchedLater(ATTACHING)],
    ['may be switched yet', ELSEWHERE, 'verifying: traffic_record_mismatch; 60 s', inRound(17, ATTACHING)],
    ['were not switched for 12 minutes', ELSEWHERE, 'ready', inRound(18, ATTACHING)],
    [
      'stay away without a proof',
      { ...ELSEWHERE, ...NO_TEXT },
      'verifying: traffic_record_mismatch; 69 s',
      inRound(18, ATTACHING),
    ],
    [
      'cannot come to our edge',
      { ...ELSEWHERE, edge: GONE },
      'issuing: https_unreachable; 15 s',
      switchedLater(ATTACHING),
    ],
  ]);

  test('get to a proxy without a proof, which is said of the record that it hides', () => {
    const { next } = decide(ATTACHING, seenOf(ATTACHING, { traffic: 'proxied', visitors: UNPROVEN }), NOW);
    expect(next.message).toMatch(/^Verification is failing. https:.* serves the wrong certificate at 104/);
  });

  test('show that their record is right, whatever DNS does', () => {
    const { next } = decide(ATTACHING, seenOf(ATTACHING, proxied), NOW);
    expect(next).toMatchObject({ isProxied: true, liveAt: AT, readyAt: null, rounds: 0 });
    expect(next.records[0]).toMatchObject({ purpose: 'traffic', state: 'ok', action: null });
  });
});

describe('in a zone of ours a pass creates', () => {
  const TRAFFIC = `CNAME ${NAME} ${TARGET}`;
  const TEXT = `TXT _petstore-challenge.${NAME} ${CHALLENGE}`;
  const CERTIFICATE = `CNAME ${VALIDATION.name} ${VALIDATION.value}`;
  const ALIAS = `A ${NAME} ${HOST} in ${FRONT.hostedZoneId}`;
  const ALL = { ...NO_RECORD, ...NO_VALIDATION };
  const former = { zoneId: 'Z1', type: 'A', name: NAME, value: 'd-0', ttl: 0, aliasZoneId: 'Z' } as const;
  const replacing = { ...apex(ATTACHING), managed: [former] };
  const describeRecord = ({ type, name, value, aliasZoneId }: ManagedRecord) =>
    `${type} ${name} ${value}${aliasZoneId ? ` in ${aliasZoneId}` : ''}`;
  const created = (claim: Domain, wrong: Wrong) => {
    const { act } = decide(claim, seenOf(claim, { zoneId: 'Z1', ...wrong }), NOW);
    return act?.do === 'records' ? act.records.map(describeRecord) : [];
  };
  test.each<[what: string, claim: Domain, wrong: Wrong, created: readonly string[]]>([
    ['before the proof not the record of the certificate, which all claims share', VERIFYING, ALL, [TRAFFIC]],
    ['then that, too', ISSUING, ALL, [TRAFFIC, CERTIFICATE]],
    ['no traffic record that is switched later', switchedLater(ISSUING), ALL, [TEXT, CERTIFICATE]],
    ['what a live domain has lost', LIVE, ALL, [TRAFFIC, CERTIFICATE]],
    ['the TXT record of an apex', apex(VERIFYING), ALL, [TEXT]],
    ['no alias before the domain has its name', apex(ISSUING), { traffic: 'missing' }, []],
    ['the alias of an apex then', apex(ATTACHING), { traffic: 'missing' }, [ALIAS]],
    ['no alias that is switched later', apex(switchedLater(ATTACHING)), { traffic: 'missing' }, []],
    ["no alias in place of its owner's record", apex(ATTACHING), { traffic: 'mismatch' }, []],
    ['an alias in place of ours to a former domain name', replacing, { traffic: 'mismatch' }, [ALIAS]],
    ['nothing in place of another record', VERIFYING, { ...NO_TEXT, traffic: 'mismatch' }, []],
    ['nothing in the way of another record', VERIFYING, { ...NO_TEXT, traffic: 'conflict' }, []],
    ['nothing that nobody can look up', VERIFYING, { ...NO_TEXT, traffic: 'unreachable' }, []],
    ['nothing where the zone is not ours', VERIFYING, { ...ALL, zoneId: null }, []],
  ])('%s', (_, claim, wrong, records) => {
    expect(created(claim, wrong)).toEqual(records);
  });

  test('what nobody else has to create', () => {
    const managed = [{ ...former, type: 'CNAME', value: TARGET, aliasZoneId: null } as const];
    const claim = { ...VERIFYING, managed };
    const { next } = decide(
      claim,
      seenOf(claim, { ...NO_RECORD, zoneId: 'Z1', tried: { records: DONE } }),
      NOW,
    );
    expect(next.records[0]).toMatchObject({ state: 'missing', action: null });
    expect(next.reason).toBe('traffic_record_spreading');
  });
});

describe('what is ours of an attached domain', () => {
  const gone = { front: null, tried: { attach: LEFT } };
  test.each<[what: string, wrong: Wrong, then: string]>([
    ['no domain name', { front: null }, 'attach'],
    ['another certificate', { front: RECERTIFIED }, 'attach'],
    ["somebody's domain name", { front: FOREIGN }, 'look at isForeign'],
    ['no mapping', { route: null }, 'route'],
    ['another mapping', { route: REDIRECTS }, 'route'],
    ['no host', { host: null }, 'point'],
    ['another host', { host: 'd-9' }, 'point'],
    ['no attachment and no host', { front: null, host: null }, 'attach'],
  ])('is put right first: %s', (_, wrong, then) => {
    for (const claim of [LIVE, READY, troubled('traffic_record_missing')])
      expect(outcome(decide(claim, seenOf(claim, { ...wrong, visitors: AWAY }), NOW))).toMatch(`; ${then}`);
  });

  test.each<[reason: Domain['reason'], wrong: Wrong, seconds?: number]>([
    ['domain_name_foreign', { front: FOREIGN, isForeign: true }],
    // Its former owner has released it before.
    ['domain_name_foreign', { front: FOREIGN, isForeign: false }],
    ['domain_name_gone', gone],
    ['domain_name_gone', { front: null, tried: { attach: later(31) } }, 31],
    ['domain_name_recertified', { front: RECERTIFIED, tried: { attach: LEFT } }],
    ['api_gone', { route: null, tried: { route: refused('api_gone') } }],
    ['mapping_changed', { route: null, tried: { route: DONE } }],
    ['host_record_changed', { host: null, tried: { point: DONE } }],
  ])('is %s otherwise, and waited for', (reason, wrong, seconds = 1800) => {
    for (const claim of [LIVE, READY]) {
      const decision = decide(claim, seenOf(claim, { ...wrong, visitors: AWAY }), NOW);
      const nextCheckAt = timeOf(AT_MS + seconds * SECOND);
      const rounds = seconds === 1800 ? 0 : 1;
      expect(decision).toMatchObject({ next: { reason, nextCheckAt, rounds }, seconds });
    }
  });

  const lost = { front: null, acm: { status: 'REVOKED' } };
  const noted = live({ route: { apiId: 'older00001', stage: 'test' } });
  decides(LIVE, [
    ['is written down where somebody has put it right', {}, 'live; route', noted],
    ['is so where somebody began to change it', {}, 'live; route', live({ route: 'open' })],
    ['is not put right with a certificate that is lost', lost, 'needs_attention: certificate_lost; 1800 s'],
  ]);
});

describe('a live domain, when', () => {
  const restored = { visitors: AWAY, tried: { point: DONE } };
  const suspended = {
    project: { route: PUBLISHED, suspension: { reason: 'redirect_suspended', message: 'Away.' } },
  } as const;
  const blind = { visitors: GONE, edge: GONE };
  const goneBlind = { ...blind, front: null, tried: { attach: LEFT } };
  const blocked = troubled('caa_blocked', { caa: CAA });
  const foreign = troubled('https_answer_foreign');
  const needs = (what: string) => `needs_attention: ${what}`;
  const unrenewed = { ...NO_VALIDATION, acm: { renewal: 'PENDING_VALIDATION' } };
  decides(LIVE, [
    ['nothing is wrong', {}, 'live'],
    ['nothing any more', {}, 'live', troubled('traffic_record_missing')],
    ['its record is gone', { traffic: 'missing', visitors: GONE }, needs('traffic_record_missing')],
    ['its record is gone, and cached', { traffic: 'missing' }, needs('traffic_record_missing')],
    ['its record leads elsewhere', ELSEWHERE, needs('traffic_record_mismatch')],
    ['visitors arrive whatever DNS shows', { traffic: 'mismatch' }, 'live'],
    ['another server responds', { visitors: AWAY }, needs('https_answer_foreign')],
    ['another server responds to some', { visitors: SOME }, needs('https_answer_foreign')],
    ['its name servers fail', { visitors: UNRESOLVED }, needs('traffic_record_unreachable')],
    ['nothing can be reached from here', blind, 'live'],
    ['nothing can be, as before', blind, needs('https_unreachable'), troubled('https_unreachable')],
    ['nothing can be, without its domain name', goneBlind, needs('domain_name_gone; 1800 s')],
    ['nobody can judge an address', { visitors: UNCONFIRMED }, 'live'],
    [
      'nobody can, and its visitors were away',
      { visitors: UNCONFIRMED },
      needs('https_answer_foreign'),
      foreign,
    ],
    [
      'nobody can, and what else was wrong is not',
      { visitors: UNCONFIRMED },
      'live',
      troubled('domain_name_gone'),
    ],
    ['our edge has no proof for its proxy', { visitors: UNKNOWN }, 'live', live({ isProxied: true })],
    ['its host was restored just now', restored, needs('https_unreachable; 60 s')],
    ['its host was, and visitors arrive', { tried: { point: DONE } }, 'live'],
    ['nothing proves it', NO_TEXT, needs('ownership_record_missing'), apex(LIVE)],
    ['its validation record is gone', NO_VALIDATION, needs('certificate_record_missing')],
    ['its renewal waits for that', unrenewed, needs('renewal_action_required')],
    ['CAA forbids it', BLOCKED, needs('caa_blocked')],
    ['CAA can not be looked up', NO_CAA, 'live'],
    ['CAA forbade it, and can not be looked up', NO_CAA, needs('caa_blocked'), blocked],
    ['its certificate has expired', { acm: { status: 'EXPIRED' } }, needs('certificate_lost; 1800 s')],
    ['its project lacks a deploy', lacking('deploy_required'), 'live'],
    ['its project is gone', { project: null }, 'live'],
    ['its redirect is suspended', suspended, needs('redirect_suspended')],
  ]);
});

describe('a ready domain, when', () => {
  const arrived = { traffic: 'ok', visitors: ARRIVED } as const;
  const since = (days: number): Domain => ({ ...READY, readyAt: ago(days * DAY) });
  const over = { ...since(30), remindedAt: ago(DAY) };
  const taken = { ...arrived, front: FOREIGN, isForeign: true };
  decides(READY, [
    ['nothing is wrong', {}, 'ready'],
    ['its edge is gone', { edge: GONE }, 'ready: https_unreachable'],
    ['one address of two arrives', { visitors: SOME }, 'ready: traffic_record_mismatch'],
    ['its name servers fail', { visitors: UNRESOLVED }, 'ready'],
    ['its TXT record is gone', NO_TEXT, 'ready: ownership_record_missing'],
    ['CAA forbids its certificate', BLOCKED, 'ready: caa_blocked'],
    ['its certificate was revoked', { acm: { status: 'REVOKED' } }, 'ready: certificate_lost; 1800 s'],
    ['its project lacks a deploy', lacking('deploy_required'), 'ready: deploy_required; 1800 s'],
    ['its project is gone', { project: null }, 'ready: project_gone; 1800 s'],
    ['its visitors arrive', arrived, 'live; goLive'],
    [
      'they do, and its project lacks something',
      { ...arrived, ...lacking('plan_required') },
      'ready: plan_required; 1800 s',
    ],
    ['they do, and others have its domain name', taken, 'ready: domain_name_foreign; 1800 s'],
    ['30 days are over, and it is unmapped', {}, 'failed: not_switched; unroute', over],
    ['they are over, and its visitors arrive', arrived, 'live; goLive', over],
    [
      'they do, but its project lacks something',
      { ...arrived, ...lacking('plan_required') },
      'ready: plan_required; 1800 s',
      over,
    ],
  ]);

  test('its time ends in a week: its owner is reminded once', () => {
    const claim = since(23);
    const { next } = decide(claim, seenOf(claim), NOW);
    expect(next).toMatchObject({ status: 'ready', remindedAt: AT, lastEvent: { type: 'ready' } });
    const { remindedAt, lastEvent } = next;
    expect(decide(next, seenOf(next), clockAt(AT_MS + HOUR)).next).toMatchObject({ remindedAt, lastEvent });
  });
});

/** A removal whose mapping is deleted, and what became of its other acts. */
const removalAfter = (acts: Seen['tried']) => ({ tried: { unroute: DONE, ...acts } });
const IN_USE = { front: null, ...removalAfter({ clear: { kind: 'inUse' } }) };
const startedAgo = (days: number) => removing({ removalStartedAt: ago(days * DAY) });

describe('a removal, when', () => {
  const busy = removalAfter({ detach: BUSY });
  const apart = removing({ unmappedUntil: ago(-40 * SECOND) });
  const cleared = { front: null, ...removalAfter({ clear: DONE }) };
  const stalled = removing({ status: 'stalled', reason: 'gateway_busy' });
  decides(REMOVING, [
    ['it begins', {}, 'removing; unroute'],
    ['its traffic is stopped', removalAfter({}), 'removing; detach'],
    ['a command is at that, too', removalAfter({}), 'removing; 40 s', apart],
    ['its slot is later', removalAfter({ detach: later(93) }), 'removing; 93 s'],
    ['its slot is later after a week', removalAfter({ detach: later(31) }), 'removing; 31 s', startedAgo(7)],
    ['API Gateway is busy', busy, 'removing; 31 s'],
    ['API Gateway is busy for a week', busy, 'stalled: gateway_busy', startedAgo(7)],
    ['others have the domain name', { front: FOREIGN, ...removalAfter({}) }, 'removing; clear'],
    ['it has none', { front: null, ...removalAfter({}) }, 'removing; clear'],
    ['its certificate is in use', IN_USE, 'removing; 300 s'],
    ['its certificate is in use for an hour', IN_USE, 'removing; 1800 s', inRound(12, REMOVING)],
    ['its certificate is in use for a week', IN_USE, 'stalled: certificate_in_use', startedAgo(7)],
    ['all is deleted', cleared, 'removing; forget'],
    ['it has stalled', {}, 'stalled: gateway_busy', stalled],
  ]);
});

describe('a claim that failed is unmapped', () => {
  decides(live({ status: 'failed' }), [
    ['at once', {}, 'failed; unroute'],
    ['once', { tried: { unroute: DONE } }, 'failed'],
    ['if it was mapped', {}, 'failed', live({ status: 'failed', route: null })],
  ]);
});

test('where time is scaled, so are waits and deadlines; an execution is told the unscaled ones', () => {
  const within = (ms: number, claim: Domain, wrong: Wrong) =>
    decide(claim, seenOf(claim, wrong), clockAt(AT_MS + ms, 0.01));
  const proven = { ...VERIFYING, provenAt: AT };
  const queued = { front: null, tried: { attach: later(0.31) } };
  expect(within(0, proven, NO_RECORD)).toMatchObject({ next: { nextCheckAt: ago(-150) }, seconds: 15 });
  expect(within(0, ATTACHING, queued)).toMatchObject({ next: { nextCheckAt: ago(-310) }, seconds: 31 });
  const month = 0.3 * DAY;
  expect(within(month - 1, proven, NO_RECORD).next.status).toBe('verifying');
  expect(within(month, proven, NO_RECORD).next.status).toBe('failed');
});

describe('only a decision says that a claim', () => {
  const month = (claim: Domain) => verifiedAgo(30, { ...claim, provenAt: AT });
  const eighth = { ...ISSUING, certificate: { ...PENDING, requests: 8 } };
  const notAllowed = { acm: { status: 'FAILED', failure: 'DOMAIN_NOT_ALLOWED' } };
  const busy = { front: null, tried: { attach: BUSY } };
  const queued = { front: null, tried: { attach: later(62) } };
  const NOT_ISSUED = "The certificate wasn't issued within 30 days.";
  const reminded = { ...READY, remindedAt: AT };
  test.each<[what: string, claim: Domain, wrong: Wrong, message: string]>([
    [
      'is proven',
      VERIFYING,
      {},
      'The domain is verified. Its certificate is being issued, usually within a couple of minutes.',
    ],
    [
      'has its certificate',
      ISSUING,
      { acm: { status: 'ISSUED' } },
      'The certificate is issued. The domain is being attached.',
    ],
    ['gets another one', ISSUING, { tried: { request: DONE } }, 'A new certificate was requested.'],
    ['is not proven', month(VERIFYING), NO_RECORD, 'Not verified within 30 days. missing. Then re-verify.'],
    [
      'gets no certificate',
      ISSUING,
      notAllowed,
      "The certificate wasn't issued (DOMAIN_NOT_ALLOWED). Re-verify to request a new one.",
    ],
    [
      'asked too often',
      eighth,
      { acm: { status: null } },
      'ACM keeps refusing the certificate. Re-verify later.',
    ],
    [
      'waited for one in vain',
      { ...month(ISSUING), verifiedAt: ago(DAY) },
      {},
      `${NOT_ISSUED} Re-verify to request a new certificate.`,
    ],
    [
      'waited for one that lacks something',
      month(ISSUING),
      NO_VALIDATION,
      `${NOT_ISSUED} The certificate is waiting for a record. missing. Then re-verify to request a new certificate.`,
    ],
    ['is in its queue', ATTACHING, queued, 'Waiting for its turn at API Gateway.'],
    [
      'was there in vain',
      month(ATTACHING),
      busy,
      'API Gateway was too busy to create the domain name within 30 days. Re-verify.',
    ],
    ['has no project', ATTACHING, { project: null }, 'Project zoo no longer exists.'],
    [
      'lacked something else',
      month(ATTACHING),
      lacking('plan_required'),
      "Lacking. Re-verify once that's solved.",
    ],
    [
      'has no visitors',
      month(ATTACHING),
      { ...ELSEWHERE, ...NO_RECORD },
      "The domain still doesn't point here after 30 days. missing. Then re-verify.",
    ],
    [
      'may be switched',
      switchedLater(ATTACHING),
      ELSEWHERE,
      `Ready. Point ${NAME} at ${TARGET} whenever you like before 2 Mar 2026, 12:00 UTC.`,
    ],
    [
      'is to be switched',
      reminded,
      {},
      `Ready. Point ${NAME} at ${TARGET} by 2 Mar 2026, 12:00 UTC; later, re-verify first.`,
    ],
    [
      'is live behind a proxy',
      ATTACHING,
      { visitors: PROXIED },
      `https://${NAME} is live behind a proxy. Visitors see the proxy's certificate, not ours. Keep the records: the ` +
        'certificate needs them to renew.',
    ],
    [
      'is almost deleted',
      REMOVING,
      IN_USE,
      'No longer served. Its certificate is still in use and will be deleted as soon as possible.',
    ],
    [
      'has a certificate that others use',
      startedAgo(7),
      IN_USE,
      'No longer served, but its certificate is still in use. Remove the domain again to continue.',
    ],
    [
      'has a domain name that stays',
      startedAgo(7),
      removalAfter({ detach: BUSY }),
      'No longer served, but API Gateway is too busy to delete it. Remove the domain again to continue.',
    ],
  ])('%s', (_, claim, wrong, message) => {
    expect(decide(claim, seenOf(claim, wrong), NOW).next.message).toBe(message);
  });
});

describe('a wait ends in failure, far below the limit of the history of an execution: for', () => {
  /** A Lambda task has 5 history events, a Choice and a Wait 2 each. */
  const EVENTS_PER_ROUND = 9;
  const MAX_EVENTS = 8000;
  const busy = (nowMs: number) => later(31, { isBusy: true, nowMs });

  test.each<[what: string, claim: Domain, wrongAt: (nowMs: number) => Wrong]>([
    ['records', { ...VERIFYING, provenAt: AT }, () => NO_RECORD],
    ['a certificate', ISSUING, () => ({})],
    ['a domain name', ATTACHING, () => ({ front: null, tried: { attach: refused('attachment_refused') } })],
    ['a busy API Gateway', ATTACHING, nowMs => ({ front: null, tried: { attach: busy(nowMs) } })],
    ['others to give up a domain name', ATTACHING, () => ({ front: FOREIGN, isForeign: true })],
    ['visitors', ATTACHING, () => ({ visitors: GONE })],
    ['a paid plan', ATTACHING, () => lacking('plan_required')],
    ['a certificate that is in use', REMOVING, () => IN_USE],
    ['a busy API Gateway, in a removal', REMOVING, nowMs => removalAfter({ detach: busy(nowMs) })],
  ])('%s', (_, first, wrongAt) => {
    let [claim, nowMs, rounds, longest] = [first, AT_MS, 0, 0];
    while (!['failed', 'stalled'].includes(claim.status)) {
      const { next, seconds = 0 } = decide(claim, seenOf(claim, wrongAt(nowMs)), clockAt(nowMs));
      claim = next;
      nowMs += seconds * SECOND;
      // The next execution begins when the rest is over.
      rounds = claim.isResting ? 0 : rounds + 1;
      longest = Math.max(longest, rounds);
    }
    expect(longest).toBeGreaterThan(1);
    expect(longest * EVENTS_PER_ROUND).toBeLessThan(MAX_EVENTS);
  });
});
