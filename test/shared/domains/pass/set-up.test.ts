import { beforeEach, describe, expect, test } from 'vitest';
import { CertificatesFull } from '../../../../shared/domains/aws/certificates.ts';
import { changed } from '../../../../shared/domains/life/change.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { removalStarted } from '../../../../shared/domains/life/wishes.ts';
import { AT, AT_MS, CHALLENGE, certified, NAME, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type ZoneContent, zoneLookup } from '../dns/zone-lookup.ts';
import { ATTEMPT, flowWorld, HOUR, MINUTE, RIGHT_RECORDS, SECOND } from './flow-world.ts';

const world = await flowWorld();
const { run } = world;
beforeEach(() => world.reset());

const PENDING = certified({ status: 'PENDING_VALIDATION' });

describe('the proof in DNS', () => {
  /** A domain whose records are looked for. ACM waits for them, too. */
  const verifying = (changes: Partial<Domain> = {}) => {
    world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION' };
    return world.stored({ certificate: PENDING, ...changes });
  };

  test('is the CNAME record of a subdomain; its certificate is waited for then', async () => {
    await verifying();
    world.nowMs += MINUTE;
    expect(await run()).toMatchObject({
      next: 'WaitForCertificate',
      status: 'issuing',
      message: 'The domain is verified. Its certificate is being issued, usually within a couple of minutes.',
      verifiedAt: new Date(world.nowMs).toISOString(),
      provenAt: new Date(world.nowMs).toISOString(),
    });
    expect(await world.store.ownerOf(NAME)).toBe('zoo');
  });

  const APEX = { domain: 'zoo.example', kind: 'apex' } as const;
  test.each<[what: string, zone: ZoneContent, expected: object]>([
    [
      'is the TXT record of an apex, whose traffic may follow later',
      { '_petstore-challenge.zoo.example TXT': [CHALLENGE] },
      { next: 'WaitForCertificate' },
    ],
    [
      'is not the traffic record of an apex, since anyone can point a name at these addresses',
      { 'zoo.example A': ['192.0.2.1'], [`${TARGET} A`]: ['192.0.2.1'] },
      {
        next: 'WaitForDns',
        reason: 'ownership_record_missing',
        message: `Create a TXT record at _petstore-challenge.zoo.example with the value ${CHALLENGE}.`,
      },
    ],
  ])('%s', async (_, zone, expected) => {
    await verifying(APEX);
    world.zone = zone;
    expect(await run({ ...ATTEMPT, ...APEX })).toMatchObject(expected);
  });

  test.each<[state: string, zone: ZoneContent, message: string]>([
    ['missing', {}, `Create a CNAME record at ${NAME} with the value ${TARGET}.`],
    ['mismatch', { [`${NAME} CNAME`]: ['other.example'] }, 'Verification is failing. Change the value'],
    ['conflict', { [`${NAME} A`]: ['192.0.2.1'] }, 'Verification is failing. Delete the A record'],
    ['unreachable', 'SERVFAIL', `DNS doesn't answer for ${NAME}.`],
  ])(
    'is waited for while the record is %s: says what to do and when the next check is',
    async (state, zone, message) => {
      await verifying();
      world.zone = zone;
      expect(await run()).toMatchObject({
        next: 'WaitForDns',
        waitSeconds: 15,
        status: 'verifying',
        reason: `traffic_record_${state}`,
        message: expect.stringContaining(message),
        checkedAt: AT,
        nextCheckAt: new Date(AT_MS + 15 * SECOND).toISOString(),
        rounds: 1,
      });
    },
  );

  test('is waited for while one of two resolvers has an older response; record, reason and message say the same', async () => {
    const seen = (content: ZoneContent) => zoneLookup(() => content);
    const right = seen(RIGHT_RECORDS);
    const lagging = seen({ [`${NAME} A`]: ['192.0.2.1'] });
    const points = { zone: undefined, isApex: false, authoritative: right, resolvers: [right, lagging] };
    await verifying();
    const { records = [], ...domain } = await run(ATTEMPT, { vantagePoints: async () => points });
    expect(domain).toMatchObject({
      next: 'WaitForDns',
      reason: 'traffic_record_spreading',
      message: expect.stringContaining('right at your DNS provider, but not visible everywhere yet'),
    });
    expect(records.find(({ purpose }) => purpose === 'traffic')).toMatchObject({
      state: 'spreading',
      action: null,
      observed: ['192.0.2.1'],
    });
  });

  const LATE = {
    type: 'needs attention',
    message: `Still waiting after 48 hours. Create a CNAME record at ${NAME} with the value ${TARGET}. It's looked for every hour until 2 Mar 2026, 12:00 UTC.`,
  };

  test('is late after 48 hours, which its owner is told once; the checks go on', async () => {
    await verifying();
    world.zone = {};
    world.nowMs += 48 * HOUR;
    expect(await run()).not.toHaveProperty('lateAt');
    world.nowMs += MINUTE;
    const lateAt = new Date(world.nowMs).toISOString();
    const late = await run();
    expect(late).toMatchObject({ next: 'WaitForDns', status: 'verifying', lateAt, lastEvent: LATE });
    world.nowMs += HOUR;
    expect(await run()).toMatchObject({ next: 'WaitForDns', lateAt, lastEvent: late.lastEvent });
    world.zone = RIGHT_RECORDS;
    expect(await run()).toMatchObject({ next: 'WaitForCertificate' });
  });

  test('outlives its certificate: ACM gives that up after 72 hours, it is deleted, and another is requested only once the claim is proven', async () => {
    await verifying();
    world.certificate = { ...world.certificate, status: 'VALIDATION_TIMED_OUT' };
    world.zone = {};
    world.nowMs += 72 * HOUR;
    const { validations } = PENDING;
    expect(await run()).toMatchObject({ next: 'WaitForDns', certificate: { arn: null, validations } });
    expect(await run()).toMatchObject({ next: 'WaitForDns' });
    expect(world.calls).toEqual(['delete certificate 1']);
    world.zone = { [`${NAME} CNAME`]: [TARGET] };
    const lacking = { next: 'WaitForCertificate', reason: 'certificate_record_missing' };
    expect(await run()).toMatchObject(lacking);
    expect(world.calls).toEqual(['delete certificate 1']);
    world.zone = RIGHT_RECORDS;
    expect(await run()).toMatchObject({ next: 'WaitForCertificate', certificate: { requests: 1 } });
    expect(world.calls).toEqual(['delete certificate 1', 'request']);
  });

  test('of a claim that nobody has proven is looked for until the claim ends, 30 days later', async () => {
    await verifying();
    world.zone = {};
    world.nowMs += 31 * 24 * HOUR;
    expect(await run()).toMatchObject({ next: 'WaitForDns', waitSeconds: 15 });
  });

  test('is given up after 30 days, and not before, where it was proven once; says what is missing', async () => {
    await verifying({ provenAt: AT });
    world.zone = {};
    world.nowMs += 30 * 24 * HOUR - MINUTE;
    expect(await run()).toMatchObject({ next: 'WaitForDns' });
    world.nowMs += MINUTE;
    expect(await run()).toMatchObject({
      next: 'Failed',
      status: 'failed',
      reason: 'traffic_record_missing',
      message: `Not verified within 30 days. Create a CNAME record at ${NAME} with the value ${TARGET}. Then verify again.`,
      nextCheckAt: null,
    });
  });
});

