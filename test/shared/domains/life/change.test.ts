import { describe, expect, test } from 'vitest';
import { changed } from '../../../../shared/domains/life/change.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { eventOf } from '../../../../shared/domains/life/domain-event.ts';
import { DOMAIN_STATUSES, type DomainStatus } from '../../../../shared/domains/life/domain-status.ts';
import { removalStarted } from '../../../../shared/domains/life/wishes.ts';
import { AT, AT_MS, claimed, live } from '../claimed-domain.ts';

const LATER_MS = AT_MS + 60_000;
const LATER = new Date(LATER_MS).toISOString();
const WRONG = { reason: 'caa_blocked', message: 'A CAA record forbids it.' } as const;
const WELL = { reason: null, message: 'All is well.' } as const;

/** A domain of a status, which follows from what has happened to it. */
const domainThat = (status: DomainStatus, changes: Partial<Domain> = {}): Domain => {
  const { status: _, ...claim } = claimed({ status, revision: 7, ...changes });
  const isTroubled = ['failed', 'needs_attention', 'stalled'].includes(status);
  return changed({ ...claim, status }, isTroubled ? WRONG : {}, AT_MS);
};

describe('the status', () => {
  test.each(DOMAIN_STATUSES)('%s follows from what has happened', status => {
    expect(domainThat(status).status).toBe(status);
  });

  test.each<[DomainStatus, what: string, before: DomainStatus, changes: Partial<Domain>]>([
    [
      'verifying',
      'a traffic record is waited for',
      'issuing',
      { issuedAt: AT, reason: 'traffic_record_missing' },
    ],
    ['issuing', 'visitors are waited for', 'issuing', { issuedAt: AT, reason: 'https_unreachable' }],
    [
      'issuing',
      'a record keeps the certificate waiting',
      'issuing',
      { reason: 'certificate_record_missing' },
    ],
    ['needs_attention', 'others are about to take it over', 'live', { takeover: LATER }],
    ['removing', 'it is removed, whatever it was', 'live', { removalStartedAt: AT }],
    ['removing', 'it is removed after a failure', 'failed', { removalStartedAt: AT, reason: null }],
    ['failed', 'it was given up, although it was ready', 'ready', { failedAt: AT, ...WRONG }],
  ])('%s: %s', (status, _, before, changes) => {
    expect(changed(domainThat(before), changes, AT_MS).status).toBe(status);
  });
});

describe('the event of a change', () => {
  const eventAfter = (before: Domain, ...more: [Partial<Domain>, Parameters<typeof changed>[3]?]) =>
    eventOf(nextRevision(changed(before, more[0], LATER_MS, more[1])));

  test.each<[type: string, what: string, before: DomainStatus, changes: Partial<Domain>]>([
    ['ready', 'is ready', 'issuing', { readyAt: LATER }],
    ['live', 'goes live', 'ready', { readyAt: null, liveAt: LATER }],
    ['live', 'no longer needs attention', 'needs_attention', WELL],
    ['ready', 'is ready without a trouble again', 'ready', WELL],
    ['needs attention', 'needs attention', 'live', WRONG],
    ['needs attention', 'is ready and needs attention', 'ready', WRONG],
    ['needs attention', 'is stuck in its removal', 'removing', WRONG],
    ['failed', 'is given up', 'verifying', { failedAt: LATER, ...WRONG }],
  ])('%s: a domain that %s', (type, _, status, changes) => {
    const before = domainThat(status);
    const was = type === 'ready' && changes === WELL ? changed(before, WRONG, AT_MS) : before;
    const { reason = null, message = was.message } = changes;
    expect(eventAfter({ ...was, revision: 7 }, changes)).toMatchObject({
      type,
      at: LATER,
      reason,
      message,
      revision: 8,
    });
  });

  test.each<[what: string, before: DomainStatus, changes: Partial<Domain>]>([
    [
      'needs attention for another reason',
      'needs_attention',
      { reason: 'certificate_lost', message: 'Lost.' },
    ],
    ['waits for its records', 'verifying', { reason: 'traffic_record_missing', message: 'Create it.' }],
    ['is verified again', 'needs_attention', { liveAt: null, verifiedAt: null, ...WELL }],
    ['is removed', 'live', { removalStartedAt: LATER }],
  ])('none: a domain that %s', (_, status, changes) => {
    expect(eventAfter(domainThat(status), changes)).toBeUndefined();
  });

  test('is the one that is asked for, with what it says, which the claim itself does not', () => {
    const told = { event: 'needs attention', message: 'Look.' } as const;
    const before = domainThat('live');
    const { event: type, ...said } = told;
    expect(eventAfter(before, { takeover: LATER }, told)).toMatchObject({
      type,
      ...said,
      reason: 'takeover_announced',
    });
    expect(changed(before, { takeover: LATER }, LATER_MS, told)).toMatchObject({
      reason: null,
      message: before.message,
      history: [...before.history, { at: LATER, status: 'live', what: 'Look.' }],
    });
  });
});

describe('the history', () => {
  const withMessages = (messages: readonly string[]) =>
    messages.reduce(
      (domain, message) => changed(domain, { message }, AT_MS),
      claimed({ status: 'verifying', history: [] }),
    ).history;

  test('has each message, once', () => {
    const history = withMessages(['one', 'one', 'two', 'one']);
    expect(history.map(({ what }) => what)).toEqual(['one', 'two', 'one']);
  });

  test('has each status as it is reported, and nothing of other changes', () => {
    const before = domainThat('verifying');
    expect(changed(before, { rounds: 3, checkedAt: LATER }, LATER_MS).history).toEqual(before.history);
    const { history } = changed(before, { verifiedAt: LATER }, LATER_MS);
    expect(history.at(-1)).toEqual({ at: LATER, status: 'issuing', what: before.message });
  });

  test('keeps the latest 50 entries', () => {
    const history = withMessages(Array.from({ length: 120 }, (_, number) => String(number)));
    expect(history).toHaveLength(50);
    expect(history.at(-1)).toEqual({ at: AT, status: 'verifying', what: '119' });
  });

  test('has a long message once, cut to valid text', () => {
    const message = `${'z'.repeat(998)}🐫 and more`;
    const what = `${'z'.repeat(998)}\ufffd…`;
    expect(withMessages([message, message])).toEqual([{ at: AT, status: 'verifying', what }]);
  });
});

test('a record as large as DNS can make it is far below the limit of an item', () => {
  const long = '\ufffd'.repeat(70_000);
  const record = {
    purpose: 'traffic',
    type: 'CNAME',
    name: 'www.zoo.example',
    label: 'www',
    value: 'target',
    ttl: 3600,
    state: 'mismatch',
    observed: Array(100).fill(long),
    advice: [],
    action: long,
  } as const;
  const large = live({
    message: long,
    nameServers: Array(100).fill(long),
    records: Array(4).fill(record),
    history: Array(50).fill({ at: AT, status: 'live', what: long }),
  });
  const after = removalStarted(large, LATER_MS, { message: long });
  expect(Buffer.byteLength(JSON.stringify(after))).toBeLessThan(300_000);
  expect(after.message).toHaveLength(1000);
});
