import { expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import * as transitions from '../../../../shared/domains/life/transitions.ts';
import { AT, certified, claimed, TARGET, TRAFFIC, VALIDATION } from '../claimed-domain.ts';
import { LATER_MS, VIEW, ZONE } from './applied-transitions.ts';

const LATER = new Date(LATER_MS).toISOString();
const OBSTACLE = { reason: 'caa_blocked', message: 'Some message.' } as const;
const LIVE_MESSAGE = 'https://www.zoo.example is live. Keep the records: the certificate is renewed by them.';

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
const history = (what: string) => [...claimed().history, { at: LATER, what }];

test('certificatePrepared writes the ARN and what ACM says', () => {
  const old = before('verifying');
  expect(changesOf(old, transitions.certificatePrepared(old, 'arn', { ...VIEW, failure: 'why' }))).toEqual({
    certificate: { ...old.certificate, arn: 'arn', status: 'PENDING_VALIDATION', failure: 'why' },
  });
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
    liveAt: null,
    certificate: { ...old.certificate, requests: 0 },
    history: history('verifying: Looking for the records.'),
  });
});

test('verificationStarted keeps the count of requests of a certificate that is delayed', () => {
  const old = before('failed', { reason: 'certificate_delayed' });
  expect(transitions.verificationStarted(old, 'kept', LATER_MS).certificate.requests).toBe(2);
});

test('verificationStarted replaces a delayed certificate, and counts the request', () => {
  const pending = { status: 'PENDING_VALIDATION', requests: 2 } as const;
  const replaced = (arn: string | null) => {
    const old = before('failed', { certificate: certified({ ...pending, arn }) });
    return transitions.verificationStarted(old, 'delayed', LATER_MS).certificate;
  };
  const fresh = { arn: null, status: null, failure: null, requests: 3, renewal: null };
  expect(replaced('stuck')).toEqual({ ...fresh, validations: [VALIDATION], replaces: 'stuck' });
  expect(replaced(null)).toEqual({ ...fresh, validations: [VALIDATION] });
});

test('inspected writes what was seen, and when; without a certificate the one before stays', () => {
  const old = before('verifying');
  const records = [{ ...TRAFFIC, state: 'ok', observed: ['seen'], action: null }] as const;
  const seen = { ...ZONE, certificate: undefined, records };
  expect(changesOf(old, transitions.inspected(old, seen, LATER_MS))).toEqual({
    ...ZONE,
    records,
    checkedAt: LATER,
  });
});

test('recordManaged adds the record to those before', () => {
  const [one, two] = ['one', 'two'].map(name => ({ ...MANAGED, name }));
  const old = before('verifying', { managed: one ? [one] : [] });
  expect(changesOf(old, transitions.recordManaged(old, two ?? MANAGED))).toEqual({ managed: [one, two] });
});

test('managedRecordsCreated takes back what the owner was to do about missing records of the flow', () => {
  const missing = { ...TRAFFIC, state: 'missing', observed: [], action: 'Create it.' } as const;
  const mismatch = { ...missing, state: 'mismatch' } as const;
  const theirs = { ...missing, name: 'theirs' };
  const old = before('verifying', { records: [missing, mismatch, theirs] as never });
  const next = transitions.managedRecordsCreated(old, ({ name }) => name !== 'theirs');
  expect(changesOf(old, next)).toEqual({ records: [{ ...missing, action: null }, mismatch, theirs] });
});

test('retryScheduled counts the round and says when the next check is', () => {
  const old = before('verifying');
  expect(changesOf(old, transitions.retryScheduled(old, 15, OBSTACLE, LATER_MS))).toEqual({
    ...OBSTACLE,
    rounds: 4,
    slotAt: null,
    nextCheckAt: new Date(LATER_MS + 15_000).toISOString(),
    history: history('verifying: Some message.'),
  });
  expect(transitions.retryScheduled(old, 15, {}, LATER_MS)).toMatchObject({
    reason: 'internal_error',
    message: 'Before.',
  });
});

test('phasePassed starts the next phase; the first one proves the claim, once', () => {
  const old = before('verifying', { verifiedAt: null });
  const issuing = { status: 'issuing', message: 'Passed.', history: history('issuing: Passed.') };
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
    history: history(`live: ${LIVE_MESSAGE}`),
  });
});

test('failed has the obstacle, and no check is due', () => {
  const old = before('issuing');
  expect(changesOf(old, transitions.failed(old, OBSTACLE, LATER_MS))).toEqual({
    ...OBSTACLE,
    status: 'failed',
    slotAt: null,
    nextCheckAt: null,
    lastEvent: { type: 'failed', revision: 2, at: LATER },
    history: history('failed: Some message.'),
  });
});

test('rechecked has the obstacle, or none', () => {
  const old = before('live');
  expect(changesOf(old, transitions.rechecked(old, OBSTACLE, LATER_MS))).toEqual({
    ...OBSTACLE,
    history: history('live: Some message.'),
  });
  expect(changesOf(old, transitions.rechecked(old, undefined, LATER_MS))).toEqual({
    reason: null,
    message: LIVE_MESSAGE,
    lastEvent: { type: 'live', revision: 2, at: LATER },
    history: history(`live: ${LIVE_MESSAGE}`),
  });
});

test('removalStarted starts a new attempt', () => {
  const old = before('live');
  expect(changesOf(old, transitions.removalStarted(old, LATER_MS))).toEqual({
    ...phaseStart('live'),
    status: 'removing',
    attempt: 5,
    message: 'No longer served.',
    takenDownAt: undefined,
    history: history('removing: No longer served.'),
  });
  expect(transitions.removalStarted(old, LATER_MS, 'Expired.').message).toBe('Expired.');
});

test('removalStalled has the obstacle, takenDown the time', () => {
  const old = before('removing', { reason: null, takenDownAt: undefined });
  expect(changesOf(old, transitions.removalStalled(old, OBSTACLE, LATER_MS))).toEqual({
    ...OBSTACLE,
    slotAt: null,
    lastEvent: { type: 'needs attention', revision: 2, at: LATER },
  });
  expect(changesOf(old, transitions.takenDown(old, LATER_MS))).toEqual({
    message: 'No longer served. Everything is taken down; the name is free in a moment.',
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

const MANAGED = { zoneId: 'Z1', type: 'CNAME', name: '', value: TARGET, ttl: 60, aliasZoneId: null } as const;
