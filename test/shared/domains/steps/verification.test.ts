import { beforeEach, describe, expect, test } from 'vitest';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { failed, removalStarted } from '../../../../shared/domains/life/transitions.ts';
import { certificateCheck, dnsCheck } from '../../../../shared/domains/steps/verification.ts';
import { AT, AT_MS, CHALLENGE, certified, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type ZoneContent, zoneLookup } from '../dns/zone-lookup.ts';
import { ATTEMPT, flowWorld, HOUR, MINUTE, RIGHT_RECORDS, SECOND } from './flow-world.ts';

const world = await flowWorld();
const { run } = world;
const { checkDns, checkCertificate } = world.parts.verification;
beforeEach(() => world.reset());

describe('checkDns', () => {
  test.each([
    [
      'PENDING_VALIDATION',
      'The domain is verified. Its certificate is being issued, usually within a couple of minutes.',
    ],
    ['ISSUED', 'The certificate is issued. The domain is being attached.'],
  ] as const)('done: the CNAME points here, and the certificate is %s', async (status, message) => {
    await world.stored({ certificate: certified({ status }) });
    world.certificate = { ...world.certificate, status };
    world.zone = { 'www.zoo.example CNAME': [TARGET] };
    world.nowMs += MINUTE;
    const verifiedAt = new Date(world.nowMs).toISOString();
    const passed = { status: 'issuing', phase: 'certificate', message, verifiedAt };
    expect(await run(checkDns)).toMatchObject({ outcome: 'done', waitSeconds: 0, ...passed });
  });

  test.each([
    ['missing', {}, `Create a CNAME record at www.zoo.example with the value ${TARGET}.`],
    ['mismatch', { 'www.zoo.example CNAME': ['other.example'] }, 'Verification is failing. Change the value'],
    ['conflict', { 'www.zoo.example A': ['192.0.2.1'] }, 'Verification is failing. Delete the A record'],
    ['unreachable', 'SERVFAIL' as const, "DNS doesn't answer for www.zoo.example."],
  ])(
    'waiting: the record is %s; says what to do and when the next check is',
    async (state, zone, message) => {
      await world.stored();
      world.zone = zone;
      expect(await run(checkDns)).toMatchObject({
        outcome: 'waiting',
        waitSeconds: 15,
        status: 'verifying',
        phase: 'dns',
        reason: `traffic_record_${state}`,
        message: expect.stringContaining(message),
        checkedAt: AT,
        nextCheckAt: new Date(world.nowMs + 15 * SECOND).toISOString(),
        rounds: 1,
      });
    },
  );

  test('waiting: one of two resolvers has an older answer; the record, the reason and the message say the same', async () => {
    const seen = (content: ZoneContent) => zoneLookup(() => content);
    const right = seen({ 'www.zoo.example CNAME': [TARGET] });
    const lagging = seen({ 'www.zoo.example A': ['192.0.2.1'] });
    const points = { zone: undefined, isApex: false, authoritative: right, resolvers: [right, lagging] };
    await world.stored();
    expect(await run(dnsCheck({ ...world.parts, vantagePoints: async () => points }))).toMatchObject({
      outcome: 'waiting',
      reason: 'traffic_record_spreading',
      message: expect.stringContaining('right at your DNS provider, but not visible everywhere yet'),
      records: [{ state: 'spreading', action: null, observed: ['192.0.2.1'] }],
    });
  });

  test('failed: not verified within 48 hours; says what is missing', async () => {
    await world.stored();
    world.zone = {};
    world.nowMs += 48 * HOUR;
    expect(await run(checkDns)).toMatchObject({ outcome: 'waiting' });
    world.nowMs += MINUTE;
    expect(await run(checkDns)).toMatchObject({
      outcome: 'failed',
      status: 'failed',
      reason: 'traffic_record_missing',
      message: `Not verified within 48 hours. Create a CNAME record at www.zoo.example with the value ${TARGET}. Then verify again.`,
      nextCheckAt: null,
    });
  });

  describe('an apex', () => {
    const apex = { domain: 'zoo.example', kind: 'apex' as const };
    const APEX_ATTEMPT = { ...ATTEMPT, domain: 'zoo.example' };

    test('done: the TXT record proves the claim; the traffic record may follow later', async () => {
      await world.stored(apex);
      world.zone = { '_petstore-challenge.zoo.example TXT': [CHALLENGE] };
      expect(await checkDns(APEX_ATTEMPT)).toMatchObject({ outcome: 'done' });
    });

    test('waiting: the traffic record alone proves nothing, since anyone can point a name at these addresses', async () => {
      await world.stored(apex);
      world.zone = { 'zoo.example A': ['192.0.2.1'], [`${TARGET} A`]: ['192.0.2.1'] };
      expect(await run(checkDns, APEX_ATTEMPT)).toMatchObject({
        outcome: 'waiting',
        reason: 'ownership_record_missing',
        message: `Create a TXT record at _petstore-challenge.zoo.example with the value ${CHALLENGE}.`,
      });
    });
  });

  test('creates managed records, and commits on top of the revision that stored them', async () => {
    const before = await world.stored();
    const managedRecords = {
      ...world.parts.managedRecords,
      async create(domain: Domain) {
        expect(domain.records).toMatchObject([{ state: 'missing' }]);
        const stored = nextRevision({ ...domain, message: 'Stored.' });
        await world.save(stored);
        return stored;
      },
    };
    world.zone = {};
    await dnsCheck({ ...world.parts, managedRecords })(ATTEMPT);
    expect(await world.found()).toMatchObject({
      revision: before.revision + 2,
      reason: 'traffic_record_missing',
    });
  });
});

