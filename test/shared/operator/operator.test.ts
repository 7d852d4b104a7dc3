import { GetCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { auditLog } from '../../../shared/audit/audit-log.ts';
import { documents } from '../../../shared/aws/document-client.ts';
import { Unavailable } from '../../../shared/aws/retries.ts';
import { transact, type Write } from '../../../shared/aws/transaction.ts';
import type { IdentifyCaller } from '../../../shared/operator/caller-proof.ts';
import { type Change, CommandError } from '../../../shared/operator/command.ts';
import { operator } from '../../../shared/operator/operator.ts';
import { revisionOf } from '../../../shared/operator/revision.ts';
import { loggedLines } from '../../functions/logged-lines.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { refusal } from './operating.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const COMMANDS = 'boxes.fill, boxes.look, boxes.shake';

/**
 * An operator of boxes: `boxes.fill` adds to the content of a box, `boxes.look` returns it, and `boxes.shake` throws
 * the error that the test has set.
 */
async function boxOperator() {
  const [table, auditTable] = await Promise.all([tableLike('ApiKeysTable'), tableLike('OperatorAudit')]);
  const audit = auditLog(auditTable);
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
  const failure = {
    before: async (_: Change) => {},
    error: new Error('boxes fell, password hunter2') as unknown,
  };
  const followUp = vi.fn(async (_input: object) => {});
  const identify = vi.fn<IdentifyCaller>(async () => undefined);
  const operate = operator(
    {
      'boxes.fill': {
        accepts: z.strictObject({
          box: z.enum(['red', 'blue'], 'must be red or blue'),
          amount: z.number('must be a number'),
          note: z.optional(z.string('must be text')),
        }),
        async run({ box, amount }: { box: string; amount: number }, change) {
          const result = { box, amount };
          await change.commit([adding(box, amount)], result);
          return { ...result, secret: 'shown once' };
        },
        followUp,
      },
      'boxes.look': { accepts: z.strictObject({}), run: async () => ({ red: await filled() }) },
      'boxes.shake': {
        accepts: z.strictObject({}),
        async run(_, change) {
          await failure.before(change);
          throw failure.error;
        },
      },
    },
    audit,
    () => NOW_MS,
    identify,
  );
  const fill = (more: object = {}, invocationId = 'invocation-1') =>
    operate({ command: 'boxes.fill', box: 'red', amount: 1, ...more }, invocationId);
  const expectNothingChanged = async () => {
    expect([await filled('red'), await filled('blue')]).toEqual([0, 0]);
    expect(await audit.list(10)).toEqual([]);
  };
  return { operate, fill, filled, audit, failure, followUp, identify, expectNothingChanged };
}

let world: Awaited<ReturnType<typeof boxOperator>>;
const newWorld = async () => {
  world = await boxOperator();
};

describe('a command', () => {
  beforeEach(newWorld);

  test('is carried out, and its result returned', async () => {
    expect(await world.fill()).toEqual({ ok: true, result: { box: 'red', amount: 1, secret: 'shown once' } });
    expect(await world.operate({ command: 'boxes.look' }, 'i')).toEqual({ ok: true, result: { red: 1 } });
  });

  test('that only reads sends no result that the caller has', async () => {
    const look = (known: string) => world.operate({ command: 'boxes.look', known }, 'i');
    const known = revisionOf({ red: 0 });
    expect(await look('another')).toEqual({ ok: true, result: { red: 0 } });
    expect(await look(known)).toEqual({ ok: true, result: null, isUnchanged: true });
    await world.fill();
    expect(await look(known)).toEqual({ ok: true, result: { red: 1 } });
  });

  test('that changes something is recorded with who, what and when, and without secrets', async () => {
    await world.fill({ by: 'arn:aws:iam::1:user/jane', requestId: 'request-1', note: 'for the zoo' });
    expect(await world.audit.list(10)).toEqual([
      {
        requestId: 'request-1',
        at: '2026-01-31T12:00:00.000Z',
        by: 'unverified',
        claimedBy: 'arn:aws:iam::1:user/jane',
        command: 'boxes.fill',
        input: { box: 'red', amount: 1, note: 'for the zoo' },
        result: { box: 'red', amount: 1 },
      },
    ]);
  });

  describe('with a proof of who sent it', () => {
    const proof = { accessKeyId: 'AKIA1', date: '20260131T120000Z', signature: 'a'.repeat(64) };
    const ARN = 'arn:aws:iam::111122223333:user/jane';

    test('is recorded with the author that IAM knows, and the given name beside it', async () => {
      world.identify.mockResolvedValueOnce(ARN);
      expect(await world.fill({ by: 'joe', requestId: 'r', proof })).not.toHaveProperty('warnings');
      expect(await world.audit.list(10)).toMatchObject([
        { by: ARN, claimedBy: 'joe', input: { box: 'red' } },
      ]);
      // What was signed is the payload without the proof, its fields in their order.
      const [[given, payload] = []] = world.identify.mock.calls;
      expect(given).toEqual(proof);
      expect(JSON.stringify(payload)).toBe(
        '{"command":"boxes.fill","box":"red","amount":1,"by":"joe","requestId":"r"}',
      );
    });

    test('is carried out and recorded as unverified, with a warning, when IAM does not confirm it', async () => {
      expect(await world.fill({ by: ARN, requestId: 'r', proof })).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('the audit log shows it as not verified')],
      });
      expect(await world.audit.list(10)).toMatchObject([{ by: 'unverified', claimedBy: ARN }]);
    });

    test('asks IAM only for a change that is made, and once', async () => {
      loggedLines();
      await world.operate({ command: 'boxes.look', requestId: '1', proof }, 'i');
      await world.operate({ command: 'boxes.shake', requestId: '2', proof }, 'i');
      await world.fill({ box: 'green', requestId: '3', proof });
      expect(world.identify).not.toHaveBeenCalled();
      await world.fill({ proof, requestId: 'r' });
      await world.fill({ proof, requestId: 'r' });
      expect(world.identify).toHaveBeenCalledTimes(1);
    });

    test('is refused without a requestId, by which the proof can be used once', async () => {
      const refused = refusal('invalid_request', 'requestId is required with a proof', 'input_invalid');
      expect(await world.fill({ proof })).toEqual(refused);
      await world.expectNothingChanged();
    });

    test.each([
      [{ ...proof, url: 'https://evil.example' }],
      [{ ...proof, accessKeyId: 'a&b' }],
      [{ ...proof, sessionToken: 'a b' }],
      [{ ...proof, date: 'now' }],
      [{ ...proof, signature: 'ABC' }],
      ['proof'],
    ])('is refused if it is malformed, without repeating it: %j', async malformed => {
      const reply = await world.fill({ requestId: 'r', proof: malformed });
      expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_request', reason: 'input_invalid' } });
      expect(JSON.stringify(reply)).not.toMatch(/AKIA1|evil|a&b|a b|ABC/);
      expect(world.identify).not.toHaveBeenCalled();
      await world.expectNothingChanged();
    });
  });

  test('without a requestId is recorded under the id of the invocation, and without `by` as from nobody', async () => {
    await world.fill({}, 'invocation-7');
    expect(await world.audit.list(10)).toMatchObject([
      { requestId: 'invocation-7', by: 'unverified', claimedBy: null },
    ]);
  });

  test('that only reads or that fails is not recorded', async () => {
    loggedLines();
    await world.operate({ command: 'boxes.look' }, 'i');
    await world.operate({ command: 'boxes.shake' }, 'i');
    await world.expectNothingChanged();
  });
});

