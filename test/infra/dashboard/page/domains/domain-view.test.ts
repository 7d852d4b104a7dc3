import { describe, expect, test } from 'vitest';
import {
  adviceFor,
  canGoOn,
  domainState,
  reasonWords,
  recordRows,
  redirectTargets,
  shownTroubles,
  timelineOf,
  withFound,
} from '../../../../../infra/dashboard/page/domains/domain-view.ts';
import type { DomainRecord, DomainReport } from '../../../../../shared/operator/contract.ts';
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
} from '../../../operator/domains/domain-fixture.ts';
import { STATES } from '../../shown-domains.ts';

const REMOVING: DomainReport = { ...LIVE, status: 'removing' };

test.each<[DomainReport, string, string]>([
  [ADDED, 'attention', 'Waiting for DNS records'],
  [VERIFYING, 'attention', 'DNS records need attention'],
  [{ ...VERIFYING, reason: null, records: LIVE.records }, 'progress', 'Checking DNS'],
  [ISSUING, 'progress', 'Issuing the certificate'],
  [{ ...ISSUING, certificate: LIVE.certificate }, 'progress', 'Attaching the domain'],
  [{ ...ISSUING, reason: 'caa_blocked' }, 'attention', 'DNS records need attention'],
  [{ ...ISSUING, reason: 'certificate_delayed' }, 'attention', 'Certificate needs attention'],
  [STATES['apex-attached'], 'attention', "Can't point here"],
  [{ ...ISSUING, reason: 'attachment_refused' }, 'attention', 'Waiting for an operator'],
  [READY, 'ok', 'Ready to switch'],
  [{ ...READY, reason: 'domain_name_foreign' }, 'attention', 'Not ready to switch'],
  [LIVE, 'ok', 'Live'],
  [
    { ...VERIFYING, reason: 'traffic_record_unreachable', records: [] },
    'attention',
    "The name servers don't answer",
  ],
  [{ ...LIVE, reason: 'renewal_action_required' }, 'attention', 'Live, needs attention'],
  [{ ...LIVE, reason: 'traffic_record_missing' }, 'bad', "Visitors don't arrive"],
  [{ ...LIVE, reason: 'takeover_announced' }, 'bad', 'Being taken over'],
  [FAILED, 'bad', 'Setup failed'],
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
  [{ state: 'unreachable' }, 'attention', 'No DNS answer'],
  [{ state: 'missing', isChecked: false }, 'muted', 'Not checked'],
])('says the state of a record in words, case %#', (record, tone, words) => {
  const [row] = recordRows({
    ...VERIFYING,
    troubles: [],
    reason: null,
    records: [{ ...TRAFFIC, ...record }],
  });
  expect(row?.state).toEqual({ tone, words });
});

/** A domain that came so far: live but for its last milestone, or its last two. */
const ATTACHED = { ...LIVE.milestones, liveAt: null };
const ISSUED = { ...ATTACHED, attachedAt: null };

