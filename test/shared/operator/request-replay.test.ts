import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Unavailable } from '../../../shared/aws/unavailable.ts';
import { type BoxOperator, boxOperator } from './box-operator.ts';
import { refusal } from './operating.ts';

let world: BoxOperator;

describe('a request that is delivered again', () => {
  beforeEach(async () => {
    world = await boxOperator();
  });

  const REPLAYED = { ok: true, replayed: true, result: { box: 'red', amount: 1 } };

  test('changes nothing twice, and is answered without the secret', async () => {
    await world.fill({ requestId: 'r' });
    for (const invocationId of ['invocation-1', 'invocation-2']) {
      expect(await world.fill({ requestId: 'r', by: 'someone else' }, invocationId)).toEqual(REPLAYED);
    }
    expect(await world.filled()).toBe(1);
    expect(await world.audit.list(10)).toHaveLength(1);
  });

  test('is recognised by the invocation id if Lambda repeats it', async () => {
    await world.fill();
    expect(await world.fill()).toEqual(REPLAYED);
    expect(await world.filled()).toBe(1);
  });

  test('is recognised with its fields in another order', async () => {
    await world.fill({ requestId: 'r', note: 'n' });
    const payload = { note: 'n', requestId: 'r', amount: 1, box: 'red', command: 'boxes.fill' };
    expect(await world.operate(payload, 'i')).toEqual(REPLAYED);
  });

  test('completes the follow-up, which the first delivery may not have reached', async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    world.followUp.mockRejectedValueOnce(new Unavailable('gone'));
    expect(await world.fill({ requestId: 'r' })).toMatchObject({ error: { code: 'unavailable' } });
    vi.restoreAllMocks();
    expect(await world.fill({ requestId: 'r' })).toEqual(REPLAYED);
    expect(world.followUp.mock.calls).toEqual(Array(2).fill([{ box: 'red', amount: 1 }]));
    expect(await world.filled()).toBe(1);
  });

  test('eight times at once makes one change', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, number) => world.fill({ requestId: 'r' }, `invocation-${number}`)),
    );
    expect(replies.filter(reply => !('replayed' in reply))).toHaveLength(1);
    expect(replies.filter(reply => 'replayed' in reply)).toEqual(Array(7).fill(REPLAYED));
    expect(await world.filled()).toBe(1);
    expect(await world.audit.list(10)).toHaveLength(1);
  });

  test.each([
    ['other fields', { command: 'boxes.fill', box: 'red', amount: 2 }],
    ['an additional field', { command: 'boxes.fill', box: 'red', amount: 1, note: 'n' }],
    ['another command', { command: 'boxes.look' }],
  ])('with %s is refused: conflict', async (_, payload) => {
    await world.fill({ requestId: 'r' });
    expect(await world.operate({ ...payload, requestId: 'r' }, 'i')).toEqual(
      refusal('conflict', 'The requestId r was used before for another request.', 'request_id_reused'),
    );
    expect(await world.filled()).toBe(1);
    expect(world.followUp).toHaveBeenCalledTimes(1);
  });

  test('with other fields at once is carried out once, and the others are refused', async () => {
    const amounts = [1, 2, 4, 8, 16, 32];
    const replies = await Promise.all(amounts.map(amount => world.fill({ requestId: 'r', amount })));
    expect(replies.filter(({ ok }) => ok)).toEqual([
      { ok: true, result: { box: 'red', amount: await world.filled(), secret: 'shown once' } },
    ]);
    expect(replies.filter(({ ok }) => !ok)).toMatchObject(
      Array(5).fill({ error: { code: 'conflict', reason: 'request_id_reused' } }),
    );
  });
});
