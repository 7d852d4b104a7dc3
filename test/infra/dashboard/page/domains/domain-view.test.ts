import { expect, test } from 'vitest';
import {
  adviceFor,
  domainState,
  reasonWords,
  recordState,
  redirectTargets,
  removalConsequences,
  timelineOf,
} from '../../../../../infra/dashboard/page/domains/domain-view.ts';
import type { DomainRecord, DomainReport } from '../../../../../shared/operator/contract.ts';
import { MINUTE } from '../../../../shared/domains/steps/flow-world.ts';
import { operatingDomains } from '../../../../shared/operator/operating-domains.ts';
import {
  ADDED,
  FAILED,
  ISSUING,
  LIVE,
  REDIRECTING,
  SECOND,
  TRAFFIC,
  VERIFYING,
} from '../../../cli/domains/domain-fixture.ts';

const REMOVING: DomainReport = { ...LIVE, status: 'removing' };

test.each<[DomainReport, string, string]>([
  [ADDED, 'attention', 'Waiting for DNS records'],
  [VERIFYING, 'attention', 'DNS records need attention'],
  [{ ...VERIFYING, reason: null, records: LIVE.records }, 'progress', 'Checking DNS'],
  [ISSUING, 'progress', 'Issuing the certificate'],
  [{ ...ISSUING, certificate: LIVE.certificate }, 'progress', 'Attaching the domain'],
  [{ ...ISSUING, reason: 'caa_blocked' }, 'attention', 'Certificate needs attention'],
  [LIVE, 'ok', 'Live'],
  [{ ...LIVE, reason: 'traffic_record_missing' }, 'attention', 'Live, needs attention'],
  [FAILED, 'bad', 'Verification failed'],
  [REMOVING, 'muted', 'Being removed'],
  [{ ...REMOVING, reason: 'certificate_in_use' }, 'bad', 'Removal stalled'],
])('says the state of a domain in words, case %#', (report, tone, words) => {
  expect(domainState(report)).toEqual({ tone, words });
});

test.each<[Partial<DomainRecord>, string, string]>([
  [{ state: 'ok', action: null }, 'ok', 'Seen'],
  [{ state: 'missing' }, 'attention', 'Not seen yet'],
  [{ state: 'missing', action: null }, 'progress', 'Spreading'],
  [{ state: 'spreading', action: null }, 'progress', 'Spreading'],
  [{ state: 'mismatch' }, 'bad', 'Differs'],
  [{ state: 'conflict' }, 'bad', 'In conflict'],
  [{ state: 'unreachable' }, 'progress', 'No answer from DNS'],
])('says the state of a record in words, case %#', (record, tone, words) => {
  expect(recordState({ ...TRAFFIC, ...record }, true)).toEqual({ tone, words });
});

test('a record of a domain that was never checked is not called missing', () => {
  expect(recordState(TRAFFIC, false)).toEqual({ tone: 'muted', words: 'Not checked yet' });
});

/** A domain that came so far: live but for its last milestone, or its last two. */
const ATTACHED = { ...LIVE.milestones, liveAt: null };
const ISSUED = { ...ATTACHED, attachedAt: null };

test('names the way from added to live', () => {
  expect(timelineOf(ADDED).map(({ title }) => title)).toEqual([
    'Added',
    'DNS seen',
    'Certificate issued',
    'Attached',
    'Responds over HTTPS',
  ]);
});

test.each<[string, DomainReport, string]>([
  ['was added: waits for the records of its owner', ADDED, 'done waiting todo todo todo'],
  ['is verified: waits for the records of its owner', VERIFYING, 'done waiting todo todo todo'],
  ['has its records seen: waits for its certificate', ISSUING, 'done done current todo todo'],
  ['has its certificate', { ...ISSUING, milestones: ISSUED }, 'done done done current todo'],
  ['is an attached apex', { ...VERIFYING, milestones: ATTACHED }, 'done done done done waiting'],
  [
    'does not respond over HTTPS yet',
    { ...ISSUING, reason: 'https_unreachable', milestones: ATTACHED },
    'done done done done current',
  ],
  ['is live', LIVE, 'done done done done done'],
  ['has failed', FAILED, 'done blocked todo todo todo'],
])('shows how far a domain is that %s', (_, report, states) => {
  expect(timelineOf(report).map(({ state }) => state)).toEqual(states.split(' '));
});