describe('records that a look has found', () => {
  const found = (report: DomainReport): DomainReport => ({
    ...report,
    records: report.records.map(record => ({ ...record, state: 'ok', isChecked: true, todo: null })),
  });

  test.each<[keyof typeof STATES, words: string]>([
    ['added', 'Not verified yet'],
    ['ready', 'Switched, not checked yet'],
    ['live-records-gone', domainState(STATES['live-records-gone']).words],
    ['failed-dns', 'Setup failed'],
  ])('of a domain that is %s are shown until they are checked, and it can go on', (state, words) => {
    const report: DomainReport = STATES[state];
    const shown = withFound(report, found(report));
    expect(new Set(recordRows(shown).map(row => row.state.words))).toEqual(new Set(['Found']));
    expect(domainState(shown).words).toBe(words);
    expect([canGoOn(report, undefined, NOW), canGoOn(report, found(report), NOW)]).toEqual([false, true]);
    const isChecked = { ...report, checkedAt: '2020-01-01T00:00:00Z' };
    expect(withFound(isChecked, found(report))).toBe(isChecked);
    expect(canGoOn(isChecked, found(report), NOW)).toBe(false);
  });

  test('stay on the screen while the verification begins, which is not started again', () => {
    const begun = { ...ADDED, status: 'verifying', message: 'Looking for the records.' } as const;
    const shown = withFound(begun, found(ADDED));
    expect(shown).toMatchObject({ status: 'verifying', message: 'Looking for the records.' });
    expect(recordRows(shown).map(row => row.state.tone)).toContain('ok');
    const checkedIn = (ms: number) => ({ ...begun, nextCheckAt: new Date(NOW + ms).toISOString() });
    const goesOn = (report: DomainReport) => canGoOn(report, found(ADDED), NOW);
    expect([begun, checkedIn(5_000), checkedIn(60_000)].map(goesOn)).toEqual([false, false, true]);
  });

  test('are not all there while one is missing, wrong, or not known yet', () => {
    const all = found(ADDED);
    const [first, ...others] = all.records as [DomainRecord, ...DomainRecord[]];
    const missing = { ...first, state: 'missing', todo: { kind: 'create' } } as const;
    const withRecords = (...records: DomainRecord[]) => canGoOn({ ...ADDED }, { ...all, records }, NOW);
    expect([withRecords(first, ...others), withRecords(missing, ...others)]).toEqual([true, false]);
    const unnamed = ({ records }: DomainReport) => records.filter(({ purpose }) => purpose !== 'certificate');
    const added = { ...ADDED, records: unnamed(ADDED) };
    expect(canGoOn(added, { ...all, records: unnamed(all) }, NOW)).toBe(false);
  });
});

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

test('a domain that went live has done everything, also where it was attached before', () => {
  const milestones = { ...LIVE.milestones, issuedAt: null, attachedAt: null };
  for (const status of ['live', 'removing'] as const) {
    const steps = timelineOf({ ...LIVE, status, milestones });
    expect(steps.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done', 'done']);
    expect(steps[3]?.at).toBe(null);
  }
});

const HOUR_MS = 60 * 60_000;
/** Long after LIVE went live. */
const NOW = Date.parse('2026-01-02T12:00:00.000Z');

const titles = (report: DomainReport, now = NOW) => adviceFor(report, now).map(({ title }) => title);

test('a domain without trouble needs no advice', () => {
  for (const report of [ADDED, ISSUING, LIVE]) expect(titles(report)).toEqual([]);
});

const CREATE = 'Create a CNAME record with this name and value.';

/** The titles and texts of the box, then the marked rows of the table with their advice. */
test.each<[keyof typeof STATES, troubles: (string | RegExp)[], rows: [string, string | RegExp][]]>([
  ['added', [], []],
  ['checking', [], []],
  ['issuing', [], []],
  ['live', [], []],
  [
    'missing',
    ['Traffic and certificate records missing', 'Create the 2 records below at Cloudflare.'],
    [
      ['CNAME api', CREATE],
      ['CNAME _d0c43d3885064d9aeb470214a914a43b.api', CREATE],
    ],
  ],
  [
    'mismatch',
    [
      'Traffic record has a different value',
      /^Change the value of the CNAME record at wiki\.example\.com from wiki\.old-host\.example to \w+\.apps\./,
    ],
    [
      [
        'CNAME wiki',
        'Change the value of the CNAME record at wiki.example.com from wiki.old-host.example to this value.',
      ],
    ],
  ],
  [
    'unreachable',
    ["The name servers don't answer", /^The name servers of example\.com .* answer with SERVFAIL/],
    [],
  ],
  [
    'takeover-pending',
    ['Taking over from another project', 'The domain becomes yours on', /Keep your TXT record until then\.$/],
    [],
  ],
  [
    'caa-blocked',
    ['A CAA record blocks the certificate', / Add CAA: name @, value 0 issue "amazon\.com"\.$/],
    [
      [
        'CAA @',
        'Amazon isn\'t allowed to issue certificates: example.com has the CAA record 0 issue "letsencrypt.org".',
      ],
    ],
  ],
  [
    'ready',
    ['Ready to switch', 'Switch before', /^Change the value .* The domain then goes live .* Keep the other/],
    [['CNAME cart', /^Change the value of the CNAME record .* to this value\.$/]],
  ],
  ['quota-full', ['The quota for custom domains is used up', /\(L-A93447B8\)/], []],
  ['ready-drift', ['Another team in the account has the name', / Delete it there first\.$/], []],
  [
    'apex-at-route53',
    ['Traffic record missing', /^At Route 53, create an A alias and an AAAA alias to d-1\./],
    [
      [
        'A and AAAA alias @',
        /^At Route 53, create an A alias and an AAAA alias to this value \(hosted zone Z1/,
      ],
    ],
  ],
  ['apex-attached', ["example.net can't point here", /^Hetzner has no ALIAS records/], []],
  [
    'live-renewal-blocked',
    [
      "The certificate can't be renewed",
      'The certificate is valid until',
      'Create the 2 records below at Cloudflare. Then re-verify.',
    ],
    [
      ['CAA @', /has the CAA record 0 issue "letsencrypt\.org"\.$/],
      ['CNAME _64c512643e2ef5df63a0788538044a69.files', CREATE],
    ],
  ],
  [
    'live-takeover',
    [
      'Another project is taking it over',
      'You lose the domain on',
      /^Its DNS records are gone, .* Create the 2 records below at Cloudflare\. Then re-verify\.$/,
    ],
    [
      ['CNAME forum', CREATE],
      ['CNAME _862b93b361be1ebcb56c31aacd765f57.forum', CREATE],
    ],
  ],
])('says what is wrong with a domain, and marks the records that solve it: %s', (state, troubles, rows) => {
  const matching = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text));
  const shown = shownTroubles(STATES[state]).flatMap(({ title, deadline, text }) => [
    title,
    ...(deadline ? [deadline.words] : []),
    text,
  ]);
  const marked = recordRows(STATES[state]).filter(({ isOpen }) => isOpen);
  expect(shown).toEqual(troubles.map(matching));
  expect(marked.map(({ entry: { type, name }, advice }) => [`${type} ${name || '@'}`, advice])).toEqual(
    rows.map(row => row.map(matching)),
  );
});

