import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Reached } from '../../../../shared/domains/reach.ts';
import { certified } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR, MINUTE } from './flow-world.ts';

const NAME = 'www.zoo.example';
const UNREACHABLE: Reached = { kind: 'unreachable', why: 'connect ECONNREFUSED.' };

let world: FlowWorld;
beforeAll(async () => {
  world = await flowWorld();
});
beforeEach(async () => {
  world.reset();
  await world.stored({ status: 'issuing', phase: 'attachment', certificate: certified() });
});

const attach = () => world.parts.attachment.attach({ domain: NAME, project: 'zoo', attempt: 2 });

test.each([
  [UNREACHABLE, 'https_unreachable', `https://${NAME} does not answer: connect ECONNREFUSED.`],
  [
    { kind: 'certificate_wrong', why: 'Another certificate than its own is served.' },
    'https_certificate_wrong',
    `https://${NAME} has not its own certificate: Another certificate than its own is served.`,
  ],
  [
    { kind: 'answer_foreign', why: 'The answer (200) is not one of the API.' },
    'https_answer_foreign',
    `https://${NAME} is not answered by the API: The answer (200) is not one of the API.`,
  ],
] as const)(
  'waiting: the records are right, but the request ends as %o',
  async (reached, reason, message) => {
    world.reached = reached;
    expect(await attach()).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
    expect(world.calls).not.toContain(`live ${NAME}`);
    expect(await world.found()).toMatchObject({
      status: 'issuing',
      reason,
      message: expect.stringContaining(message),
      liveAt: null,
    });
  },
);

test('done: goes live once it is reached', async () => {
  world.reached = UNREACHABLE;
  await attach();
  world.reached = { kind: 'reached' };
  expect(await attach()).toMatchObject({ outcome: 'done' });
  expect(await world.found()).toMatchObject({ status: 'live', reason: null });
});

test('failed: it is not reached within 48 hours; the mapping is deleted', async () => {
  world.reached = UNREACHABLE;
  world.nowMs += 48 * HOUR + MINUTE;
  expect(await attach()).toMatchObject({ outcome: 'failed' });
  expect(world.mapped.has(NAME)).toBe(false);
  expect(await world.found()).toMatchObject({ status: 'failed', reason: 'https_unreachable' });
});

test('sends no request while the records are wrong', async () => {
  world.zone = {};
  await attach();
  expect(world.calls.filter(call => call.startsWith('reach'))).toEqual([]);
});
