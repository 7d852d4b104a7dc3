import { GetCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { type AuditLog, auditLog } from '../../../shared/audit/audit-log.ts';
import { documents } from '../../../shared/aws/document-client.ts';
import type { Write } from '../../../shared/aws/transaction.ts';
import { Unavailable } from '../../../shared/aws/unavailable.ts';
import { CommandError, command } from '../../../shared/operator/command.ts';
import { operator } from '../../../shared/operator/operator.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { refusal } from './operating.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const COMMANDS = 'boxes.fill, boxes.look, boxes.shake';

/** Boxes: `boxes.fill` adds to what is in one, `boxes.look` says what that is, `boxes.shake` fails as it is told. */
async function boxes() {
  const [table, auditTable] = await Promise.all([tableLike('ApiKeysTable'), tableLike('OperatorAudit')]);
  const audit: AuditLog = auditLog(auditTable);
  const filled = async (box = 'red') => {
    const Key = { id: box };
    const { Item } = await documents.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Number(Item?.amount ?? 0);
  };
  const adding = (box: string, amount: number): Write => ({
    item: {
      Update: {
        TableName: table,
        Key: { id: box },
        UpdateExpression: 'ADD amount :amount',
        ExpressionAttributeValues: { ':amount': amount },
      },
    },
    refusal: () => new Error('never'),
  });
  const failure = { error: new Error('boxes fell, password hunter2') as unknown };
  const followUp = vi.fn(async (_input: object) => {});
  const operate = operator(
    {
      'boxes.fill': command(
        z.strictObject({
          box: z.enum(['red', 'blue'], 'must be red or blue'),
          amount: z.number('must be a number'),
          note: z.optional(z.string('must be text')),
        }),
        async ({ box, amount }, change) => {
          const result = { box, amount };
          await change.commit([adding(box, amount)], result);
          return { ...result, secret: 'shown once' };
        },
        followUp,
      ),
      'boxes.look': command(z.strictObject({}), async () => ({ red: await filled() })),
      'boxes.shake': command(z.strictObject({}), async () => {
        throw failure.error;
      }),
    },
    audit,
    () => NOW_MS,
  );
  const fill = (more: object = {}, invocationId = 'invocation-1') =>
    operate({ command: 'boxes.fill', box: 'red', amount: 1, ...more }, invocationId);
  return { operate, fill, filled, audit, failure, followUp };
}

let world: Awaited<ReturnType<typeof boxes>>;
const newWorld = async () => {
  world = await boxes();
};

async function expectNothingChanged() {
  expect([await world.filled('red'), await world.filled('blue')]).toEqual([0, 0]);
  expect(await world.audit.list(10)).toEqual([]);
}

describe('a command', () => {
  beforeEach(newWorld);

  test('is carried out, and its result is answered', async () => {
    expect(await world.fill()).toEqual({ ok: true, result: { box: 'red', amount: 1, secret: 'shown once' } });
    expect(await world.operate({ command: 'boxes.look' }, 'i')).toEqual({ ok: true, result: { red: 1 } });
  });

  test('is recorded when it changes something: who, what, when, and nothing secret', async () => {
    await world.fill({ by: 'arn:aws:iam::1:user/jane', requestId: 'request-1', note: 'for the zoo' });
    expect(await world.audit.list(10)).toEqual([
      {
        requestId: 'request-1',
        at: '2026-01-31T12:00:00.000Z',
        by: 'arn:aws:iam::1:user/jane',
        command: 'boxes.fill',
        input: { box: 'red', amount: 1, note: 'for the zoo' },
        result: { box: 'red', amount: 1 },
      },
    ]);
  });

  test('is known by the invocation if the request has no id, and from unknown if nobody says', async () => {
    await world.fill({}, 'invocation-7');
    expect(await world.audit.list(10)).toMatchObject([{ requestId: 'invocation-7', by: 'unknown' }]);
  });

  test('that reads leaves no record, nor does one that fails', async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await world.operate({ command: 'boxes.look' }, 'i');
    await world.operate({ command: 'boxes.shake' }, 'i');
    vi.restoreAllMocks();
    await expectNothingChanged();
  });
});

describe('a request that is delivered again', () => {
  beforeEach(newWorld);

  const REPLAYED = { ok: true, replayed: true, result: { box: 'red', amount: 1 } };

  test('changes nothing twice, and is answered with what is not secret', async () => {
    await world.fill({ requestId: 'r' });
    for (const invocationId of ['invocation-1', 'invocation-2']) {
      expect(await world.fill({ requestId: 'r', by: 'someone else' }, invocationId)).toEqual(REPLAYED);
    }
    expect(await world.filled()).toBe(1);
    expect(await world.audit.list(10)).toHaveLength(1);
  });

  test('by Lambda itself, with the same invocation id', async () => {
    await world.fill();
    expect(await world.fill()).toEqual(REPLAYED);
    expect(await world.filled()).toBe(1);
  });

  test('with its fields in another order', async () => {
    await world.fill({ requestId: 'r', note: 'n' });
    const payload = { note: 'n', requestId: 'r', amount: 1, box: 'red', command: 'boxes.fill' };
    expect(await world.operate(payload, 'i')).toEqual(REPLAYED);
  });

  test('completes what follows the change: the first time may have ended before it', async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    world.followUp.mockRejectedValueOnce(new Unavailable('gone'));
    expect(await world.fill({ requestId: 'r' })).toMatchObject({ error: { code: 'unavailable' } });
    vi.restoreAllMocks();
    expect(await world.fill({ requestId: 'r' })).toEqual(REPLAYED);
    expect(world.followUp.mock.calls).toEqual(Array(2).fill([{ box: 'red', amount: 1 }]));
    expect(await world.filled()).toBe(1);
  });

  test('eight times at once is one change', async () => {
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
    ['a field more', { command: 'boxes.fill', box: 'red', amount: 1, note: 'n' }],
    ['another command', { command: 'boxes.look' }],
  ])('with %s is a conflict', async (_, payload) => {
    await world.fill({ requestId: 'r' });
    expect(await world.operate({ ...payload, requestId: 'r' }, 'i')).toEqual(
      refusal('conflict', 'The requestId r was used before for something else.'),
    );
    expect(await world.filled()).toBe(1);
    expect(world.followUp).toHaveBeenCalledTimes(1);
  });

  test('with other fields, at once: one is carried out, the others are told', async () => {
    const amounts = [1, 2, 4, 8, 16, 32];
    const replies = await Promise.all(amounts.map(amount => world.fill({ requestId: 'r', amount })));
    expect(replies.filter(({ ok }) => ok)).toEqual([
      { ok: true, result: { box: 'red', amount: await world.filled(), secret: 'shown once' } },
    ]);
    expect(replies.filter(({ ok }) => !ok)).toMatchObject(Array(5).fill({ error: { code: 'conflict' } }));
  });
});