test.each(Object.entries(STATES))(
  'says every fact and every record once, what is to be done first: %s',
  (_, report) => {
    const rows = recordRows(report);
    const texts = shownTroubles(report).flatMap(({ title, text }) => [title, text]);
    expect(new Set(texts).size).toBe(texts.length);
    expect(new Set(rows.map(({ entry, name }) => `${entry.type} ${name}`)).size).toBe(rows.length);
    const isOpen = rows.map(row => row.isOpen);
    expect(isOpen).toEqual(isOpen.toSorted().reverse());
    // Where one record is open, the box says how to set it; where there are several, the rows say it.
    const open = rows.filter(row => row.isOpen);
    const [first] = open;
    const isSaid = texts.some(text => text.includes(first?.value ?? 'nothing'));
    expect(isSaid).toBe(open.length === 1);
    for (const { value } of open) {
      for (const { advice } of rows) expect(advice ?? '').not.toContain(value);
    }
  },
);

test("advice that only a later version knows, or of a record without facts, is shown in the environment's words", () => {
  for (const advice of [[{ kind: 'ask_your_registrar' }, { kind: 'create' }], []]) {
    const report = { ...ADDED, records: [{ ...TRAFFIC, advice }] };
    expect(recordRows(report)).toMatchObject([{ advice: TRAFFIC.action }]);
  }
});

test('an apex at Route 53 has no value before its alias is known, and then that of the alias', () => {
  const [known] = recordRows(STATES['apex-at-route53']);
  const [record = TRAFFIC] = STATES['apex-at-route53'].records;
  const records = [{ ...record, isLater: true }];
  const unknown = recordRows({ ...STATES['apex-at-route53'], records, troubles: [], reason: null });
  expect([known?.value, unknown[0]?.value]).toEqual(['d-1.execute-api.us-east-1.amazonaws.com', undefined]);
});

test('a domain that just went live: browsers may remember the old certificate', () => {
  const wentLive = Date.parse(LIVE.milestones.liveAt ?? '');
  expect(titles(LIVE, wentLive + HOUR_MS - 1)).toEqual(['Seeing a privacy warning?']);
  expect(titles(LIVE, wentLive + HOUR_MS)).toEqual([]);
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
