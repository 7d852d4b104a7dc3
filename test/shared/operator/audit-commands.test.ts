import { beforeAll, expect, test } from 'vitest';
import { type Operating, operating, refusal } from './operating.ts';

let world: Operating;
beforeAll(async () => {
  world = await operating();
  for (let number = 1; number <= 52; number += 1) {
    world.clock.nowMs += 1000;
    await world.done('keys.create', { name: `Client ${number}`, by: 'jane', requestId: `request-${number}` });
  }
});

const names = async (fields: object) =>
  (await world.done('audit.list', fields)).entries.map(
    ({ input }: { input: { name: string } }) => input.name,
  );

test('audit.list lists who changed what and when, the newest change first', async () => {
  const { entries } = await world.done('audit.list', { limit: 1 });
  expect(entries).toEqual([
    {
      requestId: 'request-52',
      at: '2026-01-31T12:00:52.000Z',
      by: 'jane',
      command: 'keys.create',
      input: { name: 'Client 52' },
      result: expect.objectContaining({ id: expect.stringMatching(/^key_/), name: 'Client 52' }),
    },
  ]);
  expect(entries[0].result).not.toHaveProperty('key');
});

test('audit.list lists 50 changes by default', async () => {
  const all = Array.from({ length: 52 }, (_, place) => `Client ${52 - place}`);
  expect(await names({})).toEqual(all.slice(0, 50));
  expect(await names({ limit: 3 })).toEqual(all.slice(0, 3));
  expect(await names({ limit: 500 })).toEqual(all);
});

test('audit.list is not recorded itself', async () => {
  await world.done('audit.list', { requestId: 'asked', by: 'jane' });
  expect(await names({ limit: 1 })).toEqual(['Client 52']);
});

test.each([
  [0, 'must be 1 to 500'],
  [501, 'must be 1 to 500'],
  [1.5, 'must be a whole number'],
  ['5', 'must be a whole number'],
  [null, 'must be a whole number'],
])('audit.list refuses the limit %j: invalid_request', async (limit, message) => {
  expect(await world.ask('audit.list', { limit })).toEqual(
    refusal('invalid_request', `limit ${message}`, 'input_invalid'),
  );
});