test('a domain that went live has done everything, also where times in between are not known', () => {
  const milestones = { ...LIVE.milestones, issuedAt: null, attachedAt: null };
  for (const status of ['live', 'removing'] as const) {
    const steps = timelineOf({ ...LIVE, status, milestones });
    expect(steps.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done', 'done']);
    expect(steps[3]?.at).toBe(null);
  }
});

test('an environment of an earlier version reports no times', () => {
  const { milestones, ...earlier } = LIVE;
  expect(timelineOf(earlier as DomainReport)).toEqual([]);
});

test('the times are those that the service itself writes', async () => {
  const world = await operatingDomains();
  const minuteLater = () => {
    world.nowMs += MINUTE;
    return new Date(world.nowMs).toISOString();
  };
  const fields = await world.added('timeline');
  const { target, createdAt } = await world.claimOf(fields.domain);
  minuteLater();
  await world.done('domains.verify', fields);
  const step = { ...fields, attempt: (await world.claimOf(fields.domain)).attempt };
  world.zone = { [`${fields.domain} CNAME`]: [target] };
  const seenAt = minuteLater();
  await world.parts.verification.checkDns(step);
  const issuedAt = minuteLater();
  await world.parts.verification.checkCertificate(step);
  const liveAt = minuteLater();
  await world.parts.attachment.attach(step);
  const report = await world.done('domains.show', fields);
  expect(timelineOf(report).map(({ at }) => at)).toEqual([createdAt, seenAt, issuedAt, liveAt, liveAt]);
});

const HOUR_MS = 60 * 60_000;
/** Long after LIVE went live. */
const NOW = Date.parse('2026-01-02T12:00:00.000Z');

const titles = (report: DomainReport, now = NOW) => adviceFor(report, now).map(({ title }) => title);

test('a domain without trouble needs no advice', () => {
  for (const report of [ADDED, ISSUING, LIVE]) expect(titles(report)).toEqual([]);
});

test('a conflicting record: it is in the way', () => {
  const records: DomainRecord[] = [{ ...TRAFFIC, state: 'conflict', observed: ['192.0.2.1'] }];
  expect(titles({ ...VERIFYING, records })).toEqual(['Another record is in the way']);
});

test('another value: compare it; but not while a right one is spreading', () => {
  const mismatch: DomainRecord = { ...TRAFFIC, state: 'mismatch', observed: ['other.example'] };
  expect(titles({ ...VERIFYING, records: [mismatch] })).toEqual(['The value is another one']);
  expect(titles({ ...VERIFYING, records: [{ ...mismatch, action: null }] })).toEqual([]);
});

test.each(['caa_blocked', 'certificate_delayed', 'certificate_timeout', 'certificate_failed'] as const)(
  '%s: what to check when there is no certificate',
  reason => {
    const status = reason === 'certificate_delayed' ? 'issuing' : 'failed';
    expect(titles({ ...FAILED, status, reason })).toEqual(['The certificate is not there after 30 minutes']);
  },
);

test('a domain that just went live: browsers may remember the old certificate', () => {
  const wentLive = Date.parse(LIVE.milestones.liveAt ?? '');
  expect(titles(LIVE, wentLive + HOUR_MS - 1)).toEqual([
    'If a browser says that the connection is not private',
  ]);
  expect(titles(LIVE, wentLive + HOUR_MS)).toEqual([]);
  const { milestones, ...ofEarlierVersion } = LIVE;
  expect(titles(ofEarlierVersion as DomainReport, wentLive)).toEqual([]);
});

test('a redirect: browsers remember it, and curl shows where it leads', () => {
  const report = {
    ...LIVE,
    primary: false,
    redirect: { to: 'example.com', status: 301 },
  };
  expect(adviceFor(report, NOW)).toMatchObject([
    { title: 'If a redirect goes to the wrong place', command: 'curl -sI https://www.example.com' },
  ]);
});

const ROUTING = {
  liveDomains: ['b.example.com', 'www.example.com', 'c.example.com'],
  primary: 'www.example.com',
  redirects: [{ from: 'c.example.com', to: 'www.example.com', status: 301 as const }],
};

test('a domain can redirect to live ones that serve the project, the primary one first', () => {
  expect(redirectTargets(SECOND.domain, ROUTING)).toEqual(['www.example.com']);
  expect(redirectTargets(REDIRECTING.domain, ROUTING)).toEqual(['www.example.com', 'b.example.com']);
});

test('a removal says what stops, and which domain becomes the primary one', () => {
  expect(removalConsequences(LIVE, ROUTING)).toEqual([
    'https://www.example.com stops responding immediately.',
    'https://c.example.com no longer redirects here, and serves the project instead.',
    "It's the primary domain. b.example.com becomes the primary domain instead.",
  ]);
  expect(removalConsequences(REDIRECTING, ROUTING)).toEqual([
    'https://c.example.com stops redirecting to https://www.example.com immediately.',
  ]);
  expect(removalConsequences(ADDED, ROUTING)).toEqual([
    "www.example.com isn't live, so nothing stops. Another project can claim it then.",
  ]);
});

test.each([
  ['certificate_record_missing', 'Certificate record missing'],
  ['traffic_record_conflict', 'Traffic record blocked by another record'],
  ['caa_blocked', 'A CAA record blocks the certificate'],
  ['later_reason', 'later reason'],
])('%s: %s', (reason, words) => {
  expect(reasonWords({ reason: reason as 'caa_blocked' })).toBe(words);
});