describe('a refused request', () => {
  beforeAll(newWorld);

  test.each([
    ...['keys.create', 'boxes.Fill', '', 'constructor', '__proto__', 'toString'].map(command => ({
      command,
    })),
    {},
    { command: null },
    { command: 5 },
    { command: ['boxes.fill'] },
  ])('with the payload %j gets the names of the commands, and changes nothing', async payload => {
    const message = `command must be one of ${COMMANDS}`;
    const refused = refusal('invalid_request', message, 'command_unknown');
    expect(await world.operate(payload, 'i')).toEqual(refused);
    await world.expectNothingChanged();
  });

  test.for([undefined, null, '', 'boxes.fill', 5, [], ['boxes.fill'], true])(
    'with the payload %j gets what a payload must be',
    async payload => {
      const message = `the payload must be a JSON object with a command, which is one of ${COMMANDS}`;
      expect(await world.operate(payload, 'i')).toEqual(refusal('invalid_request', message, 'input_invalid'));
    },
  );

  test.each([
    ['an invalid value', { box: 'green' }, 'box must be red or blue'],
    [
      'several faults',
      { box: 'green', amount: '1', note: 5 },
      'box must be red or blue; amount must be a number; note must be text',
    ],
    [
      'an unknown field',
      { color: 'red' },
      'color is not a field of this command; it takes box, amount, note',
    ],
    [
      'several unknown fields',
      { color: 'red', size: 5 },
      'color, size are not fields of this command; it takes box, amount, note',
    ],
    ['a requestId that is not text', { requestId: 5 }, 'requestId must be text'],
    ['an empty requestId', { requestId: '' }, 'requestId must have 1 to 600 characters'],
    [
      'a requestId that cannot be a key in DynamoDB',
      { requestId: '🐕'.repeat(513) },
      'requestId must have at most 2,048 bytes',
    ],
    ['a long by', { by: 'x'.repeat(601) }, 'by must have 1 to 600 characters'],
  ])('with %s gets every fault by name, and changes nothing', async (_, more, message) => {
    expect(await world.fill(more)).toEqual(refusal('invalid_request', message, 'input_invalid'));
    await world.expectNothingChanged();
  });

  test.each([
    ['missing fields', { command: 'boxes.fill' }, 'box must be red or blue; amount is required'],
    [
      'a field for a command that takes none',
      { command: 'boxes.look', box: 'red' },
      'box is not a field of this command; it takes no fields',
    ],
  ])('with %s gets their names', async (_, payload, message) => {
    const refused = refusal('invalid_request', message, 'input_invalid');
    expect(await world.operate(payload, 'i')).toEqual(refused);
  });

  test('gets a response for any JSON value, without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async payload => {
        expect(await world.operate(payload, 'i')).toMatchObject({ error: { code: 'invalid_request' } });
      }),
    );
  });
});

