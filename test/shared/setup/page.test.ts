import { describe, expect, test } from 'vitest';
import {
  DOMAIN_REASONS,
  type DomainReason,
  factsOfReason,
} from '../../../shared/domains/life/domain-reason.ts';
import { DOMAIN_STATUSES, STATUSES } from '../../../shared/domains/life/domain-status.ts';
import type { DomainReport } from '../../../shared/domains/report.ts';
import { type OwnerState, ownerState, ownerView } from '../../../shared/setup/owner-view.ts';
import { NO_PAGE, PAGE_HEADERS, setupPage } from '../../../shared/setup/page.ts';
import { ADDED } from '../../infra/operator/domains/domain-fixture.ts';

const NO_ASK = { againAtMs: undefined, isLooking: false };
const pageOf = (...reports: DomainReport[]) => setupPage(ownerView(reports, 'Zoo & Sons'), NO_ASK);

type Todo = DomainReport['records'][number]['todo'];
/** The report of a domain with this status and reason, and its first record to be treated like this. */
function reported(
  status: DomainReport['status'],
  reason: DomainReason | null,
  todo: Todo,
  changes: Partial<DomainReport> = {},
): DomainReport {
  const records = ADDED.records.map((record, index) => ({
    ...record,
    isChecked: status !== 'pending_dns',
    ...(index === 0 && todo ? { todo } : { todo: null, state: 'ok' as const, action: null }),
  }));
  const facts = reason && factsOfReason(reason);
  const troubles = facts
    ? [{ reason, message: `About ${reason}.`, title: facts.title, fix: null, todo: null }]
    : [];
  const provider = ADDED.provider && { ...ADDED.provider, panel: 'https://dash.cloudflare.com/' };
  return {
    ...ADDED,
    provider,
    status,
    reason,
    records,
    troubles: troubles as DomainReport['troubles'],
    ...changes,
  };
}

/** What the page says of a live domain that has a reason: of every one, or this doesn't compile. */
const LIVE_STATES: Readonly<Record<DomainReason, OwnerState>> = {
  traffic_record_missing: 'to do',
  traffic_record_mismatch: 'to do',
  traffic_record_conflict: 'to do',
  traffic_record_unreachable: 'looking',
  traffic_record_spreading: 'looking',
  ownership_record_missing: 'to do',
  ownership_record_mismatch: 'to do',
  ownership_record_conflict: 'to do',
  ownership_record_unreachable: 'looking',
  ownership_record_spreading: 'looking',
  certificate_record_missing: 'to do',
  certificate_record_mismatch: 'to do',
  certificate_record_conflict: 'to do',
  certificate_record_unreachable: 'looking',
  certificate_record_spreading: 'looking',
  domain_taken: 'ours',
  takeover_pending: 'ours',
  takeover_announced: 'to do',
  not_switched: 'to do',
  project_gone: 'ours',
  plan_required: 'ours',
  deploy_required: 'ours',
  caa_blocked: 'to do',
  caa_unreachable: 'to do',
  certificate_delayed: 'ours',
  certificate_refused: 'ours',
  certificate_failed: 'ours',
  certificate_lost: 'ours',
  renewal_action_required: 'to do',
  certificate_in_use: 'ours',
  api_gone: 'ours',
  domain_name_being_released: 'ours',
  attachment_refused: 'ours',
  gateway_busy: 'ours',
  domain_name_foreign: 'ours',
  domain_name_gone: 'ours',
  domain_name_recertified: 'ours',
  mapping_changed: 'ours',
  host_record_changed: 'ours',
  https_unreachable: 'looking',
  https_unconfirmed: 'live',
  https_certificate_wrong: 'to do',
  https_answer_foreign: 'to do',
  redirect_suspended: 'live',
  internal_error: 'ours',
};

