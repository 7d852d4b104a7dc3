import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_CERTIFICATE_REQUESTS } from '../../../../shared/domains/life/backoff.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { verification } from '../../../../shared/domains/steps/verification.ts';
import { AT, CHALLENGE, certified, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR, MINUTE, RIGHT_RECORDS, SECOND } from './flow-world.ts';

const ATTEMPT = { domain: 'www.zoo.example', attempt: 2 };

let world: FlowWorld;
let steps: ReturnType<typeof verification>;
beforeAll(async () => {
  world = await flowWorld();
  steps = verification(world.parts);
});
beforeEach(() => world.reset());

/** The domain apart from what the clock and the counters say of it. */
const pending = (news: Partial<Domain['certificate']> = {}) =>
  certified({ status: 'PENDING_VALIDATION', ...news });

describe('checkDns', () => {
  test('done: the CNAME leads here, whatever becomes of the certificate', async () => {
    await world.stored({ certificate: pending() });
    world.zone = { 'www.zoo.example CNAME': [TARGET] };
    world.nowMs += MINUTE;
    expect(await steps.checkDns(ATTEMPT)).toEqual({ ...ATTEMPT, outcome: 'done', waitSeconds: 0 });
    const time = new Date(world.nowMs).toISOString();
    const message =
      'The domain is verified. Its certificate is being issued, usually within a couple of minutes.';
    expect(await world.found()).toMatchObject({
      status: 'issuing',
      phase: 'certificate',
      reason: null,
      message,
      phaseStartedAt: time,
      verifiedAt: time,
      nextCheckAt: null,
      history: [{ what: 'pending_dns: added' }, { at: time, what: `issuing: ${message}` }],
    });
  });

  test('waiting: the record is missing, with what to create and when the next check is', async () => {
    await world.stored();
    world.zone = {};
    expect(await steps.checkDns(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
    expect(await world.found()).toMatchObject({
      status: 'verifying',
      phase: 'dns',
      reason: 'traffic_record_missing',
      message: `Create a CNAME record at www.zoo.example with the value ${TARGET}.`,
      checkedAt: AT,
      nextCheckAt: new Date(world.nowMs + 15 * SECOND).toISOString(),
      rounds: 1,
    });
  });

  test.each([
    ['mismatch', { 'www.zoo.example CNAME': ['other.example'] }, `to ${TARGET}.`],
    ['conflict', { 'www.zoo.example A': ['192.0.2.1'] }, 'Delete the A and AAAA records'],
    ['unreachable', 'SERVFAIL' as const, 'did not answer'],
  ])('waiting: the record is a %s', async (state, zone, message) => {
    await world.stored();
    world.zone = zone;
    expect(await steps.checkDns(ATTEMPT)).toMatchObject({ outcome: 'waiting' });
    expect(await world.found()).toMatchObject({
      reason: `traffic_record_${state}`,
      message: expect.stringContaining(message),
    });
  });

  test('waits longer and longer, and notes what it sees once', async () => {
    await world.stored({ rounds: 30 });
    world.zone = {};
    const { waitSeconds } = await steps.checkDns(ATTEMPT);
    expect(waitSeconds).toBeGreaterThan(60);
    expect(waitSeconds).toBeLessThanOrEqual(30 * 60);
    const { history } = await world.found();
    expect((await steps.checkDns(ATTEMPT)).waitSeconds).toBeGreaterThan(waitSeconds);
    expect((await world.found()).history).toEqual(history);
  });

  test('ended: not verified within 48 hours, with what is missing', async () => {
    await world.stored();
    world.zone = {};
    world.nowMs += 48 * HOUR;
    expect(await steps.checkDns(ATTEMPT)).toMatchObject({ outcome: 'waiting' });
    world.nowMs += MINUTE;
    expect(await steps.checkDns(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'traffic_record_missing',
      message: `Not verified within 48 hours. Create a CNAME record at www.zoo.example with the value ${TARGET}. Then verify again.`,
      nextCheckAt: null,
    });
  });

  describe('of an apex', () => {
    const apex = { domain: 'zoo.example', kind: 'apex' as const };
    const APEX_ATTEMPT = { domain: 'zoo.example', attempt: 2 };

    test('done: the text proves the claim; the traffic may come later', async () => {
      await world.stored(apex);
      world.zone = { '_petstore-challenge.zoo.example TXT': [CHALLENGE] };
      expect(await steps.checkDns(APEX_ATTEMPT)).toMatchObject({ outcome: 'done' });
    });

    test('waiting: traffic alone proves nothing, since anyone can lead a name to these addresses', async () => {
      await world.stored(apex);
      world.zone = { 'zoo.example A': ['192.0.2.1'], [`${TARGET} A`]: ['192.0.2.1'] };
      expect(await steps.checkDns(APEX_ATTEMPT)).toMatchObject({ outcome: 'waiting' });
      expect(await world.found('zoo.example')).toMatchObject({
        reason: 'ownership_record_missing',
        message: `Create a TXT record at _petstore-challenge.zoo.example with the value ${CHALLENGE}.`,
      });
    });
  });

  test('makes the records that it may make, and saves the domain as it is then', async () => {
    const made = await world.stored();
    const managedRecords = {
      ...world.parts.managedRecords,
      async make(domain: Domain) {
        expect(domain.records).toMatchObject([{ state: 'missing' }]);
        const noted = nextRevision(domain, { message: 'Noted.' });
        await world.store.save(noted);
        return noted;
      },
    };
    world.zone = {};
    await verification({ ...world.parts, managedRecords }).checkDns(ATTEMPT);
    expect(await world.found()).toMatchObject({
      revision: made.revision + 2,
      reason: 'traffic_record_missing',
    });
  });
});

describe('checkCertificate', () => {
  const issuing = (certificate: Partial<Domain['certificate']> = {}) =>
    world.stored({ status: 'issuing', phase: 'certificate', certificate: pending(certificate) });
  /** What ACM says of the certificate. */
  const acmSays = (status: string | null, failure: string | null = null) => {
    world.certificate = { status, failure, renewal: null, validations: [VALIDATION] };
  };
  const CAA = { ...RIGHT_RECORDS, 'zoo.example CAA': ['0 issue "letsencrypt.org"'] };
  const BLOCKED = {
    reason: 'caa_blocked',
    message:
      'The CAA record at zoo.example (0 issue "letsencrypt.org") forbids Amazon to issue the certificate. ' +
      'Add: zoo.example. CAA 0 issue "amazon.com"',
  };

  test('done: it is issued', async () => {
    await issuing();
    expect(await steps.checkCertificate(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(await world.found()).toMatchObject({
      phase: 'attachment',
      status: 'issuing',
      message: 'The certificate is issued.',
      certificate: certified(),
    });
  });

  test('waiting: nothing is wrong and nothing is said for half an hour, then that it takes long', async () => {
    await issuing();
    acmSays('PENDING_VALIDATION');
    world.nowMs += 30 * MINUTE;
    expect(await steps.checkCertificate(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
    expect(await world.found()).toMatchObject({ reason: null });
    world.nowMs += MINUTE;
    await steps.checkCertificate(ATTEMPT);
    expect(await world.found()).toMatchObject({
      reason: 'certificate_delayed',
      message:
        'The certificate takes longer than usual, although all records are right. Verify again to trigger a new attempt.',
    });
  });

  test('waiting: the CAA record that blocks is named at once, with its place and what to add', async () => {
    await issuing();
    acmSays('PENDING_VALIDATION');
    world.zone = CAA;
    expect(await steps.checkCertificate(ATTEMPT)).toMatchObject({ outcome: 'waiting' });
    expect(await world.found()).toMatchObject({ status: 'issuing', ...BLOCKED });
  });

  test('waiting: the validation record is missing', async () => {
    await issuing();
    acmSays('PENDING_VALIDATION');
    world.zone = { 'www.zoo.example CNAME': [TARGET] };
    await steps.checkCertificate(ATTEMPT);
    expect(await world.found()).toMatchObject({
      reason: 'certificate_record_missing',
      message: `The certificate waits for a record. Create a CNAME record at ${VALIDATION.name} with the value ${VALIDATION.value}.`,
    });
  });

  test('waiting: what kept it is no longer said once that is put right', async () => {
    await issuing();
    acmSays('PENDING_VALIDATION');
    world.zone = CAA;
    await steps.checkCertificate(ATTEMPT);
    world.zone = RIGHT_RECORDS;
    await steps.checkCertificate(ATTEMPT);
    expect(await world.found()).toMatchObject({
      reason: null,
      message: expect.stringContaining('Its certificate is being issued'),
    });
  });

  test('waiting: the domain no longer leads here', async () => {
    await issuing();
    acmSays('PENDING_VALIDATION');
    world.zone = { ...RIGHT_RECORDS, 'www.zoo.example CNAME': ['other.example'] };
    await steps.checkCertificate(ATTEMPT);
    expect(await world.found()).toMatchObject({ reason: 'traffic_record_mismatch' });
  });

  test('waiting: the validation record that ACM no longer names stays known', async () => {
    await issuing();
    world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION', validations: [] };
    await steps.checkCertificate(ATTEMPT);
    expect((await world.found()).certificate.validations).toEqual([VALIDATION]);
  });

  test('waiting: failed because of CAA, it is requested again when CAA allows, and not before', async () => {
    await issuing();
    acmSays('FAILED', 'CAA_ERROR');
    world.zone = CAA;
    expect(await steps.checkCertificate(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
    expect(await world.found()).toMatchObject(BLOCKED);
    expect(world.calls).toEqual([]);

    world.zone = RIGHT_RECORDS;
    expect(await steps.checkCertificate(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 60 });
    expect(world.calls).toEqual(['request']);
    expect(await world.found()).toMatchObject({
      status: 'issuing',
      reason: null,
      message: 'A new certificate is requested.',
      certificate: { arn: expect.stringContaining('another'), status: null, failure: null, requests: 1 },
    });
  });

  test('waiting: it is gone, and requested again', async () => {
    await issuing();
    acmSays(null);
    await steps.checkCertificate(ATTEMPT);
    expect(world.calls).toEqual(['request']);
  });

  test('ended: ACM has refused it too often', async () => {
    await issuing({ requests: MAX_CERTIFICATE_REQUESTS });
    acmSays('FAILED', 'CAA_ERROR');
    expect(await steps.checkCertificate(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(world.calls).toEqual([]);
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'certificate_failed',
      message: 'ACM keeps refusing the certificate. Verify again later.',
    });
  });

  test.each([
    ['FAILED', 'DOMAIN_NOT_ALLOWED', 'DOMAIN_NOT_ALLOWED'],
    ['VALIDATION_TIMED_OUT', null, 'VALIDATION_TIMED_OUT'],
  ])('ended: it is %s for a reason that does not pass (%s)', async (status, failure, why) => {
    await issuing();
    acmSays(status, failure);
    expect(await steps.checkCertificate(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(world.calls).toEqual([]);
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'certificate_failed',
      message: `The certificate was not issued (${why}). Verify again to request a new one.`,
    });
  });

  test('ended: not issued within 72 hours, with what keeps it', async () => {
    await issuing();
    acmSays('PENDING_VALIDATION');
    world.zone = CAA;
    world.nowMs += 72 * HOUR + MINUTE;
    expect(await steps.checkCertificate(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'caa_blocked',
      message: `The certificate was not issued within 72 hours. ${BLOCKED.message} Verify again to request a new one.`,
    });
  });
});

describe('a step', () => {
  const STEPS = ['checkDns', 'checkCertificate', 'recordFailure'] as const;

  test('that comes again for what is behind the domain changes nothing', async () => {
    const before = await world.stored({ status: 'issuing', phase: 'attachment' });
    world.zone = {};
    expect(await steps.checkDns(ATTEMPT)).toMatchObject({ outcome: 'done', waitSeconds: 0 });
    expect(await steps.checkCertificate(ATTEMPT)).toMatchObject({ outcome: 'done', waitSeconds: 0 });
    expect(await world.found()).toEqual(before);
  });

  test.each(STEPS)('%s ends quietly where the attempt was overtaken, or has failed', async step => {
    const overtaken = await world.stored({ attempt: 3 });
    expect(await steps[step](ATTEMPT)).toEqual({ ...ATTEMPT, outcome: 'ended', waitSeconds: 0 });
    expect(await world.found()).toEqual(overtaken);
    const failed = await world.stored({ status: 'failed' });
    expect(await steps[step](ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(await world.found()).toEqual(failed);
    expect(await steps[step]({ domain: 'gone.zoo.example', attempt: 2 })).toMatchObject({ outcome: 'ended' });
  });

  test('that is overtaken while it works ends quietly and writes nothing', async () => {
    const before = await world.stored();
    const removed = nextRevision(before, { status: 'removing', attempt: 3 });
    const vantagePoints = async () => {
      await world.store.save(removed);
      return world.parts.vantagePoints();
    };
    const overtaken = verification({ ...world.parts, vantagePoints });
    expect(await overtaken.checkDns(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(await world.found()).toEqual(removed);
  });

  test('fails, to be repeated, where someone else has written the same attempt meanwhile', async () => {
    const before = await world.stored();
    const vantagePoints = async () => {
      await world.store.save(nextRevision(before, { message: 'Theirs.' }));
      return world.parts.vantagePoints();
    };
    const raced = verification({ ...world.parts, vantagePoints });
    await expect(raced.checkDns(ATTEMPT)).rejects.toMatchObject({ name: 'DomainChanged' });
    expect(await steps.checkDns(ATTEMPT)).toMatchObject({ outcome: 'done' });
  });
});

describe('recordFailure', () => {
  test.each([
    [
      'a verification',
      { status: 'issuing' },
      {
        status: 'failed',
        reason: 'internal_error',
        message: 'Something went wrong on our side. Verify again; if it happens again, tell us.',
      },
    ],
    [
      'a removal, which can be begun anew',
      { status: 'removing', phase: 'live' },
      {
        status: 'removing',
        reason: 'internal_error',
        message: 'No longer served, but not everything could be taken down. Remove it again to go on.',
      },
    ],
    [
      'a live domain, which it is no matter of',
      { status: 'live', phase: 'live' },
      { status: 'live', reason: null },
    ],
  ] as const)('ended: of %s', async (_, before, after) => {
    await world.stored(before);
    expect(await steps.recordFailure(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(await world.found()).toMatchObject(after);
  });
});