describe('a failure', () => {
  beforeAll(newWorld);

  const failure = (code: string, message: string) => ({ ok: false, error: { code, message } });

  async function shake(error: unknown) {
    const lines = loggedLines();
    world.failure.error = error;
    const reply = await world.operate({ command: 'boxes.shake', requestId: 'r' }, 'invocation-9');
    return { reply, lines: lines() };
  }

  test.each([
    ['an Error', new Error('password hunter2', { cause: new TypeError('table Boxes') })],
    ['a string', 'password hunter2'],
    ['undefined', undefined],
  ])('of the operator function, %s, is reported without details and logged with them', async (_, error) => {
    const { reply, lines } = await shake(error);
    expect(reply).toEqual(
      failure('internal_error', 'The command failed. The log says why, under invocation-9.'),
    );
    expect(lines).toMatchObject([{ level: 'ERROR', requestId: 'invocation-9', error: expect.anything() }]);
  });

  test.each([
    new Unavailable('table Boxes'),
    Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' }),
  ])('of AWS is reported as temporary, and logged: %s', async error => {
    const { reply, lines } = await shake(error);
    expect(reply).toEqual(failure('unavailable', "AWS didn't respond in time. Try again."));
    expect(lines).toMatchObject([{ error: { name: error.name, message: error.message } }]);
  });

  test.each(['not_found', 'conflict', 'invalid_request'] as const)(
    'that is a refusal, %s, has its reason and message, and is not logged',
    async code => {
      const { reply, lines } = await shake(new CommandError(code, 'There is no box.', 'key_unknown'));
      expect(reply).toEqual(refusal(code, 'There is no box.', 'key_unknown'));
      expect(lines).toEqual([]);
    },
  );
});

describe('a request that is delivered again', () => {
  beforeEach(newWorld);

  const REPLAYED = { ok: true, replayed: true, result: { box: 'red', amount: 1 } };

  test('changes nothing twice, and the response lacks the secret', async () => {
    await world.fill({ requestId: 'r' });
    for (const invocationId of ['invocation-1', 'invocation-2']) {
      expect(await world.fill({ requestId: 'r', by: 'someone else' }, invocationId)).toEqual(REPLAYED);
    }
    expect(await world.filled()).toBe(1);
    expect(await world.audit.list(10)).toHaveLength(1);
  });

  test('is recognized by the invocation id if Lambda repeats it', async () => {
    await world.fill();
    expect(await world.fill()).toEqual(REPLAYED);
    expect(await world.filled()).toBe(1);
  });

  test('is recognized in whatever order the audit log returns its fields', async () => {
    const input = { amount: 1, box: 'red' };
    const entry = { requestId: 'r', at: '2026-01-31T12:00:00.000Z', by: 'jane', claimedBy: null };
    const { result } = REPLAYED;
    await transact([world.audit.record({ ...entry, command: 'boxes.fill', input, result })]);
    expect(await world.fill({ requestId: 'r' })).toEqual(REPLAYED);
  });

  test('completes the follow-up, which the first delivery may not have reached', async () => {
    loggedLines();
    world.followUp.mockRejectedValueOnce(new Unavailable('gone'));
    expect(await world.fill({ requestId: 'r' })).toMatchObject({ error: { code: 'unavailable' } });
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

  test('is not refused for what its first delivery has done in the meantime', async () => {
    world.failure.before = change => change.commit([], 'shaken');
    world.failure.error = new CommandError('conflict', 'It was shaken before.');
    const reply = await world.operate({ command: 'boxes.shake', requestId: 'r' }, 'second');
    expect(reply).toEqual({ ok: true, replayed: true, result: 'shaken' });
  });

  test.each([
    ['other fields', { command: 'boxes.fill', box: 'red', amount: 2 }],
    ['an additional field', { command: 'boxes.fill', box: 'red', amount: 1, note: 'n' }],
    ['another command', { command: 'boxes.look' }],
  ])('with %s is refused: conflict', async (_, payload) => {
    await world.fill({ requestId: 'r' });
    expect(await world.operate({ ...payload, requestId: 'r' }, 'i')).toEqual(
      refusal('conflict', 'The requestId r was already used for a different request.', 'request_id_reused'),
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
