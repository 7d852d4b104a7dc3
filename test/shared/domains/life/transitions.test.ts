import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Domain, NO_CERTIFICATE, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { eventOf } from '../../../../shared/domains/life/domain-event.ts';
import {
  DOMAIN_STATUSES,
  type DomainStatus,
  STATUSES,
} from '../../../../shared/domains/life/domain-status.ts';
import * as transitions from '../../../../shared/domains/life/transitions.ts';
import { TRANSITIONS } from '../../../../shared/domains/life/transitions.ts';
import {
  AT,
  AT_MS,
  CHALLENGE,
  certified,
  claimed,
  ENDPOINT,
  live,
  TARGET,
  TRAFFIC,
  VALIDATION,
} from '../claimed-domain.ts';

const LATER_MS = AT_MS + 60_000;
const LATER = new Date(LATER_MS).toISOString();
const SWITCH = { endsAt: LATER, host: 'd-1' };
const TROUBLE = { reason: 'caa_blocked', message: 'Some message.' } as const;
const VIEW = { status: 'PENDING_VALIDATION', failure: null, renewal: null, validations: [] };
const MANAGED = {
  zoneId: 'Z1',
  type: 'CNAME',
  name: 'www.zoo.example',
  value: TARGET,
  ttl: 60,
  aliasZoneId: null,
} as const;

/** www.zoo.example has become a zone of its own. */
const ZONE = { kind: 'apex', zone: 'www.zoo.example' } as const;

const TAKEOVER = { until: LATER, reason: null, message: 'Ready.' };

/** Calls of every transition but the first and the last, in all their kinds; the first call has a trouble. */
const APPLIED: Readonly<Record<string, readonly ((domain: Domain) => Domain)[]>> = {
  certificatePrepared: [domain => transitions.certificatePrepared(domain, 'arn', VIEW)],
  switchPostponed: [domain => transitions.switchPostponed(domain)],
  verificationStarted: [domain => transitions.verificationStarted(domain, 'kept', LATER_MS)],
  inspected: [domain => transitions.inspected(domain, { ...ZONE, certificate: VIEW, records: [] }, LATER_MS)],
  trafficArrived: [domain => transitions.trafficArrived(domain, { isProxied: true })],
  proxyUnproven: [domain => transitions.proxyUnproven(domain, 'Let the proxy pass requests on.')],
  recordManaged: [domain => transitions.recordManaged(domain, MANAGED)],
  managedRecordsCreated: [domain => transitions.managedRecordsCreated(domain, () => true)],
  retryScheduled: [domain => transitions.retryScheduled(domain, 15, TROUBLE, LATER_MS)],
  contested: [domain => transitions.contested(domain, transitions.NOT_PROVEN)],
  phasePassed: [
    domain => transitions.phasePassed(domain, 'certificate', 'Passed.', LATER_MS),
    domain => transitions.phasePassed(domain, 'attachment', 'Passed.', LATER_MS),
  ],
  certificateReplaced: [domain => transitions.certificateReplaced(domain, 'another')],
  caaChecked: [
    domain => transitions.caaChecked(domain, { at: 'zoo.example', record: '0 issue ";"', lacksAmazon: true }),
  ],
  attached: [domain => transitions.attached(domain, { host: 'd-1', hostedZoneId: 'Z1' }, LATER_MS)],
  dnsLeftOpen: [domain => transitions.dnsLeftOpen(domain)],
  becameReady: [domain => transitions.becameReady(domain, SWITCH, LATER_MS)],
  readyChecked: [true, false].map(
    isReminder => domain =>
      transitions.readyChecked(
        domain,
        { certificate: VIEW, trouble: TROUBLE, ...SWITCH, isReminder },
        LATER_MS,
      ),
  ),
  switchSeen: [domain => transitions.switchSeen(domain, LATER_MS)],
  wentLive: [domain => transitions.wentLive(domain, LATER_MS)],
  flowRestarted: [domain => transitions.flowRestarted(domain)],
  failed: [domain => transitions.failed(domain, TROUBLE, LATER_MS)],
  rechecked: [
    domain => transitions.rechecked(domain, TROUBLE, LATER_MS),
    domain => transitions.rechecked(domain, undefined, LATER_MS),
  ],
  takeoverAnnounced: [domain => transitions.takeoverAnnounced(domain, TROUBLE, TAKEOVER, LATER_MS)],
  takeoverEnded: [domain => transitions.takeoverEnded({ ...domain, takeover: TAKEOVER }, LATER_MS)],
  moved: [domain => transitions.moved(domain, 'farm', LATER_MS)],
  removalStarted: [
    domain => transitions.removalStarted(domain, LATER_MS),
    domain => transitions.removalStarted(domain, LATER_MS, { isTakenOver: true }),
  ],
  removalStalled: [domain => transitions.removalStalled(domain, TROUBLE, LATER_MS)],
  takeDownLeased: [domain => transitions.takeDownLeased(domain, 'holder', LATER_MS)],
  takeDownReleased: [domain => transitions.takeDownReleased(domain)],
  takenDown: [domain => transitions.takenDown(domain, LATER_MS)],
};

