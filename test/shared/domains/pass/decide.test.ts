import { describe, expect, test } from 'vitest';
import { timeOf } from '../../../../shared/domains/clock.ts';
import { requiredRecords } from '../../../../shared/domains/dns/required-record.ts';
import type { Domain, SeenRecord } from '../../../../shared/domains/life/domain.ts';
import { decide } from '../../../../shared/domains/pass/decide.ts';
import type { Seen } from '../../../../shared/domains/pass/gates.ts';
import type { Observed, Reached } from '../../../../shared/domains/reach.ts';
import { AT, AT_MS, certified, clockAt, HOST, live, PUBLISHED, REDIRECTS } from '../claimed-domain.ts';

const NOW = clockAt(AT_MS);
const DAY = 24 * 60 * 60 * 1000;
const FRONT = {
  host: HOST,
  hostedZoneId: 'Z1UJRXOUMOOFQ8',
  certificateArn: certified().arn as string,
  isOurs: true,
};
const ARRIVED: Reached = { kind: 'reached' };
const AWAY: Reached = { kind: 'answer_foreign', why: 'Another server responds.' };
const GONE: Reached = { kind: 'unreachable', why: 'There was no response in time.' };
const UNRESOLVED: Reached = { kind: 'unresolved', why: 'Its name servers fail (SERVFAIL).' };
const UNCONFIRMED: Reached = { kind: 'unconfirmed', why: 'IPv6.', at: '2600:1f18::bad' };
const reach = (visitors: Reached, edge: Reached = ARRIVED): Observed => ({ edge, visitors });

const LIVE = live();
const READY = live({
  status: 'ready',
  issuedAt: AT,
  switchLater: true,
  readyAt: timeOf(AT_MS),
  liveAt: null,
});
const APEX = live({ kind: 'apex', zone: 'www.zoo.example' });
const troubled = (reason: Domain['reason']) =>
  live({ status: 'needs_attention', reason, message: 'As it was.' });

type State = SeenRecord['state'];

/** The records of a domain, of which those for a purpose are in another state. */
function records(claim: Domain, states: Partial<Record<SeenRecord['purpose'], State>> = {}): SeenRecord[] {
  return requiredRecords(claim).map(record => {
    const state = states[record.purpose] ?? 'ok';
    return { ...record, state, observed: [], advice: [], action: state === 'ok' ? null : `${state}.` };
  });
}

/** The sight of a domain, with other records or another certificate. */
function sight(
  claim: Domain,
  states: Partial<Record<SeenRecord['purpose'], State>> = {},
  certificate: Partial<Domain['certificate']> = {},
): Required<Pick<Seen, 'sight'>> {
  const { kind, zone, nameServers } = claim;
  const { requests, ...view } = { ...claim.certificate, ...certificate };
  const seen = {
    kind,
    zone,
    nameServers,
    records: records(claim, states),
    certificate: { serial: null, ...view },
  };
  return { sight: { ...seen, of: claim } as NonNullable<Seen['sight']> };
}

/** What nobody looks at in a right world. */
type NotAsked = 'rival' | 'isForeign';

/** A right world, but for this. */
function seenOf(claim: Domain, changes: Partial<Seen> = {}): Seen {
  const visitors = claim.status === 'ready' ? AWAY : ARRIVED;
  const right: Required<Omit<Seen, NotAsked>> = {
    ...sight(claim, claim.status === 'ready' ? { traffic: 'mismatch' } : {}),
    caa: { kind: 'allowed' },
    project: { route: PUBLISHED },
    front: FRONT,
    route: PUBLISHED,
    host: HOST,
    reach: reach(visitors),
    zoneId: null,
    tried: {},
  };
  return { ...right, ...changes };
}

test('an attached domain is looked at in full: what is ours, then its visitors, then what it needs to stay', () => {
  const right = seenOf(LIVE);
  const asked: string[] = [];
  let seen: Seen = { tried: {} };
  for (let next = decide(LIVE, seen, NOW); next.look; next = decide(LIVE, seen, NOW)) {
    asked.push(next.look);
    seen = { ...seen, [next.look]: right[next.look] };
  }
  expect(asked).toEqual(['sight', 'front', 'project', 'route', 'host', 'reach', 'caa']);
});

