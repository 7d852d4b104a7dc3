import { beforeEach, describe, expect, test } from 'vitest';
import { CertificatesFull } from '../../../../shared/domains/aws/certificates.ts';
import { AttachedByOthers, FrontFull, FrontRefused } from '../../../../shared/domains/front.ts';
import { changed } from '../../../../shared/domains/life/change.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { removalStarted } from '../../../../shared/domains/life/wishes.ts';
import type { Reached } from '../../../../shared/domains/reach.ts';
import {
  AT,
  AT_MS,
  certified,
  ENDPOINT,
  HOST,
  HOUR,
  MINUTE,
  NAME,
  REDIRECTS,
  SECOND,
  TARGET,
} from '../claimed-domain.ts';
import { ATTEMPT, type FlowWorld, flowWorld, GATEWAY, GONE_API, RIGHT_RECORDS } from './flow-world.ts';

const ENSURED = ['slot', `ensure ${NAME} ${GATEWAY.certificateArn}`];
const ATTACHED = [`map ${NAME} abcdefghij`, `point ${TARGET} ${HOST}`];
const REACHED = `reach ${NAME} aa:01 ${HOST}`;
const ELSEWHERE: Reached = { kind: 'certificate_wrong', why: 'Another one is served.' };
const PENDING = certified({ status: 'PENDING_VALIDATION' });

const world = await flowWorld();
const { run } = world;
beforeEach(() => world.reset());

/** A domain whose records are looked for. ACM waits for them, too. */
const verifying = () => {
  world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION' };
  return world.stored({ certificate: PENDING });
};

/** A domain that waits for its certificate, of which ACM says this. */
const issuing = (status: string | null) => {
  world.certificate = { ...world.certificate, status };
  return world.stored({ status: 'issuing', certificate: PENDING });
};

/** A domain whose certificate is issued, and whose host isn't pointed at its domain name yet. */
const issued = (changes: Partial<Domain> = {}) => {
  world.hostTarget = ENDPOINT;
  return world.stored({ status: 'issuing', issuedAt: AT, certificate: certified(), ...changes });
};

test('a domain is proven, gets its certificate, is attached in its slot, mapped, pointed here, reached and live', async () => {
  await verifying();
  world.hostTarget = ENDPOINT;
  expect(await run()).toMatchObject({ next: 'WaitForCertificate', waitSeconds: 15, status: 'issuing' });
  expect(await world.store.ownerOf(NAME)).toBe('zoo');
  world.certificate = { ...world.certificate, status: 'ISSUED' };
  world.slotInMs = 62 * SECOND;
  const slotAt = new Date(world.nowMs + 62 * SECOND).toISOString();
  expect(await run()).toMatchObject({ next: 'WaitForSlot', waitSeconds: 62, slotAt, nextCheckAt: slotAt });
  world.nowMs += 31 * SECOND;
  expect(await run()).toMatchObject({ next: 'WaitForSlot', waitSeconds: 31, slotAt });
  world.nowMs += 31 * SECOND;
  expect(await run()).toMatchObject({
    next: 'Done',
    waitSeconds: 0,
    status: 'live',
    reason: null,
    gateway: { host: HOST, hostedZoneId: GATEWAY.hostedZoneId },
    pointsAt: HOST,
    slotAt: null,
    liveAt: new Date(world.nowMs).toISOString(),
  });
  expect(world.calls).toEqual([...ENSURED, ...ATTACHED, REACHED]);
});

test('a certificate that ACM has given up is deleted, and another one requested once the claim is proven', async () => {
  await verifying();
  world.certificate = { ...world.certificate, status: 'VALIDATION_TIMED_OUT' };
  world.zone = {};
  const { validations } = PENDING;
  expect(await run()).toMatchObject({ next: 'WaitForDns', certificate: { arn: null, validations } });
  expect(await run()).toMatchObject({ next: 'WaitForDns' });
  world.zone = { [`${NAME} CNAME`]: [TARGET] };
  expect(await run()).toMatchObject({ reason: 'certificate_record_missing' });
  expect(world.calls).toEqual(['delete certificate 1']);
  world.zone = RIGHT_RECORDS;
  const certificate = { arn: expect.stringContaining('another'), status: null, requests: 1 };
  expect(await run()).toMatchObject({ next: 'WaitForCertificate', waitSeconds: 60, certificate });
  expect(world.calls).toEqual(['delete certificate 1', 'request']);
});

test('a certificate that ACM should have given up, and has issued, is kept', async () => {
  await verifying();
  Object.assign(world, { zone: {}, nowMs: world.nowMs + 72 * HOUR });
  world.certificate = { ...world.certificate, status: 'ISSUED' };
  expect(await run()).toMatchObject({ next: 'WaitForDns', certificate: certified() });
  expect(world.calls).toEqual([]);
});