const LIVE_MESSAGE =
  'https://www.zoo.example is live. Keep the records: the certificate needs them to renew.';

/** A domain with something in every field that a transition may clear. */
const before = (status: Domain['status'], changes: Partial<Domain> = {}) =>
  claimed({
    status,
    reason: 'internal_error',
    message: 'Before.',
    attempt: 4,
    rounds: 3,
    slotAt: AT,
    nextCheckAt: AT,
    liveAt: AT,
    verifiedAt: AT,
    issuedAt: AT,
    attachedAt: AT,
    takenDownAt: AT,
    certificate: certified({ requests: 2 }),
    ...changes,
  });

/** The fields that a transition has changed, with their new values. */
function changesOf(old: Domain, next: Domain): Partial<Domain> {
  const fields = Object.keys(next) as (keyof Domain)[];
  return Object.fromEntries(
    fields
      .filter(field => JSON.stringify(next[field]) !== JSON.stringify(old[field]))
      .map(field => [field, next[field]]),
  );
}

const phaseStart = (phase: Domain['phase']) => ({
  ...(phase === 'dns' ? {} : { phase }),
  phaseStartedAt: LATER,
  reason: null,
  rounds: 0,
  slotAt: null,
  nextCheckAt: null,
});
const history = (status: string, what: string) => [...claimed().history, { at: LATER, status, what }];

interface Row {
  readonly from: readonly string[];
  readonly to: string | readonly string[];
  readonly changes: readonly string[];
  readonly events: readonly string[];
}
const rows: [name: string, row: Row][] = Object.entries(TRANSITIONS);
const rowOf = (name: string): Row => TRANSITIONS[name as keyof typeof TRANSITIONS];