describe('what is ours of an attached domain is put right first:', () => {
  const foreign = { ...FRONT, isOurs: false };
  test.each<[what: string, changes: Partial<Seen>, next: Partial<ReturnType<typeof decide>>]>([
    ['no domain name', { front: null }, { act: { do: 'attach' } }],
    ['another certificate', { front: { ...FRONT, certificateArn: 'other' } }, { act: { do: 'attach' } }],
    ["somebody's domain name", { front: foreign }, { look: 'isForeign' }],
    ['no mapping', { route: null }, { act: { do: 'route' } }],
    ['another mapping', { route: REDIRECTS }, { act: { do: 'route' } }],
    ['no host', { host: null }, { act: { do: 'point' } }],
    ['another host', { host: 'd-9' }, { act: { do: 'point' } }],
    ['no attachment and no host', { front: null, host: null }, { act: { do: 'attach' } }],
  ])('%s', (_, changes, next) => {
    for (const claim of [LIVE, READY, troubled('traffic_record_missing')]) {
      expect(decide(claim, seenOf(claim, { ...changes, reach: reach(AWAY) }), NOW)).toMatchObject(next);
    }
  });

  test.each<[reason: Domain['reason'], changes: Partial<Seen>, seconds: number | undefined]>([
    ['domain_name_foreign', { front: foreign, isForeign: true }, 1800],
    ['domain_name_gone', { front: null, tried: { attach: { kind: 'left' } } }, 1800],
    [
      'domain_name_gone',
      {
        front: null,
        tried: {
          attach: { kind: 'later', atMs: AT_MS + 31_000, ticket: timeOf(AT_MS + 31_000), isBusy: false },
        },
      },
      31,
    ],
    [
      'api_gone',
      {
        route: null,
        tried: { route: { kind: 'refused', trouble: { reason: 'api_gone', message: 'Gone.' } } },
      },
      1800,
    ],
    ['mapping_changed', { route: null, tried: { route: { kind: 'done' } } }, 1800],
    ['host_record_changed', { host: null, tried: { point: { kind: 'done' } } }, 1800],
  ])('otherwise it says %s, and waits', (reason, changes, seconds) => {
    for (const claim of [LIVE, READY]) {
      const decision = decide(claim, seenOf(claim, { ...changes, reach: reach(AWAY) }), NOW);
      expect(decision).toMatchObject({ next: { reason }, seconds });
      expect(decision.next.nextCheckAt).toBe(timeOf(AT_MS + (seconds ?? 0) * 1000));
    }
  });

  test('not with a certificate that is lost', () => {
    const lost = sight(LIVE, {}, { status: 'REVOKED' });
    const decision = decide(LIVE, seenOf(LIVE, { ...lost, front: null }), NOW);
    expect(decision).toMatchObject({ next: { reason: 'certificate_lost' } });
    expect(decision.act).toBeUndefined();
  });
});

const RESTORED = { tried: { point: { kind: 'done' } } } as const;

test.each<[what: string, claim: Domain, changes: Partial<Seen>, reason: Domain['reason']]>([
  ['nothing is wrong', LIVE, {}, null],
  ['nothing any more', troubled('traffic_record_missing'), {}, null],
  [
    'its record is gone',
    LIVE,
    { ...sight(LIVE, { traffic: 'missing' }), reach: reach(GONE) },
    'traffic_record_missing',
  ],
  [
    'its record leads elsewhere',
    LIVE,
    { ...sight(LIVE, { traffic: 'mismatch' }), reach: reach(AWAY) },
    'traffic_record_mismatch',
  ],
  ['visitors arrive whatever DNS shows', LIVE, sight(LIVE, { traffic: 'mismatch' }), null],
  ['another server responds', LIVE, { reach: reach(AWAY) }, 'https_answer_foreign'],
  ['its name servers fail', LIVE, { reach: reach(UNRESOLVED) }, 'traffic_record_unreachable'],
  ['nothing can be reached from here', LIVE, { reach: reach(GONE, GONE) }, null],
  [
    'nothing can be reached from here, as before',
    troubled('https_unreachable'),
    { reach: reach(GONE, GONE) },
    'https_unreachable',
  ],
  ['an address that nobody can judge', LIVE, { reach: reach(UNCONFIRMED) }, null],
  [
    'such an address where visitors were away',
    troubled('https_answer_foreign'),
    { reach: reach(UNCONFIRMED) },
    'https_answer_foreign',
  ],
  ['its host was restored just now', LIVE, { reach: reach(AWAY), ...RESTORED }, 'https_unreachable'],
  ['nothing proves it', APEX, sight(APEX, { ownership: 'missing' }), 'ownership_record_missing'],
  [
    'its validation record is gone',
    LIVE,
    sight(LIVE, { certificate: 'missing' }),
    'certificate_record_missing',
  ],
  [
    'its renewal waits for that',
    LIVE,
    sight(LIVE, { certificate: 'missing' }, { renewal: 'PENDING_VALIDATION' }),
    'renewal_action_required',
  ],
  [
    'CAA forbids it',
    LIVE,
    { caa: { kind: 'blocked', block: { at: 'zoo.example', record: '0 issue "ca"', lacksAmazon: true } } },
    'caa_blocked',
  ],
  ['CAA can not be looked up', LIVE, { caa: { kind: 'unknown', at: 'zoo.example' } }, null],
  ['its certificate has expired', LIVE, sight(LIVE, {}, { status: 'EXPIRED' }), 'certificate_lost'],
  [
    'its project lacks a deploy',
    LIVE,
    { project: { route: PUBLISHED, unmet: { reason: 'deploy_required', message: 'Deploy.' } } },
    null,
  ],
  ['its project is gone', LIVE, { project: null }, null],
  [
    'its redirect is suspended',
    LIVE,
    { project: { route: PUBLISHED, suspension: { reason: 'redirect_suspended', message: 'Away.' } } },
    'redirect_suspended',
  ],
])('a live domain, when %s', (_, claim, changes, reason) => {
  const { next, look, act } = decide(claim, seenOf(claim, changes), NOW);
  expect([next.status, next.reason, look, act]).toEqual([
    reason === null ? 'live' : 'needs_attention',
    reason,
    undefined,
    undefined,
  ]);
});

