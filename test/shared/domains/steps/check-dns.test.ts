import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { verification } from '../../../../shared/domains/steps/verification.ts';
import { AT, CHALLENGE, certified, TARGET } from '../claimed-domain.ts';
import { type ZoneContent, zoneLookup } from '../dns/zone-lookup.ts';
import { type FlowWorld, flowWorld, HOUR, MINUTE, SECOND } from './flow-world.ts';

const ATTEMPT = { domain: 'www.zoo.example', project: 'zoo', attempt: 2 };

let world: FlowWorld;
let steps: ReturnType<typeof verification>;
beforeAll(async () => {
  world = await flowWorld();
  steps = world.parts.verification;
});
beforeEach(() => world.reset());

test('done: the CNAME points here, whatever the state of the certificate', async () => {
  await world.stored({ certificate: certified({ status: 'PENDING_VALIDATION' }) });
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

test('waiting: the record is missing; says what to create and when the next check is', async () => {
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
  ['mismatch', { 'www.zoo.example CNAME': ['other.example'] }, /^Verification fails: .* to .*\.$/],
  ['conflict', { 'www.zoo.example A': ['192.0.2.1'] }, /^Verification fails: Delete the A record/],
  ['unreachable', 'SERVFAIL' as const, /did not answer/],
])('waiting: the record is a %s', async (state, zone, message) => {
  await world.stored();
  world.zone = zone;
  expect(await steps.checkDns(ATTEMPT)).toMatchObject({ outcome: 'waiting' });
  expect(await world.found()).toMatchObject({
    reason: `traffic_record_${state}`,
    message: expect.stringMatching(message),
  });
});

test('waiting: one of two resolvers has an older answer; the record, the reason and the message say the same', async () => {
  const seen = (content: ZoneContent) => zoneLookup(() => content);
  const right = seen({ 'www.zoo.example CNAME': [TARGET] });
  const lagging = seen({ 'www.zoo.example A': ['192.0.2.1'] });
  const points = { zone: undefined, isApex: false, authoritative: right, resolvers: [right, lagging] };
  const { parts, ...late } = await flowWorld({ vantagePoints: async () => points });
  await late.stored();
  expect(await parts.verification.checkDns(ATTEMPT)).toMatchObject({ outcome: 'waiting' });
  expect(await late.found()).toMatchObject({
    reason: 'traffic_record_spreading',
    message: expect.stringContaining('are spreading. Nothing is needed from you'),
    records: [{ state: 'spreading', action: null, observed: ['192.0.2.1'] }],
  });
});

test('waiting: every wait is longer than the one before, and the history has one entry', async () => {
  await world.stored({ rounds: 30 });
  world.zone = {};
  const { waitSeconds } = await steps.checkDns(ATTEMPT);
  expect(waitSeconds).toBeGreaterThan(60);
  expect(waitSeconds).toBeLessThanOrEqual(30 * 60);
  const { history } = await world.found();
  expect((await steps.checkDns(ATTEMPT)).waitSeconds).toBeGreaterThan(waitSeconds);
  expect((await world.found()).history).toEqual(history);
});

test('failed: not verified within 48 hours; says what is missing', async () => {
  await world.stored();
  world.zone = {};
  world.nowMs += 48 * HOUR;
  expect(await steps.checkDns(ATTEMPT)).toMatchObject({ outcome: 'waiting' });
  world.nowMs += MINUTE;
  expect(await steps.checkDns(ATTEMPT)).toMatchObject({ outcome: 'failed' });
  expect(await world.found()).toMatchObject({
    status: 'failed',
    reason: 'traffic_record_missing',
    message: `Not verified within 48 hours. Create a CNAME record at www.zoo.example with the value ${TARGET}. Then verify again.`,
    nextCheckAt: null,
  });
});

describe('an apex', () => {
  const apex = { domain: 'zoo.example', kind: 'apex' as const };
  const APEX_ATTEMPT = { domain: 'zoo.example', project: 'zoo', attempt: 2 };

  test('done: the TXT record proves the claim; the traffic record may follow later', async () => {
    await world.stored(apex);
    world.zone = { '_petstore-challenge.zoo.example TXT': [CHALLENGE] };
    expect(await steps.checkDns(APEX_ATTEMPT)).toMatchObject({ outcome: 'done' });
  });

  test('waiting: the traffic record alone proves nothing, since anyone can point a name at these addresses', async () => {
    await world.stored(apex);
    world.zone = { 'zoo.example A': ['192.0.2.1'], [`${TARGET} A`]: ['192.0.2.1'] };
    expect(await steps.checkDns(APEX_ATTEMPT)).toMatchObject({ outcome: 'waiting' });
    expect(await world.found('zoo.example')).toMatchObject({
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
      await world.store.save(stored);
      return stored;
    },
  };
  world.zone = {};
  await verification({ ...world.parts, managedRecords }).checkDns(ATTEMPT);
  expect(await world.found()).toMatchObject({
    revision: before.revision + 2,
    reason: 'traffic_record_missing',
  });
});