describe('the table', () => {
  test('has a function for every row but the last', () => {
    expect(Object.keys(TRANSITIONS)).toEqual(['claimed', ...Object.keys(APPLIED), 'forgotten']);
  });

  test('is drawn in the README', () => {
    const readme = readFileSync(new URL('../../../../shared/domains/README.md', import.meta.url), 'utf8');
    const [, drawing] = /```mermaid\n(stateDiagram-v2\n[^`]*)```/.exec(readme) ?? [];
    expect(drawing).toBe(stateDiagram());
  });
});

/** The changes of status in the table, as mermaid draws them. */
function stateDiagram(): string {
  const edges = new Map<string, string[]>();
  for (const [name, { from, to }] of rows) {
    for (const status of from) {
      for (const next of [to].flat()) {
        if (next === 'same' || next === status) continue;
        const edge = `${status === 'new' ? '[*]' : status} --> ${next === 'gone' ? '[*]' : next}`;
        edges.set(edge, [...(edges.get(edge) ?? []), name]);
      }
    }
  }
  const lines = [...edges].map(([edge, names]) => `  ${edge}: ${names.join(', ')}\n`);
  return `stateDiagram-v2\n${lines.join('')}`;
}

test('claimed creates a claim that waits for DNS', () => {
  const name = {
    domain: 'www.zoo.example',
    kind: 'subdomain',
    registrable: 'zoo.example',
    zone: 'zoo.example',
  } as const;
  const claim = { project: 'zoo', target: TARGET, challenge: CHALLENGE, pointsAt: ENDPOINT };
  expect(transitions.claimed(name, claim, AT_MS)).toEqual(
    claimed({ attempt: AT_MS / 1000, revision: AT_MS, readyAt: null, remindedAt: null }),
  );
  const message = 'Create the ownership and certificate records at your DNS provider, then verify.';
  expect(transitions.claimed(name, { ...claim, switchLater: true }, AT_MS)).toMatchObject({ message });
  expect(transitions.switchPostponed(claimed())).toMatchObject({ message });
  expect(transitions.switchPostponed(before('verifying'))).toMatchObject({ message: 'Before.' });
});

describe.each(Object.keys(APPLIED))('%s', name => {
  const { from, to, changes } = rowOf(name);
  const [apply] = APPLIED[name] as [(domain: Domain) => Domain];

  test.each(DOMAIN_STATUSES)('accepts the status %s, and changes fields, only as the table says', status => {
    const before = claimed({ status, certificate: certified(), slotAt: 'then', reason: 'internal_error' });
    if (!from.includes(status)) {
      expect(() => apply(before)).toThrow(`www.zoo.example is ${status}: ${name} cannot happen to it.`);
      return;
    }
    const after = apply(before);
    expect(to === 'same' ? [status] : [to].flat()).toContain(after.status);
    expect([...changes, 'history']).toEqual(expect.arrayContaining(Object.keys(changesOf(before, after))));
    expect(after.revision).toBe(before.revision);
  });
});

test('certificatePrepared and inspected keep the validation records when ACM names none, and take those that it names', () => {
  const before = claimed({ status: 'verifying', certificate: certified() });
  const prepared = transitions.certificatePrepared(before, 'arn', VIEW);
  const seen = transitions.inspected(before, { ...ZONE, certificate: VIEW, records: [] }, LATER_MS);
  const certificate = { ...before.certificate, status: 'PENDING_VALIDATION' };
  expect(changesOf(before, prepared)).toEqual({ certificate: { ...certificate, arn: 'arn' } });
  expect(seen.certificate).toEqual(certificate);
  const validations = [{ name: '_new.zoo.example', value: '_value.aws' }];
  const named = transitions.certificatePrepared(before, 'arn', { ...VIEW, validations });
  expect(named.certificate.validations).toEqual(validations);
});

test('verificationStarted starts the first phase of a new attempt', () => {
  const old = before('failed');
  expect(changesOf(old, transitions.verificationStarted(old, 'kept', LATER_MS))).toEqual({
    ...phaseStart('dns'),
    status: 'verifying',
    attempt: 5,
    message: 'Looking for the records.',
    verifyStartedAt: LATER,
    verifiedAt: null,
    issuedAt: null,
    attachedAt: null,
    readyAt: null,
    remindedAt: null,
    liveAt: null,
    certificate: { ...old.certificate, requests: 0 },
    history: history('verifying', 'Looking for the records.'),
  });
});

test('verificationStarted keeps of a lost or delayed certificate its validation records, and counts the request of a delayed one', () => {
  const delayed = before('failed', { reason: 'certificate_delayed' });
  expect(transitions.verificationStarted(delayed, 'kept', LATER_MS).certificate.requests).toBe(2);
  const pending = { status: 'PENDING_VALIDATION', requests: 2 } as const;
  const replaced = (arn: string | null, why: 'lost' | 'delayed' = 'delayed') => {
    const old = before('failed', { certificate: certified({ ...pending, arn }) });
    return transitions.verificationStarted(old, why, LATER_MS).certificate;
  };
  const fresh = { ...NO_CERTIFICATE, requests: 3, validations: [VALIDATION] };
  expect(replaced('stuck')).toEqual({ ...fresh, replaces: 'stuck' });
  expect(replaced(null)).toEqual(fresh);
  expect(replaced('gone', 'lost')).toEqual({ ...fresh, requests: 0 });
});

test('inspected writes what was seen, and when; without a certificate the one before stays', () => {
  const old = before('verifying');
  const records = [{ ...TRAFFIC, state: 'ok', observed: ['seen'], action: null }] as const;
  const seen = { ...ZONE, nameServers: ['ns1.dns.example'], certificate: undefined, records };
  expect(changesOf(old, transitions.inspected(old, seen, LATER_MS))).toEqual({
    ...ZONE,
    nameServers: ['ns1.dns.example'],
    records,
    checkedAt: LATER,
  });
});

test('recordManaged adds the record to those before', () => {
  const other = { ...MANAGED, name: 'other' };
  const old = before('verifying', { managed: [other] });
  expect(changesOf(old, transitions.recordManaged(old, MANAGED))).toEqual({ managed: [other, MANAGED] });
});

test('managedRecordsCreated takes back what the owner was to do about missing records of the flow', () => {
  const missing = { ...TRAFFIC, state: 'missing', observed: [], action: 'Create it.' } as const;
  const mismatch = { ...missing, state: 'mismatch' } as const;
  const theirs = { ...missing, name: 'theirs' };
  const old = before('verifying', { records: [missing, mismatch, theirs] as never });
  const next = transitions.managedRecordsCreated(old, ({ name }) => name !== 'theirs');
  expect(changesOf(old, next)).toEqual({
    records: [{ ...missing, advice: [], action: null }, mismatch, theirs],
  });
});

test('retryScheduled counts the round, and says when the next check is and whether it has a slot; a quota lasts as long as its reason', () => {
  const old = before('verifying', { quota: 'L-1' });
  expect(changesOf(old, transitions.retryScheduled(old, 15, TROUBLE, LATER_MS))).toEqual({
    ...TROUBLE,
    quota: undefined,
    rounds: 4,
    slotAt: null,
    nextCheckAt: new Date(LATER_MS + 15_000).toISOString(),
    history: history('verifying', 'Some message.'),
  });
  const nextCheckAt = new Date(LATER_MS + 15_000).toISOString();
  const unexplained = { reason: 'internal_error', message: 'Before.', quota: 'L-1', nextCheckAt };
  expect(transitions.retryScheduled(old, 15, {}, LATER_MS)).toMatchObject({ ...unexplained, slotAt: null });
  const booked = transitions.retryScheduled(old, 15, { slotMs: LATER_MS }, LATER_MS);
  expect(booked).toMatchObject({ ...unexplained, slotAt: new Date(LATER_MS).toISOString() });
});

test('verificationStarted keeps the start of a contest only if it was checked without a gap', () => {
  const contestAfter = (status: Domain['status'], isContested = true) => {
    const old = before(status, { contest: { since: AT } });
    return transitions.verificationStarted(old, 'kept', LATER_MS, { isContested }).contest;
  };
  expect(contestAfter('verifying')).toEqual({ since: AT });
  expect(contestAfter('failed')).toEqual({ since: null });
  expect(contestAfter('verifying', false)).toBeUndefined();
});

test('phasePassed starts the next phase; the first one proves the claim, once', () => {
  const old = before('verifying', { verifiedAt: null });
  const issuing = { status: 'issuing', message: 'Passed.', history: history('issuing', 'Passed.') };
  expect(changesOf(old, transitions.phasePassed(old, 'certificate', 'Passed.', LATER_MS))).toEqual({
    ...phaseStart('certificate'),
    ...issuing,
    verifiedAt: LATER,
    issuedAt: null,
    provenAt: LATER,
  });
  const proven = before('verifying', { provenAt: AT });
  expect(changesOf(proven, transitions.phasePassed(proven, 'attachment', 'Passed.', LATER_MS))).toEqual({
    ...phaseStart('attachment'),
    ...issuing,
    issuedAt: LATER,
  });
});

test('certificateReplaced counts the request, and nothing is known of the new certificate', () => {
  const old = before('issuing', { certificate: certified({ failure: 'why', requests: 2 }) });
  expect(changesOf(old, transitions.certificateReplaced(old, 'another'))).toEqual({
    certificate: { ...old.certificate, arn: 'another', status: null, failure: null, requests: 3 },
  });
});

test('attached, dnsLeftOpen and flowRestarted write their fields', () => {
  const old = before('issuing', { attachedAt: null });
  const gateway = { host: 'd-1', hostedZoneId: 'Z1' };
  expect(changesOf(old, transitions.attached(old, gateway, LATER_MS))).toEqual({
    gateway,
    pointsAt: 'd-1',
    slotAt: null,
    attachedAt: LATER,
  });
  const again = before('issuing', { attachedAt: AT });
  expect(transitions.attached(again, gateway, LATER_MS).attachedAt).toBe(AT);
  expect(changesOf(old, transitions.dnsLeftOpen(old))).toEqual({ status: 'verifying' });
  expect(changesOf(old, transitions.flowRestarted(old))).toEqual({
    attempt: 5,
    slotAt: null,
    nextCheckAt: null,
  });
});

test('wentLive says when, and that the records have to stay', () => {
  const old = before('issuing');
  expect(changesOf(old, transitions.wentLive(old, LATER_MS))).toEqual({
    ...phaseStart('live'),
    status: 'live',
    message: LIVE_MESSAGE,
    liveAt: LATER,
    lastEvent: { type: 'live', revision: 2, at: LATER },
    history: history('live', LIVE_MESSAGE),
  });
});

test('failed has the trouble, and no check is due', () => {
  const old = before('issuing');
  expect(changesOf(old, transitions.failed(old, TROUBLE, LATER_MS))).toEqual({
    ...TROUBLE,
    status: 'failed',
    slotAt: null,
    nextCheckAt: null,
    lastEvent: { type: 'failed', revision: 2, at: LATER },
    history: history('failed', 'Some message.'),
  });
});

test('rechecked has the trouble, or none, and the history has the status as it is reported', () => {
  const old = before('needs_attention');
  expect(changesOf(old, transitions.rechecked(old, TROUBLE, LATER_MS))).toEqual({
    ...TROUBLE,
    history: history('live', 'Some message.'),
  });
  expect(changesOf(old, transitions.rechecked(old, undefined, LATER_MS))).toEqual({
    status: 'live',
    reason: null,
    message: LIVE_MESSAGE,
    lastEvent: { type: 'live', revision: 2, at: LATER },
    history: history('live', LIVE_MESSAGE),
  });
});

test('removalStarted starts a new attempt', () => {
  const old = before('live');
  expect(changesOf(old, transitions.removalStarted(old, LATER_MS))).toEqual({
    ...phaseStart('removal'),
    status: 'removing',
    attempt: 5,
    message: 'No longer served.',
    takenDownAt: undefined,
    history: history('removing', 'No longer served.'),
  });
  expect(transitions.removalStarted(old, LATER_MS, { message: 'Expired.' }).message).toBe('Expired.');
});

test('removalStalled has the trouble, takenDown the time', () => {
  const old = before('removing', { reason: null, takenDownAt: undefined });
  expect(changesOf(old, transitions.removalStalled(old, TROUBLE, LATER_MS))).toEqual({
    ...TROUBLE,
    status: 'stalled',
    slotAt: null,
    lastEvent: { type: 'needs attention', revision: 2, at: LATER },
  });
  expect(changesOf(old, transitions.takenDown(old, LATER_MS))).toEqual({
    message: 'No longer served. Everything has been deleted; the name will be free in a moment.',
    slotAt: null,
    nextCheckAt: null,
    takenDownAt: LATER,
  });
});

test('takeDownLeased has the holder and the end of the lease, takeDownReleased none', () => {
  const leased = transitions.takeDownLeased(before('removing'), 'holder', LATER_MS);
  expect(changesOf(before('removing'), leased)).toEqual({
    takeDownLease: { holder: 'holder', until: LATER },
  });
  expect(changesOf(leased, transitions.takeDownReleased(leased))).toStrictEqual({ takeDownLease: undefined });
});

describe('the history', () => {
  const withMessages = (messages: readonly string[]) =>
    messages.reduce(
      (domain, message) => transitions.retryScheduled(domain, 15, { message }, AT_MS),
      claimed({ status: 'verifying', history: [] }),
    ).history;

  test('has the status and message, unless the last entry says the same', () => {
    const history = withMessages(['one', 'one', 'two', 'one']);
    expect(history.map(({ what }) => what)).toEqual(['one', 'two', 'one']);
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

test('a record as large as DNS can make it, or made before there were limits, is far below the limit of an item', () => {
  const long = '\ufffd'.repeat(70_000);
  const record = { ...TRAFFIC, state: 'mismatch', observed: Array(100).fill(long), action: long } as const;
  const large = live({
    message: long,
    nameServers: Array(100).fill(long),
    records: Array(4).fill(record),
    history: Array(50).fill({ at: AT, what: long }),
  });
  const after = transitions.removalStarted(large, LATER_MS, { message: long });
  expect(Buffer.byteLength(JSON.stringify(after))).toBeLessThan(300_000);
  expect(after.message).toHaveLength(1000);
});

describe('events', () => {
  /** Every transition with every status that it can happen to. */
  const CASES = Object.entries(APPLIED).flatMap(([name, applications]) =>
    applications.flatMap(apply =>
      rowOf(name).from.map(status => {
        const certificate = certified();
        const old = claimed({ status: status as DomainStatus, certificate, revision: 7 });
        return { name, status, old, after: apply(old) };
      }),
    ),
  );

  test('are those that the table lists for the transition', () => {
    const emitted = new Map<string, Set<string>>();
    for (const { name, after } of CASES) {
      const event = eventOf(nextRevision(after));
      if (event) emitted.set(name, (emitted.get(name) ?? new Set()).add(event.type));
    }
    const listed = rows
      // Deleting a record isn't a new revision of it: the store emits its event.
      .filter(([name, { events }]) => events.length > 0 && name !== 'forgotten')
      .map(([name, { events }]) => [name, new Set(events)]);
    expect(Object.fromEntries(emitted)).toEqual(Object.fromEntries(listed));
    expect(TRANSITIONS.forgotten.events).toEqual(['removed']);
  });

  test('are listed for the transitions that write lastEvent, and for no others', () => {
    const writing = rows.filter(([, { changes }]) => changes.includes('lastEvent')).map(([name]) => name);
    const emitting = rows.filter(([, { events }]) => events.length > 0).map(([name]) => name);
    expect([...writing, 'forgotten']).toEqual(emitting);
  });

  /** These emit one whatever the status is. */
  const ANNOUNCING = ['readyChecked', 'takeoverAnnounced', 'moved', 'removalStarted'];

  test.each(CASES.filter(({ name }) => !ANNOUNCING.includes(name)))(
    '$name of a domain that is $status emits one if the new status has another',
    ({ old, after }) => {
      const { event: type } = STATUSES[after.status];
      const isEmitted = type !== null && type !== STATUSES[old.status].event;
      expect(eventOf(nextRevision(after))?.type).toBe(isEmitted ? type : undefined);
      if (isEmitted) expect(after.lastEvent).toEqual({ type, revision: 8, at: LATER });
    },
  );

  test('are emitted once: later writes keep the last event and emit none', () => {
    const old = live({ lastEvent: { type: 'live', revision: 1, at: AT } });
    const next = nextRevision(nextRevision(old));
    expect(next.lastEvent).toEqual(old.lastEvent);
    expect(eventOf(next)).toBeUndefined();
  });
});