test.each<[what: string, changes: Partial<Seen>, reason: Domain['reason']]>([
  ['nothing is wrong', {}, null],
  ['its edge is gone', { reach: reach(AWAY, GONE) }, 'https_unreachable'],
  ['one address of two arrives', { reach: reach({ ...AWAY, isPartial: true }) }, 'traffic_record_mismatch'],
  ['its name servers fail', { reach: reach(UNRESOLVED) }, null],
  ['its TXT record is gone', sight(READY, { ownership: 'missing' }), 'ownership_record_missing'],
  [
    'CAA forbids its certificate',
    { caa: { kind: 'blocked', block: { at: 'zoo.example', record: '0 issue "ca"', lacksAmazon: true } } },
    'caa_blocked',
  ],
  ['its certificate was revoked', sight(READY, {}, { status: 'REVOKED' }), 'certificate_lost'],
  [
    'its project lacks a deploy',
    { project: { route: PUBLISHED, unmet: { reason: 'deploy_required', message: 'Deploy.' } } },
    'deploy_required',
  ],
  ['its project is gone', { project: null }, 'project_gone'],
])('a ready domain, when %s', (_, changes, reason) => {
  const { next, look, act } = decide(READY, seenOf(READY, changes), NOW);
  expect([next.status, next.reason, look, act]).toEqual(['ready', reason, undefined, undefined]);
});

describe('a ready domain', () => {
  const arrived = { ...sight(READY), reach: reach(ARRIVED) };
  const readySince = (days: number, changes: Partial<Domain> = {}): Domain => ({
    ...READY,
    readyAt: timeOf(AT_MS - days * DAY),
    ...changes,
  });

  test('goes live when its visitors arrive', () => {
    expect(decide(READY, seenOf(READY, arrived), NOW)).toMatchObject({
      next: { status: 'live' },
      act: { do: 'goLive' },
    });
  });

  test('does not while its project lacks something', () => {
    const unmet = { reason: 'plan_required', message: 'Upgrade.' } as const;
    const seen = seenOf(READY, { ...arrived, project: { route: PUBLISHED, unmet } });
    expect(decide(READY, seen, NOW).next).toMatchObject({ status: 'ready', reason: 'plan_required' });
  });

  test('reminds its owner once, a week before its end', () => {
    const claim = readySince(23);
    const { next } = decide(claim, seenOf(claim), NOW);
    expect(next).toMatchObject({ status: 'ready', remindedAt: timeOf(AT_MS), lastEvent: { type: 'ready' } });
    const again = decide(next, seenOf(next), NOW);
    expect(again.next.lastEvent).toEqual(next.lastEvent);
  });

  test('fails after 30 days without its visitors, and is unmapped', () => {
    const claim = readySince(30, { remindedAt: timeOf(AT_MS - DAY) });
    const { next, act } = decide(claim, seenOf(claim), NOW);
    expect([next.status, next.reason, act]).toEqual(['failed', 'not_switched', { do: 'unroute' }]);
  });
});