describe('the certificate', () => {
  /** A domain that waits for its certificate, of which ACM says this. */
  const issuing = (
    status: string | null = 'PENDING_VALIDATION',
    failure: string | null = null,
    requests = 0,
  ) => {
    world.certificate = { ...world.certificate, status, failure };
    const certificate = { ...PENDING, requests };
    return world.stored({ status: 'issuing', certificate });
  };
  const CAA = { ...RIGHT_RECORDS, 'zoo.example CAA': ['0 issue "letsencrypt.org"'] };
  const BLOCKED = {
    reason: 'caa_blocked',
    message:
      'Amazon isn\'t allowed to issue certificates: zoo.example has the CAA record 0 issue "letsencrypt.org". ' +
      'Add CAA: name @, value 0 issue "amazon.com".',
  };

  test('is issued: the domain is attached in the same pass', async () => {
    await issuing('ISSUED');
    world.slotInMs = 62 * SECOND;
    expect(await run()).toMatchObject({
      next: 'WaitForSlot',
      status: 'issuing',
      issuedAt: expect.any(String),
      certificate: certified(),
    });
  });

  test.each<[what: string, zone: ZoneContent, reason: string, message: string]>([
    [
      'it is delayed',
      RIGHT_RECORDS,
      'certificate_delayed',
      'The certificate is taking longer than usual, although all records are right. Verify again to trigger a new attempt.',
    ],
    [
      'CAA records cannot be looked up',
      { ...RIGHT_RECORDS, 'zoo.example CAA': 'SERVFAIL' },
      'caa_unreachable',
      "Amazon can't issue the certificate until the CAA records of zoo.example can be looked up. " +
        'Ask your DNS provider why its servers fail for CAA queries.',
    ],
  ])('is waited for without a reason for half an hour; then %s', async (_, zone, reason, message) => {
    await issuing();
    world.zone = zone;
    world.nowMs += 30 * MINUTE;
    const waiting = { next: 'WaitForCertificate', waitSeconds: 15 };
    expect(await run()).toMatchObject({ ...waiting, reason: null });
    world.nowMs += MINUTE;
    expect(await run()).toMatchObject({ ...waiting, reason, message });
  });

  test('is waited for while a CAA record blocks it, which is named at once, until that is put right', async () => {
    await issuing();
    world.zone = CAA;
    const caa = { at: 'zoo.example', record: '0 issue "letsencrypt.org"', lacksAmazon: true };
    expect(await run()).toMatchObject({ next: 'WaitForCertificate', status: 'issuing', ...BLOCKED, caa });
    world.zone = RIGHT_RECORDS;
    const message = expect.stringContaining('Its certificate is being issued');
    expect(await run()).toMatchObject({ reason: null, message });
    expect(await world.found()).not.toHaveProperty('caa.at');
  });

  test.each<[what: string, zone: ZoneContent, expected: object]>([
    [
      'its record is missing',
      { [`${NAME} CNAME`]: [TARGET] },
      {
        reason: 'certificate_record_missing',
        message: `The certificate is waiting for a record. Create a CNAME record at ${VALIDATION.name} with the value ${VALIDATION.value}.`,
      },
    ],
    [
      'the domain no longer points here',
      { ...RIGHT_RECORDS, [`${NAME} CNAME`]: ['other.example'] },
      { reason: 'traffic_record_mismatch' },
    ],
  ])('is waited for, and %s', async (_, zone, expected) => {
    await issuing();
    world.zone = zone;
    expect(await run()).toMatchObject({ next: 'WaitForCertificate', ...expected });
  });

  test('is requested again after CAA was in its way, when CAA allows it and not before', async () => {
    await issuing('FAILED', 'CAA_ERROR');
    world.zone = CAA;
    expect(await run()).toMatchObject({ waitSeconds: 15, ...BLOCKED });
    expect(world.calls).toEqual([]);
    world.zone = RIGHT_RECORDS;
    expect(await run()).toMatchObject({
      next: 'WaitForCertificate',
      waitSeconds: 60,
      status: 'issuing',
      reason: null,
      message: 'A new certificate was requested.',
      certificate: { arn: expect.stringContaining('another'), status: null, failure: null, requests: 1 },
    });
    expect(world.calls).toEqual(['request']);
  });

  test("waits while the account's quota of certificates is used up, and says so", async () => {
    await issuing(null);
    const { certificates } = world.parts;
    const ensure = () => Promise.reject(new CertificatesFull('Too many certificates.'));
    const others = { certificates: { ...certificates, ensure } };
    const refused = { reason: 'certificate_refused', quota: 'L-F141DD1D' };
    expect(await run(ATTEMPT, others)).toMatchObject({
      next: 'WaitForCertificate',
      waitSeconds: 15,
      ...refused,
    });
    expect(await run()).toMatchObject({ next: 'WaitForCertificate', reason: null });
    expect(world.calls).toEqual(['request']);
  });

  test.each([
    ['is gone', null],
    ['ACM has given up, since its record was missing for 72 hours', 'VALIDATION_TIMED_OUT'],
  ])('is requested again where it %s', async (_, status) => {
    await issuing(status);
    await run();
    expect(world.calls).toEqual(['request']);
  });

  test.each([
    [
      'given up',
      (domain: Domain) => changed(domain, { failedAt: AT, reason: 'internal_error', message: 'No.' }, AT_MS),
    ],
    ['removed', (domain: Domain) => removalStarted(domain, AT_MS)],
  ])(
    'that is requested while the domain is %s is stored, so that its removal finds it',
    async (_, happen) => {
      const after = nextRevision(happen(await issuing(null)));
      const { certificates } = world.parts;
      const ensure: typeof certificates.ensure = async domain => {
        await world.save(after);
        return certificates.ensure(domain);
      };
      const certificate = { arn: expect.stringContaining('another') };
      const others = { certificates: { ...certificates, ensure } };
      expect(await run(ATTEMPT, others)).toMatchObject({ status: after.status, certificate });
    },
  );

  test.each<[why: string, failure: string, requests: number, message: string]>([
    ['it was refused too often', 'CAA_ERROR', 8, 'ACM keeps refusing the certificate. Verify again later.'],
    [
      'the reason does not pass',
      'DOMAIN_NOT_ALLOWED',
      0,
      "The certificate wasn't issued (DOMAIN_NOT_ALLOWED). Verify again to request a new one.",
    ],
  ])('is given up: ACM refuses it, and %s', async (_, failure, requests, message) => {
    await issuing('FAILED', failure, requests);
    const refused = { status: 'failed', reason: 'certificate_failed', message };
    expect(await run()).toMatchObject({ next: 'Failed', ...refused });
    expect(world.calls).toEqual([]);
  });

  const LATE = "The certificate wasn't issued within 30 days.";
  const DELAYED = {
    reason: 'certificate_delayed',
    message: `${LATE} Verify again to request a new certificate.`,
  };
  test.each<[what: string, status: string | null, zone: ZoneContent, expected: object]>([
    ['pending, with all records right', 'PENDING_VALIDATION', RIGHT_RECORDS, DELAYED],
    [
      'timed out, since its record is missing',
      'VALIDATION_TIMED_OUT',
      { [`${NAME} CNAME`]: [TARGET] },
      { reason: 'certificate_record_missing', message: expect.stringContaining(LATE) },
    ],
    [
      'blocked by CAA',
      'PENDING_VALIDATION',
      CAA,
      {
        reason: 'caa_blocked',
        message: `${LATE} ${BLOCKED.message} Then verify again to request a new certificate.`,
      },
    ],
  ])('is given up after 30 days: %s', async (_, status, zone, expected) => {
    await issuing(status);
    world.zone = zone;
    world.nowMs += 30 * 24 * HOUR;
    expect(await run()).toMatchObject({ next: 'Failed', status: 'failed', ...expected });
    expect(world.calls).toEqual([]);
  });
});
