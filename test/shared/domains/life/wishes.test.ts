import { expect, test } from 'vitest';
import { NO_CERTIFICATE } from '../../../../shared/domains/life/domain.ts';
import type { DomainStatus } from '../../../../shared/domains/life/domain-status.ts';
import { claimEndsAt } from '../../../../shared/domains/life/waits.ts';
import * as wishes from '../../../../shared/domains/life/wishes.ts';
import {
  AT,
  AT_MS,
  CHALLENGE,
  certified,
  claimed,
  clockAt,
  ENDPOINT,
  live,
  TARGET,
  VALIDATION,
} from '../claimed-domain.ts';

const LATER_MS = AT_MS + 60_000;
const LATER = new Date(LATER_MS).toISOString();

test('claimed creates a claim that waits for DNS', () => {
  const name = {
    domain: 'www.zoo.example',
    kind: 'subdomain',
    registrable: 'zoo.example',
    zone: 'zoo.example',
  } as const;
  const claim = { project: 'zoo', target: TARGET, challenge: CHALLENGE, pointsAt: ENDPOINT };
  expect(wishes.claimed(name, claim, AT_MS)).toEqual(claimed({ attempt: AT_MS / 1000, revision: AT_MS }));
  const message = 'Create the ownership and certificate records at your DNS provider, then verify.';
  expect(wishes.claimed(name, { ...claim, switchLater: true }, AT_MS)).toMatchObject({ message });
  expect(wishes.switchPostponed(claimed(), AT_MS)).toMatchObject({ message, switchLater: true });
  const verifying = claimed({ status: 'verifying', message: 'Before.' });
  expect(wishes.switchPostponed(verifying, AT_MS)).toMatchObject({ message: 'Before.', switchLater: true });
});

test('a verification begins anew, whatever the last one came to', () => {
  const before = live({ status: 'failed', reason: 'caa_blocked', failedAt: AT, lateAt: AT, rounds: 5 });
  expect(wishes.verificationStarted(before, 'kept', LATER_MS)).toMatchObject({
    status: 'verifying',
    reason: null,
    message: 'Looking for the records.',
    attempt: before.attempt + 1,
    rounds: 0,
    nextCheckAt: null,
    verifyStartedAt: LATER,
    verifiedAt: null,
    liveAt: null,
    failedAt: null,
    lateAt: undefined,
    provenAt: AT,
  });
});

test('a verification keeps of a lost or delayed certificate its validation records, and of a delayed one the requests', () => {
  const failed = (
    certificate: Parameters<typeof certified>[0],
    reason: 'caa_blocked' | 'certificate_delayed' = 'caa_blocked',
  ) =>
    claimed({
      status: 'failed',
      reason,
      certificate: certified({ status: 'PENDING_VALIDATION', requests: 2, ...certificate }),
    });
  const after = (...[before, fate]: [ReturnType<typeof failed>, wishes.CertificateFate]) =>
    wishes.verificationStarted(before, fate, LATER_MS).certificate;
  expect(after(failed({}), 'kept').requests).toBe(0);
  expect(after(failed({}, 'certificate_delayed'), 'kept').requests).toBe(2);
  const fresh = { ...NO_CERTIFICATE, requests: 2, validations: [VALIDATION] };
  expect(after(failed({ arn: 'stuck' }), 'delayed')).toEqual({ ...fresh, replaces: 'stuck' });
  expect(after(failed({ arn: null }), 'delayed')).toEqual(fresh);
  expect(after(failed({ arn: 'gone' }), 'lost')).toEqual({ ...fresh, requests: 0 });
});

test('a verification keeps the start of a contest only if it was checked without a gap', () => {
  const contestAfter = (status: DomainStatus, isContested = true) =>
    wishes.verificationStarted(claimed({ status, contest: { since: AT } }), 'kept', LATER_MS, { isContested })
      .contest;
  expect(contestAfter('verifying')).toEqual({ since: AT });
  expect(contestAfter('failed')).toEqual({ since: null });
  expect(contestAfter('verifying', false)).toBeUndefined();
});

test('a removal supersedes whatever was going on', () => {
  const before = live({ status: 'needs_attention', reason: 'certificate_lost', isUnmapped: true });
  const removing = { status: 'removing', reason: null, removalStartedAt: LATER, attempt: before.attempt + 1 };
  const after = wishes.removalStarted(before, LATER_MS);
  expect(after).toMatchObject({ ...removing, message: 'No longer served.', isUnmapped: undefined });
  expect(after.lastEvent).toBeUndefined();
  expect(wishes.removalStarted(before, LATER_MS, { isTakenOver: true }).lastEvent?.type).toBe('taken over');
});

const ASKS = { lastAt: LATER, takenUntil: LATER };

test('an owner who asks starts a claim that waits for that, without extending it', () => {
  const before = claimed({
    certificate: certified({ status: 'PENDING_VALIDATION' }),
    contest: { since: null },
  });
  const after = wishes.lookAsked(before, ASKS, LATER_MS);
  const { contest, certificate, provenAt } = before;
  const started = { status: 'verifying', verifyStartedAt: LATER, attempt: before.attempt + 1 };
  expect(after).toMatchObject({ ...started, asks: ASKS, contest, certificate, provenAt });
  const clock = clockAt(LATER_MS);
  expect(claimEndsAt(after, clock)).toBe(claimEndsAt(before, clock));
  const verified = wishes.verificationStarted(after, 'kept', LATER_MS);
  expect(Date.parse(claimEndsAt(verified, clock) ?? '')).toBe(
    Date.parse(claimEndsAt(before, clock) ?? '') + 60_000,
  );
});

test.each(['verifying', 'issuing', 'ready', 'live', 'needs_attention'] as const)(
  'an owner who asks makes a domain that is %s due for a look, which lengthens and replaces nothing',
  status => {
    const reason = status === 'needs_attention' ? 'traffic_record_missing' : null;
    const waits = { rounds: 40, nextCheckAt: AT, isResting: true, slotAt: AT, lateAt: AT } as const;
    const before = live({ ...claimed({ status }), reason, ...waits, certificate: certified() });
    const due = { attempt: before.attempt + 1, rounds: 18, nextCheckAt: LATER, isResting: undefined };
    expect(wishes.lookAsked(before, ASKS, LATER_MS)).toEqual({ ...before, ...due, asks: ASKS });
    expect(wishes.lookAsked({ ...before, rounds: 3 }, ASKS, LATER_MS).rounds).toBe(3);
  },
);

test.each([
  ['has failed', claimed({ status: 'failed', reason: 'caa_blocked' })],
  ['is being removed', live({ ...claimed({ status: 'removing' }), nextCheckAt: AT })],
  ['has no certificate yet', claimed()],
  ['a command has just verified', claimed({ status: 'verifying' })],
])('an owner who asks about a domain that %s changes nothing of it', (_, before) => {
  expect(wishes.lookAsked(before, ASKS, LATER_MS)).toEqual({ ...before, asks: ASKS });
});
