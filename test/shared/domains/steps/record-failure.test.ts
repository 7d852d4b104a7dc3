import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type FlowWorld, flowWorld } from './flow-world.ts';

const ATTEMPT = { domain: 'www.zoo.example', project: 'zoo', attempt: 2 };

let world: FlowWorld;
beforeAll(async () => {
  world = await flowWorld();
});
beforeEach(() => world.reset());

test.each([
  [
    'fails a verification',
    { status: 'issuing' },
    {
      status: 'failed',
      reason: 'internal_error',
      message: 'Something went wrong on our side. Verify again; if it happens again, tell us.',
    },
  ],
  [
    'stalls a removal, which can be started again',
    { status: 'removing', phase: 'removal' },
    {
      status: 'stalled',
      reason: 'internal_error',
      message: 'No longer served, but not everything could be taken down. Remove it again to go on.',
    },
  ],
  ['leaves a live domain as it is', { status: 'live', phase: 'live' }, { status: 'live', reason: null }],
] as const)('%s', async (_, before, after) => {
  await world.stored(before);
  expect(await world.parts.recordFailure(ATTEMPT)).toMatchObject({ outcome: 'failed' });
  expect(await world.found()).toMatchObject(after);
});