describe('checkCertificate', () => {
  /** A domain that waits for its certificate, of which ACM says this. */
  const issuing = (
    status: string | null = 'PENDING_VALIDATION',
    failure: string | null = null,
    requests = 0,
  ) => {
    world.certificate = { ...world.certificate, status, failure };
    const certificate = certified({ status: 'PENDING_VALIDATION', requests });
    return world.stored({ status: 'issuing', phase: 'certificate', certificate });
  };
  const CAA = { ...RIGHT_RECORDS, 'zoo.example CAA': ['0 issue "letsencrypt.org"'] };
  const BLOCKED = {
    reason: 'caa_blocked',
    message:
      'Amazon isn\'t allowed to issue certificates: zoo.example has the CAA record 0 issue "letsencrypt.org". ' +
      'Add CAA: name @, value 0 issue "amazon.com".',
  };

  test('done: the certificate is issued', async () => {
    await issuing('ISSUED');
    expect(await run(checkCertificate)).toMatchObject({
      outcome: 'done',
      phase: 'attachment',
      status: 'issuing',
      message: 'The certificate is issued. The domain is being attached.',
      certificate: certified(),
    });
  });

  test.each([
    [
      'the certificate is delayed',
      {},
      'certificate_delayed',
      'The certificate is taking longer than usual, although all records are right. Verify again to trigger a new attempt.',
    ],
    [
      'CAA records cannot be looked up',
      { 'zoo.example CAA': 'SERVFAIL' },
      'caa_unreachable',
      "Amazon can't issue the certificate until the CAA records of zoo.example can be looked up. " +
        'Ask your DNS provider why its servers fail for CAA queries.',
    ],
  ] as const)(
    'waiting: gives no reason for half an hour, then says that %s',
    async (_, zone, reason, message) => {
      await issuing();
      world.zone = { ...RIGHT_RECORDS, ...zone };
      world.nowMs += 30 * MINUTE;
      const waiting = { outcome: 'waiting', waitSeconds: 15 };
      expect(await run(checkCertificate)).toMatchObject({ ...waiting, reason: null });
      world.nowMs += MINUTE;
      expect(await run(checkCertificate)).toMatchObject({ ...waiting, reason, message });
    },
  );

  test('waiting: names the CAA record that blocks at once, until it is put right', async () => {
    await issuing();
    world.zone = CAA;
    const caa = { at: 'zoo.example', record: '0 issue "letsencrypt.org"', lacksAmazon: true };
    expect(await run(checkCertificate)).toMatchObject({
      outcome: 'waiting',
      status: 'issuing',
      ...BLOCKED,
      caa,
    });
    world.zone = RIGHT_RECORDS;
    const message = expect.stringContaining('Its certificate is being issued');
    expect(await run(checkCertificate)).toMatchObject({ reason: null, message });
    expect(await world.found()).not.toHaveProperty('caa.at');
  });

  test('waiting: the validation record is missing, or the domain no longer points here', async () => {
    await issuing();
    world.zone = { 'www.zoo.example CNAME': [TARGET] };
    expect(await run(checkCertificate)).toMatchObject({
      reason: 'certificate_record_missing',
      message: `The certificate is waiting for a record. Create a CNAME record at ${VALIDATION.name} with the value ${VALIDATION.value}.`,
    });
    world.zone = { ...RIGHT_RECORDS, 'www.zoo.example CNAME': ['other.example'] };
    expect(await run(checkCertificate)).toMatchObject({ reason: 'traffic_record_mismatch' });
  });

  test('waiting: requests a certificate that failed because of CAA again when CAA allows, and not before', async () => {
    await issuing('FAILED', 'CAA_ERROR');
    world.zone = CAA;
    expect(await run(checkCertificate)).toMatchObject({ outcome: 'waiting', waitSeconds: 15, ...BLOCKED });
    expect(world.calls).toEqual([]);
    world.zone = RIGHT_RECORDS;
    expect(await run(checkCertificate)).toMatchObject({
      outcome: 'waiting',
      waitSeconds: 60,
      status: 'issuing',
      reason: null,
      message: 'A new certificate was requested.',
      certificate: { arn: expect.stringContaining('another'), status: null, failure: null, requests: 1 },
    });
    expect(world.calls).toEqual(['request']);
  });

  test.each([
    ['is gone', null],
    ['ACM has given up, since its record was missing for 72 hours', 'VALIDATION_TIMED_OUT'],
  ])('waiting: requests a certificate that %s again', async (_, status) => {
    await issuing(status);
    await checkCertificate(ATTEMPT);
    expect(world.calls).toEqual(['request']);
  });

  test.each([
    ['removed', (domain: Domain) => removalStarted(domain, AT_MS)],
    ['given up', (domain: Domain) => failed(domain, { reason: 'internal_error', message: 'No.' }, AT_MS)],
  ])('waiting: the ARN is kept of one that is requested while the domain is %s', async (_, happen) => {
    const after = nextRevision(happen(await issuing(null)));
    const { certificates } = world.parts;
    const ensure: typeof certificates.ensure = async domain => {
      const arn = await certificates.ensure(domain);
      await world.save(after);
      return arn;
    };
    const overtaken = certificateCheck({ ...world.parts, certificates: { ...certificates, ensure } });
    expect(await overtaken(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 0 });
    const certificate = { arn: expect.stringContaining('another') };
    expect(await world.found()).toMatchObject({ status: after.status, certificate });
  });

  test.each<[why: string, failure: string, requests: number, message: string]>([
    ['it was refused too often', 'CAA_ERROR', 8, 'ACM keeps refusing the certificate. Verify again later.'],
    [
      'the reason does not pass',
      'DOMAIN_NOT_ALLOWED',
      0,
      "The certificate wasn't issued (DOMAIN_NOT_ALLOWED). Verify again to request a new one.",
    ],
  ])('failed: ACM refuses the certificate, and %s', async (_, failure, requests, message) => {
    await issuing('FAILED', failure, requests);
    const refused = { status: 'failed', reason: 'certificate_failed', message };
    expect(await run(checkCertificate)).toMatchObject({ outcome: 'failed', ...refused });
    expect(world.calls).toEqual([]);
  });

  test.each(['PENDING_VALIDATION', 'VALIDATION_TIMED_OUT', null])(
    'failed: still %s after 72 hours, with all records right',
    async status => {
      await issuing(status);
      world.nowMs += 72 * HOUR + MINUTE;
      const message =
        "The certificate wasn't issued within 72 hours. Verify again to request a new certificate.";
      const delayed = { status: 'failed', reason: 'certificate_delayed', message };
      expect(await run(checkCertificate)).toMatchObject({ outcome: 'failed', ...delayed });
      expect(world.calls).toEqual([]);
    },
  );

  test('failed: not issued within 72 hours; says what blocks it', async () => {
    await issuing();
    world.zone = CAA;
    world.nowMs += 72 * HOUR + MINUTE;
    expect(await run(checkCertificate)).toMatchObject({
      outcome: 'failed',
      status: 'failed',
      reason: 'caa_blocked',
      message: `The certificate wasn't issued within 72 hours. ${BLOCKED.message} Then verify again to request a new certificate.`,
    });
  });
});
