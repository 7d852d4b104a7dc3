import { beforeEach, expect, test, vi } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { domainFromItem, domainItem } from '../../../../shared/domains/life/domain.ts';
import { reconcileAll } from '../../../../shared/domains/steps/scheduled-work.ts';
import { AT, certified, NAME, TRAFFIC } from '../claimed-domain.ts';
import { flowWorld, GATEWAY, HOUR } from './flow-world.ts';

const world = await flowWorld();
const DAY = 24 * HOUR;
const ELSEWHERE = { kind: 'certificate_wrong', why: 'Another one is served.' } as const;

beforeEach(() => {
  world.reset();
  Object.assign(world, { gateway: GATEWAY, reached: ELSEWHERE });
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
    ...changes,
  });

test('the schedule asks for a domain that is ready with its own certificate, and leaves it as it is', async () => {
  const before = await ready();
  await reconcileAll(world.parts);
  expect([await world.found(), world.calls]).toEqual([before, [`reach ${NAME} aa:01`]]);
});

test('a domain whose traffic arrives goes on from the attachment, in an execution of its own', async () => {
  const { attempt } = await ready({
    records: [{ ...TRAFFIC, state: 'mismatch', observed: ['old.example.net'], action: 'Change it.' }],
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
  expect(await world.parts.verification.checkDns(step)).toMatchObject({ outcome: 'done' });
  expect(await world.parts.attachment.attach(step)).toMatchObject({ outcome: 'done' });
  expect(await world.found()).toMatchObject({ status: 'live' });
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

test('a function of version 1 sees a domain that is looked for in DNS', async () => {
  const domain = await ready();
  const item = domainItem(domain);
  expect(item).toMatchObject({ status: 'verifying', phase: 'attachment' });
  expect(domainFromItem(item)).toEqual(domain);
});