test('records in a zone of ours are created by the pass that misses them, which then waits for them to be seen', async () => {
  await verifying();
  world.zone = {};
  const make: typeof world.parts.managedRecords.make = async (domain, records, holder) => {
    const next = nextRevision({ ...domain, managed: [...records] });
    await holder.commit(world.store.change(next));
    return next;
  };
  const inZone = { ...world.parts.managedRecords, zoneIdOf: async () => 'Z1', make };
  expect(await run(ATTEMPT, { managedRecords: inZone })).toMatchObject({
    next: 'WaitForDns',
    reason: 'traffic_record_spreading',
    managed: [{ zoneId: 'Z1', type: 'CNAME', name: NAME, value: TARGET }],
  });
});

test('a domain keeps its mapping until it is live', async () => {
  await issued({ route: REDIRECTS });
  world.mapped.set(NAME, 'redirects1');
  Object.assign(world, { zone: {}, reached: ELSEWHERE });
  await run();
  expect([...world.mapped]).toEqual([[NAME, 'redirects1']]);
  Object.assign(world, { zone: RIGHT_RECORDS, reached: { kind: 'reached' } });
  expect(await run()).toMatchObject({ next: 'Done', status: 'live' });
  expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
});

describe('what AWS refuses', () => {
  test.each<[reason: string, what: string, trouble: Partial<FlowWorld>]>([
    ['domain_name_being_released', 'just created', { refusal: new AttachedByOthers('Created.') }],
    ['attachment_refused', 'not known', { refusal: new FrontRefused('Not known.') }],
    ['attachment_refused', 'no room', { refusal: new FrontFull('Full.') }],
    ['api_gone', 'no API', { projectFields: { apiId: GONE_API } }],
  ])('is waited for: %s, %s; then the domain goes live', async (reason, _, trouble) => {
    await issued();
    Object.assign(world, trouble);
    expect(await run()).toMatchObject({
      next: expect.stringMatching(/^Wait/),
      status: 'issuing',
      reason,
      slotAt: null,
    });
    world.reset();
    expect(await run()).toMatchObject({ next: 'Done', status: 'live', reason: null });
  });

  test('is waited for: no room for a certificate', async () => {
    await issuing(null);
    const ensure = () => Promise.reject(new CertificatesFull('Too many certificates.'));
    const full = { certificates: { ...world.parts.certificates, ensure } };
    expect(await run(ATTEMPT, full)).toMatchObject({ reason: 'certificate_refused', quota: 'L-F141DD1D' });
    expect(await run()).toMatchObject({ next: 'WaitForCertificate', reason: null });
    expect(world.calls).toEqual(['request']);
  });

  test('is an error otherwise, which leaves the domain as it was', async () => {
    const before = await issued();
    world.refusal = new Error('socket hang up');
    await expect(run()).rejects.toThrow('socket hang up');
    expect(await world.found()).toEqual(before);
  });
});

describe('meanwhile', () => {
  const GIVEN_UP = { failedAt: AT, reason: 'internal_error', message: 'No.' } as const;
  test.each([
    ['given up', (domain: Domain) => changed(domain, GIVEN_UP, AT_MS)],
    ['removed', (domain: Domain) => removalStarted(domain, AT_MS)],
  ])('%s: a certificate that was requested is stored, so that its removal finds it', async (_, happen) => {
    const after = nextRevision(happen(await issuing(null)));
    const { certificates } = world.parts;
    const ensure: typeof certificates.ensure = async domain => {
      await world.save(after);
      return certificates.ensure(domain);
    };
    const certificate = { arn: expect.stringContaining('another') };
    const others = { certificates: { ...certificates, ensure } };
    expect(await run(ATTEMPT, others)).toMatchObject({ status: after.status, certificate });
  });

  test.each<[what: string, changes: Partial<Domain>, next: string, isMapped: boolean]>([
    ['removed', { status: 'removing', attempt: 3 }, 'Superseded', false],
    ['given up', { status: 'failed', reason: 'internal_error' }, 'Failed', false],
    ['verified again', { status: 'verifying', attempt: 3 }, 'Superseded', true],
  ])('%s: a domain that was mapped is left as that asks for', async (_, changes, next, isMapped) => {
    await issued();
    world.onMapped = async () => {
      world.onMapped = async () => {};
      await world.save(nextRevision({ ...(await world.found()), ...changes }));
    };
    expect(await run()).toMatchObject({ next, status: changes.status });
    expect(world.mapped.has(NAME)).toBe(isMapped);
    expect(world.calls).not.toContain(`point ${TARGET} ${HOST}`);
  });
});

test('a domain that is given up loses its mapping, at the latest by the repetition of the pass', async () => {
  await issued();
  Object.assign(world, { gateway: GATEWAY, zone: {}, reached: ELSEWHERE });
  world.nowMs += 30 * 24 * HOUR;
  world.onUnmapped = () => Promise.reject(new Error('Too Many Requests'));
  await expect(run()).rejects.toThrow('Too Many Requests');
  expect(await world.found()).toMatchObject({ status: 'failed', reason: 'traffic_record_missing' });
  world.onUnmapped = async () => {};
  world.calls.length = 0;
  world.nowMs += MINUTE;
  expect(await run()).toMatchObject({ next: 'Failed' });
  expect(world.calls).toEqual([`unmap ${NAME}`]);
});