describe('the state of a page', () => {
  test.each(Object.entries(LIVE_STATES))('of a live domain with %s is "%s"', (reason, state) => {
    expect(ownerState(reported('live', reason as DomainReason, null))).toBe(state);
  });

  test.each<[DomainReport['status'], DomainReason | null, Todo, OwnerState]>([
    ['pending_dns', null, { kind: 'create' }, 'to do'],
    ['verifying', null, null, 'looking'],
    ['verifying', 'traffic_record_spreading', null, 'looking'],
    ['verifying', 'traffic_record_unreachable', { kind: 'ask' }, 'looking'],
    ['verifying', 'traffic_record_mismatch', { kind: 'correct' }, 'to do'],
    ['verifying', 'domain_taken', { kind: 'create' }, 'ours'],
    ['verifying', 'ownership_record_missing', { kind: 'keep' }, 'to do'],
    ['issuing', null, null, 'issuing'],
    ['issuing', null, { kind: 'create' }, 'to do'],
    ['issuing', 'caa_blocked', null, 'to do'],
    ['issuing', 'deploy_required', null, 'ours'],
    ['issuing', 'https_unreachable', null, 'looking'],
    ['ready', null, { kind: 'switch' }, 'switch'],
    ['ready', 'certificate_record_missing', { kind: 'create' }, 'to do'],
    ['live', null, null, 'live'],
    ['failed', 'traffic_record_missing', { kind: 'create' }, 'to do'],
    ['failed', 'certificate_failed', { kind: 'create' }, 'ours'],
    ['failed', 'not_switched', { kind: 'keep' }, 'to do'],
  ])('of a domain that is %s with %s and a record %o is "%s"', (status, reason, todo, state) => {
    expect(ownerState(reported(status, reason, todo))).toBe(state);
  });

  test('of a pair is that of the one that needs most', () => {
    const live = reported('live', null, null);
    const open = reported(
      'verifying',
      'traffic_record_missing',
      { kind: 'create' },
      { unicode: 'example.com' },
    );
    expect(ownerView([live, open], null)).toMatchObject({
      names: ['www.example.com', 'example.com'],
      state: 'to do',
      headline: 'Create one DNS record',
    });
    expect(ownerView([live, live], null).state).toBe('live');
  });
});

test('says who asks, what to do and what was found, and offers to look as long as that makes sense', () => {
  const observed = ['old.example.net'];
  const wrong = reported('verifying', 'traffic_record_mismatch', { kind: 'correct' });
  const [record, ...others] = wrong.records;
  const mismatch = { ...record, state: 'mismatch', observed } as DomainReport['records'][number];
  const page = pageOf({ ...wrong, records: [mismatch, ...others] });
  for (const said of [
    'Zoo &amp; Sons',
    'Correct one DNS record',
    'old.example.net',
    'Check now',
    'dash.cloudflare.com',
  ])
    expect(page).toContain(said);
  expect(page).toContain(`data-copy="${record?.value}"`);
  expect(pageOf(reported('live', null, null))).not.toContain('<form');
  expect(pageOf(reported('live', null, null))).toContain('<title>✓ www.example.com is live</title>');
  const failed = reported('failed', 'traffic_record_missing', { kind: 'create' });
  expect(pageOf(failed)).not.toContain('<form');
  expect(pageOf(failed)).toContain('tell Zoo &amp; Sons, who can start again');
  expect(
    setupPage(ownerView([wrong], null), { againAtMs: Date.UTC(2026, 0, 1, 14, 10), isLooking: true }),
  ).toMatch(/Looking now.*You can check again from <time[^>]*>1 Jan 2026, 14:10 UTC/s);
});

