import { expect, test } from 'vitest';
import {
  adviceFor,
  domainState,
  problemsOf,
  reasonWords,
  recordState,
  redirectTargets,
  remedyOf,
  saidOf,
  timelineOf,
  withCreated,
} from '../../../../../infra/dashboard/page/domains/domain-view.ts';
import type { DomainRecord, DomainReport } from '../../../../../shared/operator/contract.ts';
import { MINUTE } from '../../../../shared/domains/steps/flow-world.ts';
import { operatingDomains } from '../../../../shared/operator/operating-domains.ts';
import {
  ADDED,
  FAILED,
  ISSUING,
  LIVE,
  READY,
  REDIRECTING,
  ROUTING,
  SECOND,
  TRAFFIC,
  VERIFYING,
} from '../../../cli/domains/domain-fixture.ts';
import { STATES } from '../../shown-domains.ts';

const REMOVING: DomainReport = { ...LIVE, status: 'removing' };

test.each<[DomainReport, string, string]>([
  [ADDED, 'attention', 'Waiting for DNS records'],
  [VERIFYING, 'attention', 'DNS records need attention'],
  [{ ...VERIFYING, reason: null, records: LIVE.records }, 'progress', 'Checking DNS'],
  [ISSUING, 'progress', 'Issuing the certificate'],
  [{ ...ISSUING, certificate: LIVE.certificate }, 'progress', 'Attaching the domain'],
  [{ ...ISSUING, reason: 'caa_blocked' }, 'attention', 'Certificate needs attention'],
  [{ ...ISSUING, reason: 'attachment_refused' }, 'attention', 'Needs an operator'],
  [READY, 'ok', 'Ready to switch'],
  [{ ...READY, reason: 'domain_name_foreign' }, 'attention', 'Not ready to switch'],
  [LIVE, 'ok', 'Live'],
  [{ ...LIVE, reason: 'traffic_record_missing' }, 'attention', 'Live, needs attention'],
  [FAILED, 'bad', 'Verification failed'],
  [REMOVING, 'muted', 'Being removed'],
  [{ ...REMOVING, reason: 'certificate_in_use' }, 'bad', 'Removal stalled'],
])('says the state of a domain in words, case %#', (report, tone, words) => {
  expect(domainState(report)).toEqual({ tone, words });
});

test.each<[Partial<DomainRecord>, string, string]>([
  [{ state: 'ok', action: null }, 'ok', 'Found'],
  [{ state: 'missing' }, 'attention', 'Missing'],
  [{ state: 'missing', action: null }, 'progress', 'Propagating'],
  [{ state: 'spreading', action: null }, 'progress', 'Propagating'],
  [{ state: 'mismatch' }, 'bad', 'Different value'],
  [{ state: 'conflict' }, 'bad', 'Blocked'],
  [{ state: 'unreachable' }, 'progress', 'No DNS answer'],
])('says the state of a record in words, case %#', (record, tone, words) => {
  expect(recordState({ ...TRAFFIC, ...record })).toEqual({ tone, words });
});

test('a record of a domain that was never checked is not called missing', () => {
  expect(recordState({ ...TRAFFIC, isChecked: false })).toEqual({ tone: 'muted', words: 'Not checked' });
});

/** A domain that came so far: live but for its last milestone, or its last two. */
const ATTACHED = { ...LIVE.milestones, liveAt: null };
const ISSUED = { ...ATTACHED, attachedAt: null };

test.each<[keyof typeof STATES, words: string, sentence: string]>([
  ['added', 'Not verified yet', ' Verify the domain now.'],
  ['missing', 'Checking DNS', ''],
  ['ready', 'Switched, not checked yet', ''],
  ['live-records-gone', domainState(STATES['live-records-gone']).words, ' Re-verify the domain now.'],
  ['failed-dns', 'Verification failed', ' Re-verify the domain now.'],
])(
  'records of a domain that is %s are there once they were created, until they are checked',
  (state, words, sentence) => {
    const report: DomainReport = STATES[state];
    const created = report.records.map(({ type, name }) => `${type} ${name}`);
    const shown = withCreated(report, { records: created, checkedAt: report.checkedAt });
    const traffic = shown.records.find(({ purpose }) => purpose === 'traffic');
    expect(traffic && recordState(traffic).words).toBe('Created, not checked yet');
    expect(domainState(shown).words).toBe(words);
    const said = problemsOf(shown).length > 0 ? problemsOf(shown).map(({ text }) => text) : [shown.message];
    expect(said[0]).toBe(`The records were created and not checked yet.${sentence}`);
    expect(withCreated(report, { records: created, checkedAt: '2020-01-01T00:00:00Z' })).toBe(report);
  },
);