describe('what is refused changes nothing', () => {
  beforeAll(newWorld);

  test.each([
    ['keys.create'],
    ['boxes.Fill'],
    [''],
    ['constructor'],
    ['__proto__'],
    ['toString'],
    ['hasOwnProperty'],
  ])('the command %j, with those that there are', async name => {
    const message = `command must be one of ${COMMANDS}`;
    expect(await world.operate({ command: name }, 'i')).toEqual(refusal('invalid_request', message));
    await expectNothingChanged();
  });

  test.for([undefined, null, '', 'boxes.fill', 5, [], ['boxes.fill'], true])(
    'the payload %j, with what it must be',
    async payload => {
      const message = `the payload must be a JSON object with a command, which is one of ${COMMANDS}`;
      expect(await world.operate(payload, 'i')).toEqual(refusal('invalid_request', message));
    },
  );

  test.each([{}, { command: null }, { command: 5 }, { command: ['boxes.fill'] }])(
    'the payload %j, with the commands that there are',
    async payload => {
      const message = `command must be one of ${COMMANDS}`;
      expect(await world.operate(payload, 'i')).toEqual(refusal('invalid_request', message));
    },
  );

  test.each([
    ['a bad value', { box: 'green' }, 'box must be red or blue'],
    [
      'all faults at once',
      { box: 'green', amount: '1', note: 5 },
      'box must be red or blue; amount must be a number; note must be text',
    ],
    [
      'a field that is not known',
      { colour: 'red' },
      'colour not known here; the command takes box, amount, note',
    ],
    [
      'several of them',
      { colour: 'red', size: 5 },
      'colour, size not known here; the command takes box, amount, note',
    ],
    ['a requestId that is no text', { requestId: 5 }, 'requestId must be text'],
    ['an empty requestId', { requestId: '' }, 'requestId must have 1 to 600 characters'],
    ['a long by', { by: 'x'.repeat(601) }, 'by must have 1 to 600 characters'],
  ])('%s, by name', async (_, more, message) => {
    expect(await world.fill(more)).toEqual(refusal('invalid_request', message));
    await expectNothingChanged();
  });

  test('missing fields, by name', async () => {
    const message = 'box must be red or blue; amount is required';
    expect(await world.operate({ command: 'boxes.fill' }, 'i')).toEqual(refusal('invalid_request', message));
  });

  test('a field for a command that takes none', async () => {
    const message = 'box not known here; the command takes no fields';
    expect(await world.operate({ command: 'boxes.look', box: 'red' }, 'i')).toEqual(
      refusal('invalid_request', message),
    );
  });

  test('nothing makes it throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async payload => {
        expect(await world.operate(payload, 'i')).toMatchObject({ error: { code: 'invalid_request' } });
      }),
    );
  });
});

describe('a failure', () => {
  beforeAll(newWorld);

  async function shaken(error: unknown) {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    world.failure.error = error;
    const reply = await world.operate({ command: 'boxes.shake', requestId: 'r' }, 'invocation-9');
    const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
    write.mockRestore();
    return { reply, lines };
  }

  test.each([
    ['an Error', new Error('password hunter2', { cause: new TypeError('table Boxes') })],
    ['a string', 'password hunter2'],
    ['undefined', undefined],
  ])('of ours, %s, is told without details and logged with them', async (_, error) => {
    const { reply, lines } = await shaken(error);
    expect(reply).toEqual(
      refusal('internal_error', 'The command failed. The log says why, under invocation-9.'),
    );
    expect(lines).toMatchObject([{ level: 'ERROR', requestId: 'invocation-9', error: expect.anything() }]);
  });

  test('of AWS is told as one that passes, and logged', async () => {
    const { reply, lines } = await shaken(new Unavailable('table Boxes'));
    expect(reply).toEqual(
      refusal('unavailable', 'AWS did not answer in time. Nothing is lost: please try again.'),
    );
    expect(lines).toMatchObject([{ error: { name: 'Unavailable', message: 'table Boxes' } }]);
  });

  test.each(['not_found', 'conflict', 'invalid_request'] as const)(
    'of the operator, %s, is told in its words and not logged',
    async code => {
      const { reply, lines } = await shaken(new CommandError(code, 'There is no box.'));
      expect(reply).toEqual(refusal(code, 'There is no box.'));
      expect(lines).toEqual([]);
    },
  );
});