test('what concerns several records is said once, above them', () => {
  const report = reported('verifying', 'traffic_record_missing', null);
  const advice = [{ kind: 'not_delegated', about: ['example.com'] }];
  const records = report.records.map(record => ({
    ...record,
    state: 'missing',
    todo: { kind: 'create' },
    advice,
  }));
  const page = pageOf({ ...report, records } as unknown as DomainReport);
  expect(records.length).toBeGreaterThan(1);
  expect(page.split("example.com isn't registered")).toHaveLength(2);
  expect(page).toMatch(/isn't registered.*Check now/s);
});

test('a page that only looks says once what is wrong with the name servers, and not that all is well', () => {
  const report = reported('verifying', 'traffic_record_unreachable', { kind: 'ask' });
  const advice = [{ kind: 'servers_silent', about: ['example.com'] }];
  const [record, ...others] = report.records;
  const silent = { ...record, state: 'unreachable', advice };
  const page = pageOf({ ...report, records: [silent, ...others] } as unknown as DomainReport);
  expect(page).toContain('About traffic_record_unreachable.');
  expect(page).not.toMatch(/This usually passes|You don't need to do anything/);
});

test('a page on which there is nothing to do lists no records to set', () => {
  const report = reported('failed', 'domain_taken', { kind: 'create' });
  expect(pageOf(report)).not.toContain('zone file');
});

test('a record whose value comes later says what to do until then', () => {
  const report = reported('verifying', 'certificate_record_missing', null);
  const [record, ...others] = report.records;
  const later = {
    ...record,
    todo: { kind: 'later' },
    state: 'missing',
    advice: [{ kind: 'wait_for_alias' }],
  };
  const [next, ...rest] = others;
  const page = pageOf({
    ...report,
    records: [later, { ...next, todo: { kind: 'create' }, state: 'missing' }, ...rest],
  } as unknown as DomainReport);
  expect(page).toContain('leave www.example.com as it is for now');
  expect(page).not.toContain('goes live by itself');
});

test('while a look goes on there is no button for another one', () => {
  const view = ownerView([reported('verifying', 'traffic_record_missing', { kind: 'create' })], null);
  expect(setupPage(view, NO_ASK)).toContain('<form');
  expect(setupPage(view, { ...NO_ASK, isLooking: true })).not.toContain('<form');
});

test('what DNS says is text, not a part of the page', () => {
  const evil = '"><script>alert(1)</script>';
  const report = reported('verifying', 'traffic_record_mismatch', { kind: 'correct' });
  const page = pageOf({
    ...report,
    records: report.records.map(record => ({
      ...record,
      state: 'mismatch',
      observed: [evil],
      advice: [],
      action: evil,
    })),
    troubles: report.troubles.map(trouble => ({ ...trouble, title: evil, message: evil })),
  } as DomainReport);
  expect(page).toContain('&lt;script&gt;alert(1)');
  expect(page.match(/<script/g)).toHaveLength(1);
});

/** A report with a mark in every text that the page may not show. */
function marked(status: DomainReport['status'], reason: DomainReason | null): DomainReport {
  const base = reported(status, reason, { kind: 'create' });
  const mark = (name: string) => `MARK-${name}`;
  const each = { at: mark('at'), status: mark('status'), what: mark('history') };
  const isShown = reason !== null && ['caa', 'renewal', 'visitors'].includes(factsOfReason(reason).about);
  const isSpreading = reason !== null && factsOfReason(reason).onPage === 'looking';
  return {
    ...base,
    project: mark('project'),
    message: mark('message'),
    primary: true,
    redirect: { to: mark('redirect'), status: 301 },
    pair: mark('pair'),
    projectPrimary: mark('primary'),
    nameServers: [mark('server')],
    certificate: {
      status: 'ISSUED',
      arn: mark('arn'),
      failure: mark('failure'),
      renewal: mark('renewal'),
      expiresAt: mark('end'),
    },
    next: [mark('next')],
    steps: [{ kind: 'wait', text: mark('step') }],
    todo: [{ kind: 'overdue', text: mark('overdue') }],
    notes: [mark('note')],
    history: [each],
    milestones: Object.fromEntries(Object.keys(base.milestones).map(name => [name, mark(name)])),
    deadlines: { verification: mark('v'), switch: null, claim: mark('claim'), takeover: mark('takeover') },
    askedAt: mark('asked'),
    dueAt: mark('due'),
    lookedAt: mark('looked'),
    troubles: base.troubles.map(trouble => ({
      ...trouble,
      quota: mark('quota'),
      message: isShown || isSpreading ? 'Shown.' : mark('trouble'),
    })),
  } as DomainReport;
}

test('a page has nothing of a report that was not chosen, whatever the status and the reason', () => {
  const statuses = [...new Set(DOMAIN_STATUSES.map(status => STATUSES[status].reported))];
  const pages = statuses.flatMap(status =>
    [null, ...DOMAIN_REASONS].map(reason => pageOf(marked(status, reason))),
  );
  expect(pages.flatMap(page => page.match(/MARK-\w+/g) ?? [])).toEqual([]);
});

test('a page is one document below 20 KB that loads nothing, whatever DNS says', () => {
  const observed = Array.from({ length: 20 }, () => 'x'.repeat(255));
  const large = reported('verifying', 'traffic_record_conflict', { kind: 'correct' });
  const [record] = large.records;
  const wrong = { ...record, state: 'conflict', observed, advice: [], action: 'x'.repeat(1000) };
  const hostile = { ...large, records: [wrong, wrong, wrong] } as unknown as DomainReport;
  const page = pageOf(hostile, hostile);
  expect(Buffer.byteLength(page)).toBeLessThan(20_000);
  expect(page).not.toMatch(/<(img|iframe|object)|src=|@import|url\(/);
  expect(PAGE_HEADERS['Content-Security-Policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[^ ]+'; script-src 'sha256-/,
  );
  expect(NO_PAGE).not.toContain('<script');
});