test('names the way from added to live', () => {
  expect(timelineOf(ADDED).map(({ title }) => title)).toEqual([
    'Added',
    'DNS verified',
    'Certificate issued',
    'Attached',
    'Live',
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

/** What a page says of a domain: its problems and steps, with the records that it shows beside them. */
const said = (report: DomainReport) =>
  problemsOf(report).map(({ title, text, records }) => [
    title,
    text,
    ...records.map(({ type, label }) => `${type} ${label}`),
  ]);

test.each<[keyof typeof STATES, string[][]]>([
  ['added', []],
  ['checking', []],
  [
    'missing',
    [
      [
        'Traffic and certificate records missing',
        'Create these records.',
        'CNAME api',
        expect.stringMatching(/^CNAME _\w+\.api$/),
      ],
    ],
  ],
  [
    'mismatch',
    [
      [
        'Traffic record has a different value',
        'Change the value of the CNAME record at wiki.example.com from wiki.old-host.example to the value below.',
        'CNAME wiki',
      ],
    ],
  ],
  ['issuing', []],
  [
    'caa-blocked',
    [
      [
        'A CAA record blocks the certificate',
        'Amazon isn\'t allowed to issue certificates: example.com has the CAA record 0 issue "letsencrypt.org". Create this record.',
        'CAA @',
      ],
    ],
  ],
  [
    'ready',
    [
      [
        '',
        expect.stringMatching(
          /^Ready\. Point cart\.example\.com at the value below whenever you like before .+ UTC\. The domain then goes live within minutes\. Keep the other records\.$/,
        ),
        'CNAME cart',
      ],
    ],
  ],
  ['quota-full', [['The quota for custom domains is used up', expect.stringContaining('(L-A93447B8)')]]],
  [
    'ready-drift',
    [['Another team in the account has the name', expect.stringMatching(/ Delete it there first\.$/)]],
  ],
  [
    'apex-at-route53',
    [
      [
        'Traffic record missing',
        'At Route 53, create an A alias and an AAAA alias to the value below (hosted zone Z1UJRXOUMOOFQ8).',
        'A and AAAA alias @',
      ],
    ],
  ],
  ['live', []],
  [
    'live-renewal-blocked',
    [
      [
        "The certificate can't be renewed",
        'Amazon isn\'t allowed to issue certificates: example.com has the CAA record 0 issue "letsencrypt.org". Create these records.',
        'CAA @',
        expect.stringMatching(/^CNAME _\w+\.files$/),
      ],
    ],
  ],
])('says what is wrong with a domain, and which records solve it: %s', (state, problems) => {
  expect(said(STATES[state])).toEqual(problems);
});

test.each(Object.entries(STATES))('says every fact and every record once: %s', (_, report) => {
  const problems = problemsOf(report);
  const records = problems.flatMap(problem => problem.records);
  const remedies = report.records.flatMap(record => remedyOf(record, saidOf(report)) ?? []);
  const texts = problems.flatMap(({ title, text }) => [`${title}.`, text]);
  const sentences = [...texts, ...remedies].flatMap(text => text.split(/(?<=\.) /));
  expect(new Set(sentences).size).toBe(sentences.length);
  expect(new Set(records.map(({ value }) => value)).size).toBe(records.length);
  for (const { value } of records) expect(sentences.join(' ')).not.toContain(value);
});

test('a switch at Route 53 is to the alias', () => {
  const { ready } = STATES;
  const createdAs = {
    type: 'A and AAAA alias',
    name: 'example.dev',
    label: '@',
    value: 'd-1.example',
  } as const;
  const records = ready.records.map(record => ({ ...record, createdAs }));
  const message = 'Ready. Point example.dev at d-1.example.';
  const [[, text, ...shown] = []] = said({ ...ready, records, message });
  expect([text, shown]).toEqual([
    expect.stringMatching(/^Ready\. Point example\.dev at the value below\./),
    ['A and AAAA alias @'],
  ]);
});

test('a domain of an environment of an earlier version has one problem, which its message says', () => {
  const { troubles: _, ...earlier } = STATES['failed-taken'];
  expect(problemsOf(earlier as DomainReport)).toHaveLength(1);
});

test('a domain that just went live: browsers may remember the old certificate', () => {
  const wentLive = Date.parse(LIVE.milestones.liveAt ?? '');
  expect(titles(LIVE, wentLive + HOUR_MS - 1)).toEqual(['Seeing a privacy warning?']);
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
    { title: 'Seeing an old redirect?', command: 'curl -sI https://www.example.com' },
  ]);
});

test('a domain can redirect to live ones that serve the project, the primary one first', () => {
  expect(redirectTargets(SECOND.domain, ROUTING)).toEqual(['www.example.com']);
  expect(redirectTargets(REDIRECTING.domain, ROUTING)).toEqual(['www.example.com', 'b.example.com']);
});

test.each([
  ['certificate_record_missing', 'Certificate record missing'],
  ['traffic_record_conflict', 'Traffic record blocked by another record'],
  ['caa_blocked', 'A CAA record blocks the certificate'],
  ['later_reason', 'later reason'],
])('%s: %s', (reason, words) => {
  expect(reasonWords({ reason: reason as 'caa_blocked' })).toBe(words);
});
