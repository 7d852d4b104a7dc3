import { beforeEach, expect, test, vi } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { reconcileAll } from '../../../../shared/domains/steps/scheduled-work.ts';
import { troublesOf } from '../../../../shared/domains/steps/troubles.ts';
import {
  AT,
  CHALLENGE,
  certified,
  HOST,
  NAME,
  PUBLISHED,
  TARGET,
  TRAFFIC,
  VALIDATION,
} from '../claimed-domain.ts';
import { type FlowWorld, FOREIGN, flowWorld, GATEWAY, HOUR } from './flow-world.ts';

const world = await flowWorld();
const { checkDns, checkCertificate } = world.parts.verification;
const { attach } = world.parts.attachment;
const DAY = 24 * HOUR;
const READY = `Ready. Point ${NAME} at ${TARGET} whenever you like before 2 Mar 2026, 12:00 UTC.`;
const ELSEWHERE = { kind: 'certificate_wrong', why: 'Another one is served.' } as const;

beforeEach(() => {
  world.reset();
  world.attach();
  world.reached = ELSEWHERE;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

const ready = (changes: Partial<Domain> = {}) =>
  world.stored({
    status: 'ready',
    phase: 'attachment',
    switchLater: true,
    readyAt: AT,
    provenAt: AT,
    certificate: certified(),
    pointsAt: HOST,
    route: PUBLISHED,
    remindedAt: null,
    message: READY,
    history: [{ at: AT, status: 'ready', what: READY }],
    ...changes,
  });

test('the schedule asks our edge and the public for a domain that is ready, and leaves it as it is', async () => {
  const before = await ready();
  await reconcileAll(world.parts);
  const asked = [`sample ${HOST}`, `reach ${NAME} aa:01 ${HOST}`];
  expect([await world.found(), world.calls]).toEqual([before, asked]);
});

test.each<[what: string, drift: Partial<FlowWorld>, repair: string]>([
  ['mapping', { mapped: new Map() }, `map ${NAME} abcdefghij`],
  ['mapping to its API', { mapped: new Map([[NAME, 'theirs']]) }, `map ${NAME} abcdefghij`],
  ['host in the platform zone', { hostTarget: undefined }, `point ${TARGET} ${HOST}`],
])('one that has lost its %s gets it back, and is ready', async (_, drift, repair) => {
  const before = await ready();
  Object.assign(world, drift);
  await reconcileAll(world.parts);
  const { status, reason, message, route } = before;
  expect(await world.found()).toMatchObject({ status, reason, message, route });
  expect(world.calls).toContain(repair);
});

test('nothing is restored for one whose removal began after it was read', async () => {
  const before = await ready();
  await world.save({ ...before, status: 'removing', attempt: 3, revision: before.revision + 1 });
  world.hostTarget = undefined;
  await world.parts.checkReady(before);
  expect(world.calls).not.toContain(`point ${TARGET} ${HOST}`);
});

test.each<[what: string, drift: Partial<FlowWorld>, reason: string]>([
  ['our edge does not respond for it', { edge: { kind: 'unreachable', why: 'No.' } }, 'https_unreachable'],
  ['others have its domain name', { gateway: FOREIGN }, 'domain_name_foreign'],
  ['its certificate is lost', { certificate: certified({ status: 'REVOKED' }) }, 'certificate_lost'],
])('one says what is wrong while %s, and that it is ready again afterwards', async (_, drift, reason) => {
  const before = await ready({
    records: [{ ...TRAFFIC, state: 'missing', observed: [], advice: [], action: 'Create it.' }],
  });
  const { gateway, edge, certificate } = world;
  Object.assign(world, drift);
  await reconcileAll(world.parts);
  const wrong = await world.found();
  expect(wrong).toMatchObject({ status: 'ready', reason });
  expect(wrong.message).not.toContain('Ready');
  expect(troublesOf(wrong).map(trouble => trouble.reason)).toEqual([reason]);
  await reconcileAll(world.parts);
  expect(await world.found()).toEqual(wrong);
  Object.assign(world, { gateway, edge, certificate });
  await reconcileAll(world.parts);
  expect(await world.found()).toMatchObject({ status: 'ready', reason: null, message: before.message });
});

test('an apex at Route 53 is pointed at its alias', async () => {
  const nameServers = ['ns-1.awsdns-00.com', 'ns-2.awsdns-31.co.uk'];
  await ready({ kind: 'apex', nameServers, gateway: { host: HOST, hostedZoneId: 'Z1' } });
  await reconcileAll(world.parts);
  expect((await world.found()).message).toBe(READY.replace(TARGET, HOST));
});

test('one of whose addresses only some lead here says which record to delete', async () => {
  await ready({ domain: 'zoo.example', kind: 'apex' });
  world.attach('zoo.example');
  Object.assign(world, {
    reached: { ...ELSEWHERE, at: '2001:db8::7', isPartial: true },
    zone: {
      'zoo.example A': ['192.0.2.1'],
      'zoo.example AAAA': ['2001:db8::7'],
      [`${TARGET} A`]: ['192.0.2.1'],
    },
  });
  await reconcileAll(world.parts);
  const stray = await world.found('zoo.example');
  expect(stray).toMatchObject({ status: 'ready', reason: 'traffic_record_mismatch' });
  expect(troublesOf(stray).map(({ message }) => message)).toEqual([
    "Some visitors of zoo.example, those sent to 2001:db8::7, don't arrive here. Delete the AAAA record at zoo.example that points elsewhere (2001:db8::7).",
  ]);
  await world.forget(stray);
});

test('one of whose addresses one can not be judged says so, calls no record wrong, and goes on once it is known', async () => {
  await ready({ domain: 'zoo.example', kind: 'apex' });
  world.attach('zoo.example');
  Object.assign(world, {
    reached: { kind: 'unconfirmed', why: 'It is IPv6.', at: '2600:1f18::7', isPartial: true },
    zone: {
      'zoo.example A': ['192.0.2.1'],
      'zoo.example AAAA': ['2600:1f18::7'],
      [`${TARGET} A`]: ['192.0.2.1'],
    },
  });
  await reconcileAll(world.parts);
  const open = await world.found('zoo.example');
  expect(open).toMatchObject({ status: 'ready', reason: 'https_unconfirmed' });
  expect(troublesOf(open).map(({ message }) => message)).toEqual([
    `https://zoo.example can't be checked at 2600:1f18::7: It is IPv6. If ${TARGET} doesn't have it, delete its AAAA record.`,
  ]);
  world.reached = { kind: 'reached' };
  await reconcileAll(world.parts);
  const next = await world.found('zoo.example');
  expect(next).toMatchObject({ status: 'verifying', reason: null });
  await world.forget(next);
});

test.each<[what: string, drift: Partial<FlowWorld>]>([
  ['is gone', { gateway: undefined }],
  ['has another certificate', { gateway: { ...GATEWAY, certificateArn: 'other' } }],
])(
  'one whose domain name %s is verified again, and is ready once it is back and our edge responds',
  async (_, drift) => {
    const { attempt } = await ready();
    Object.assign(world, drift, { edge: ELSEWHERE });
    world.zone = {
      [`_petstore-challenge.${NAME} TXT`]: [CHALLENGE],
      [`${VALIDATION.name} CNAME`]: [VALIDATION.value],
    };
    await reconcileAll(world.parts);
    expect(await world.found()).toMatchObject({ status: 'verifying', attempt: attempt + 1 });
    expect(world.calls).toContain(`start verification ${NAME} ${attempt + 1}`);
    const step = { domain: NAME, project: 'zoo', attempt: attempt + 1 };
    await checkDns(step);
    await checkCertificate(step);
    await attach(step);
    world.nowMs += HOUR;
    const waiting = { outcome: 'waiting', status: 'issuing', reason: 'https_certificate_wrong' };
    expect(await world.run(attach, step)).toMatchObject(waiting);
    world.edge = { kind: 'reached' };
    expect(await world.run(attach, step)).toMatchObject({ outcome: 'done', status: 'ready', reason: null });
  },
);

test('a domain whose traffic arrives goes on from the attachment, in an execution of its own', async () => {
  const { attempt } = await ready({
    records: [
      { ...TRAFFIC, state: 'mismatch', observed: ['old.example.net'], advice: [], action: 'Change it.' },
    ],
  });
  world.reached = { kind: 'reached' };
  await reconcileAll(world.parts);
  expect(await world.found()).toMatchObject({
    status: 'verifying',
    phase: 'attachment',
    attempt: attempt + 1,
    readyAt: null,
    records: [{ purpose: 'traffic', state: 'ok' }],
  });
  expect(world.calls).toContain(`start verification ${NAME} ${attempt + 1}`);
  const step = { domain: NAME, project: 'zoo', attempt: attempt + 1 };
  expect(await checkDns(step)).toMatchObject({ outcome: 'done' });
  expect(await world.run(attach, step)).toMatchObject({ outcome: 'done', status: 'live' });
});

test('the owner is told that a proxy cannot stay in front of an API that cannot prove itself', async () => {
  const observed = ['104.16.1.1'];
  await ready({
    records: [{ ...TRAFFIC, state: 'conflict', observed, advice: [], action: 'Set it to "DNS only".' }],
  });
  world.reached = { kind: 'unprovable', why: "It's another one." };
  await reconcileAll(world.parts);
  const action = expect.stringMatching(
    /only the service's own API can prove that, and project zoo is .* without a proxy\.$/,
  );
  expect(await world.found()).toMatchObject({ status: 'ready', reason: null, records: [{ action }] });
});

test('it stays ready for 30 days, its owner is reminded once a week before, and then it has failed', async () => {
  await ready();
  world.nowMs += 23 * DAY - 1;
  await reconcileAll(world.parts);
  expect((await world.found()).lastEvent).toBeUndefined();
  world.nowMs += 1;
  await reconcileAll(world.parts);
  const reminded = await world.found();
  expect(reminded).toMatchObject({ status: 'ready', lastEvent: { type: 'ready' } });
  expect(reminded.message).toContain('by 2 Mar 2026');
  await reconcileAll(world.parts);
  expect(await world.found()).toEqual(reminded);
  world.nowMs += 7 * DAY;
  await reconcileAll(world.parts);
  expect(await world.found()).toMatchObject({ status: 'failed', reason: 'not_switched' });
  expect(world.calls).toContain(`unmap ${NAME}`);
});
