import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Domain, NO_CERTIFICATE, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { eventOf } from '../../../../shared/domains/life/domain-event.ts';
import {
  DOMAIN_STATUSES,
  type DomainStatus,
  type EventType,
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
  PUBLISHED,
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
const OTHER_MANAGED = { ...MANAGED, name: 'other' };
const GATEWAY = { host: 'd-1', hostedZoneId: 'Z1' };
const CERTIFICATE = certified({ failure: 'why', requests: 2 });
const IN_15_SECONDS = new Date(LATER_MS + 15_000).toISOString();

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
  arrivalUnconfirmed: [domain => transitions.arrivalUnconfirmed(domain, 'It is IPv6.')],
  proxyUnproven: [domain => transitions.proxyUnproven(domain, 'Let the proxy pass requests on.')],
  recordManaged: [domain => transitions.recordManaged(domain, MANAGED)],
  managedRecordsCreated: [domain => transitions.managedRecordsCreated(domain, () => true)],
  retryScheduled: [domain => transitions.retryScheduled(domain, 15, TROUBLE, LATER_MS)],
  contested: [domain => transitions.contested(domain, transitions.NOT_PROVEN)],
  phasePassed: [
    domain => transitions.phasePassed(domain, 'certificate', 'Passed.', LATER_MS),
    domain => transitions.phasePassed(domain, 'attachment', 'Passed.', LATER_MS),
  ],
  certificateDiscarded: [transitions.certificateDiscarded],
  certificateReplaced: [domain => transitions.certificateReplaced(domain, 'another')],
  caaChecked: [
    domain => transitions.caaChecked(domain, { at: 'zoo.example', record: '0 issue ";"', lacksAmazon: true }),
  ],
  attached: [domain => transitions.attached(domain, GATEWAY, LATER_MS)],
  routed: [domain => transitions.routed(domain, 'open')],
  dnsLeftOpen: [domain => transitions.dnsLeftOpen(domain)],
  becameLate: [domain => transitions.becameLate(domain, LATER, LATER_MS)],
  becameReady: [domain => transitions.becameReady(domain, SWITCH, LATER_MS)],
  readyChecked: [
    { isReminder: true, trouble: undefined },
    { isReminder: false, trouble: TROUBLE },
    { isReminder: false, trouble: undefined },
  ].map(seen => domain => transitions.readyChecked(domain, { ...SWITCH, ...seen }, LATER_MS)),
  awaited: [domain => transitions.awaited(domain, { seconds: 60, slotAt: LATER }, LATER_MS)],
  leftToWorker: [domain => transitions.leftToWorker(domain, LATER_MS)],
  wentLive: [domain => transitions.wentLive(domain, LATER_MS)],
  flowRestarted: [domain => transitions.flowRestarted(domain, LATER_MS)],
  failed: [domain => transitions.failed(domain, TROUBLE, LATER_MS)],
  rechecked: [
    domain => transitions.rechecked(domain, TROUBLE, LATER_MS),
    domain => transitions.rechecked(domain, undefined, LATER_MS),
  ],
  takeoverAnnounced: [domain => transitions.takeoverAnnounced(domain, TROUBLE, TAKEOVER, LATER_MS)],
  takeoverPostponed: [
    domain => transitions.takeoverPostponed({ ...domain, takeover: TAKEOVER }, TROUBLE, AT),
  ],
  takeoverEnded: [domain => transitions.takeoverEnded({ ...domain, takeover: TAKEOVER }, 'Over.', LATER_MS)],
  moved: [domain => transitions.moved(domain, 'farm', LATER_MS)],
  removalStarted: [
    domain => transitions.removalStarted(domain, LATER_MS),
    domain => transitions.removalStarted(domain, LATER_MS, { isTakenOver: true }),
  ],
  unmappedApart: [domain => transitions.unmappedApart(domain, LATER)],
  unmapped: [domain => transitions.unmapped(domain)],
  removalStalled: [domain => transitions.removalStalled(domain, TROUBLE, LATER_MS)],
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
    readyAt: AT,
    remindedAt: AT,
    route: PUBLISHED,
    unmappedUntil: AT,
    isUnmapped: true,
    restarts: 2,
    quota: 'L-1',
    managed: [OTHER_MANAGED],
    certificate: CERTIFICATE,
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

const NO_WAIT = {
  reason: null,
  rounds: 0,
  slotAt: null,
  nextCheckAt: null,
  restarts: undefined,
} as const;
const history = (status: string, what: string) => [...claimed().history, { at: LATER, status, what }];
const lastEvent = (type: EventType) => ({ type, revision: 2, at: LATER });

const ISSUING = { status: 'issuing', message: 'Passed.', history: history('issuing', 'Passed.') } as const;
const REMOVING = {
  ...NO_WAIT,
  removalStartedAt: LATER,
  status: 'removing',
  attempt: 5,
  message: 'No longer served.',
  unmappedUntil: undefined,
  isUnmapped: undefined,
  history: history('removing', 'No longer served.'),
} as const;

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
    claimed({ attempt: AT_MS / 1000, revision: AT_MS }),
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

test.each<[name: string, status: DomainStatus, ...changes: Partial<Domain>[]]>([
  [
    'verificationStarted',
    'failed',
    {
      ...NO_WAIT,
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
      certificate: { ...CERTIFICATE, requests: 0 },
      history: history('verifying', 'Looking for the records.'),
    },
  ],
  ['recordManaged', 'verifying', { managed: [OTHER_MANAGED, MANAGED] }],
  [
    'retryScheduled',
    'verifying',
    {
      ...TROUBLE,
      quota: undefined,
      rounds: 4,
      slotAt: null,
      nextCheckAt: IN_15_SECONDS,
      history: history('verifying', 'Some message.'),
    },
  ],
  [
    'phasePassed',
    'verifying',
    { ...NO_WAIT, ...ISSUING, verifiedAt: LATER, issuedAt: null, provenAt: LATER },
    { ...NO_WAIT, ...ISSUING, issuedAt: LATER, provenAt: AT },
  ],
  [
    'certificateReplaced',
    'issuing',
    { certificate: { ...CERTIFICATE, arn: 'another', status: null, failure: null, requests: 3 } },
  ],
  ['attached', 'issuing', { gateway: GATEWAY, pointsAt: 'd-1', slotAt: null }],
  ['dnsLeftOpen', 'issuing', { status: 'verifying' }],
  [
    'wentLive',
    'issuing',
    {
      ...NO_WAIT,
      status: 'live',
      message: LIVE_MESSAGE,
      readyAt: null,
      remindedAt: null,
      liveAt: LATER,
      lastEvent: lastEvent('live'),
      history: history('live', LIVE_MESSAGE),
    },
  ],
  ['flowRestarted', 'issuing', { attempt: 5, slotAt: null, nextCheckAt: LATER, restarts: 3 }],
  [
    'failed',
    'issuing',
    {
      ...TROUBLE,
      status: 'failed',
      quota: undefined,
      slotAt: null,
      nextCheckAt: null,
      lastEvent: lastEvent('failed'),
      history: history('failed', 'Some message.'),
    },
  ],
  [
    'rechecked',
    'needs_attention',
    // The history has the status as it is reported.
    { ...TROUBLE, history: history('live', 'Some message.') },
    {
      status: 'live',
      reason: null,
      message: LIVE_MESSAGE,
      lastEvent: lastEvent('live'),
      history: history('live', LIVE_MESSAGE),
    },
  ],
  ['removalStarted', 'live', REMOVING, { ...REMOVING, lastEvent: lastEvent('taken over') }],
  ['unmappedApart', 'removing', { unmappedUntil: LATER }],
  [
    'removalStalled',
    'removing',
    { ...TROUBLE, status: 'stalled', slotAt: null, lastEvent: lastEvent('needs attention') },
  ],
])('%s of a domain that is %s changes its fields to these', (name, status, ...changes) => {
  const old = before(status);
  expect(APPLIED[name]?.map(apply => changesOf(old, apply(old)))).toEqual(changes);
});

test('verificationStarted keeps of a lost or delayed certificate its validation records, and of a delayed one the requests', () => {
  const delayed = before('failed', { reason: 'certificate_delayed' });
  expect(transitions.verificationStarted(delayed, 'kept', LATER_MS).certificate.requests).toBe(2);
  const pending = { status: 'PENDING_VALIDATION', requests: 2 } as const;
  const replaced = (arn: string | null, why: 'lost' | 'delayed' = 'delayed') => {
    const old = before('failed', { certificate: certified({ ...pending, arn }) });
    return transitions.verificationStarted(old, why, LATER_MS).certificate;
  };
  const fresh = { ...NO_CERTIFICATE, requests: 2, validations: [VALIDATION] };
  expect(replaced('stuck')).toEqual({ ...fresh, replaces: 'stuck' });
  expect(replaced(null)).toEqual(fresh);
  expect(replaced('gone', 'lost')).toEqual({ ...fresh, requests: 0 });
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

test('inspected writes what was seen, and when; without a certificate the one before stays', () => {
  const old = before('verifying');
  const records = [{ ...TRAFFIC, state: 'ok', observed: ['seen'], advice: [], action: null }] as const;
  const seen = { ...ZONE, nameServers: ['ns1.dns.example'], records };
  const after = transitions.inspected(old, { ...seen, certificate: undefined }, LATER_MS);
  expect(changesOf(old, after)).toEqual({ ...seen, checkedAt: LATER });
});

test('managedRecordsCreated takes back what the owner was to do about missing records of the flow', () => {
  const missing = { ...TRAFFIC, state: 'missing', observed: [], advice: [], action: 'Create it.' } as const;
  const mismatch = { ...missing, state: 'mismatch' } as const;
  const theirs = { ...missing, name: 'theirs' };
  const old = before('verifying', { records: [missing, mismatch, theirs] as never });
  const next = transitions.managedRecordsCreated(old, ({ name }) => name !== 'theirs');
  expect(changesOf(old, next)).toEqual({
    records: [{ ...missing, action: null }, mismatch, theirs],
  });
});

test('retryScheduled without a reason keeps the one before, and its quota; it says when the slot is', () => {
  const unexplained = {
    reason: 'internal_error',
    message: 'Before.',
    quota: 'L-1',
    nextCheckAt: IN_15_SECONDS,
  };
  const retried = (retry: transitions.Retry) =>
    transitions.retryScheduled(before('verifying'), 15, retry, LATER_MS);
  expect(retried({})).toMatchObject({ ...unexplained, slotAt: null });
  expect(retried({ slotAt: LATER })).toMatchObject({ ...unexplained, slotAt: LATER });
});

test('a claim is proven once, and attached once', () => {
  const proven = before('verifying', { provenAt: AT });
  expect(transitions.phasePassed(proven, 'certificate', 'Passed.', LATER_MS).provenAt).toBe(AT);
  const unattached = before('issuing', { attachedAt: null });
  expect(transitions.attached(unattached, GATEWAY, LATER_MS).attachedAt).toBe(LATER);
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

test('a record as large as DNS can make it is far below the limit of an item', () => {
  const long = '\ufffd'.repeat(70_000);
  const record = {
    ...TRAFFIC,
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

  /** These emit one whatever the status is. */
  const ANNOUNCING = [
    'becameLate',
    'readyChecked',
    'takeoverAnnounced',
    'takeoverEnded',
    'moved',
    'removalStarted',
  ];

  test.each(CASES.filter(({ name }) => !ANNOUNCING.includes(name)))(
    '$name of a domain that is $status emits one if the new status has another',
    ({ old, after }) => {
      const { event: type } = STATUSES[after.status];
      const isEmitted = type !== null && type !== STATUSES[old.status].event;
      expect(eventOf(nextRevision(after))?.type).toBe(isEmitted ? type : undefined);
      if (isEmitted) expect(after.lastEvent).toEqual({ type, revision: 8, at: LATER });
    },
  );
});
