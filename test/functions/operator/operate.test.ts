import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { outcomeInFastTime } from '../../shared/aws/fast-time.ts';
import { always, faultyEngine } from '../../shared/aws/faulty-engine.ts';

const PREFIX = 'pet_test_';

/** The function on this table; without one whatever is not refused beforehand fails. */
async function operator(table = 'no-table', endpoint?: string) {
  vi.stubEnv('API_KEYS_TABLE', table);
  vi.stubEnv('API_KEY_PREFIX', PREFIX);
  if (endpoint) vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.resetModules();
  const { handler } = await import('../../../functions/operator/operate.ts');
  return (payload: unknown) => handler(payload, { awsRequestId: 'request-1' });
}

describe('keys.create', () => {
  test('gives a key that works', async () => {
    const table = await tableLike('ApiKeysTable');
    const operate = await operator(table);
    const reply = await operate({ command: 'keys.create', name: 'Acme' });
    expect(reply).toEqual({
      ok: true,
      result: {
        id: expect.stringMatching(/^key_[0-9a-f]{24}$/),
        key: expect.stringMatching(/^pet_test_[0-9A-Za-z]{34}$/),
        name: 'Acme',
        hint: expect.stringMatching(/^pet_test_….{4}$/),
        createdAt: expect.any(String),
      },
    });
    const { key, id } = (reply as { result: { key: string; id: string } }).result;
    expect(await apiKeyStore(table, PREFIX).findValid(key)).toMatchObject({ id, name: 'Acme' });
  });

  test('with the time at which it expires', async () => {
    const operate = await operator(await tableLike('ApiKeysTable'));
    const reply = await operate({
      command: 'keys.create',
      name: 'Acme',
      expiresAt: '2030-01-31T12:00:00+01:00',
    });
    expect(reply).toMatchObject({ ok: true, result: { expiresAt: '2030-01-31T11:00:00.000Z' } });
  });

  test.each([
    ['no name', {}, 'name is required'],
    ['an empty name', { name: '' }, 'name must have 1 to 100 characters, no white space around it'],
    ['a name that is none', { name: 5 }, 'name must be a string'],
    [
      'a time that is none',
      { name: 'Acme', expiresAt: 'soon' },
      'expiresAt must be a time such as 2030-01-31T12:00:00Z',
    ],
    [
      'everything wrong',
      { name: null, expiresAt: 5 },
      'name must be a string; expiresAt must be a time such as 2030-01-31T12:00:00Z',
    ],
  ])('%s is refused by name', async (_, fields, message) => {
    const operate = await operator();
    const reply = await operate({ command: 'keys.create', ...fields });
    expect(reply).toEqual({ ok: false, error: { code: 'invalid_request', message } });
  });
});

describe('a command that is none', () => {
  const REFUSAL = {
    ok: false,
    error: { code: 'invalid_request', message: 'command must be one of keys.create' },
  };

  test.each([
    undefined,
    null,
    '',
    'keys.create',
    5,
    [],
    ['keys.create'],
    {},
    { command: null },
    { command: 'keys.Create' },
    { command: 'constructor' },
    { command: '__proto__' },
    { command: 'toString' },
    { command: ['keys.create'] },
  ])('%j is refused with those that there are', async payload => {
    const operate = await operator();
    expect(await operate(payload)).toEqual(REFUSAL);
  });

  test('nothing makes it throw', async () => {
    const operate = await operator();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async payload => {
        expect(await operate(payload)).toEqual(REFUSAL);
      }),
    );
  });
});

describe('a failure is told without a stack trace, and logged with the id of the request', () => {
  async function failing(fault: Parameters<typeof always>[0]) {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const engine = await faultyEngine(always(fault));
    const operate = await operator('no-table', engine.endpoint);
    let reply: unknown;
    await outcomeInFastTime(async () => {
      reply = await operate({ command: 'keys.create', name: 'Acme' });
    }, engine);
    const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
    write.mockRestore();
    return { reply, lines };
  }

  test('a mistake of ours', async () => {
    const { reply, lines } = await failing({ status: 400, type: 'ValidationException' });
    const message = 'The command failed. The log has the reason under request-1.';
    expect(reply).toEqual({ ok: false, error: { code: 'internal_error', message } });
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'ERROR',
        requestId: 'request-1',
        error: expect.objectContaining({ name: 'ValidationException', stack: expect.any(String) }),
      }),
    ]);
  });

  test('an outage', async () => {
    const { reply, lines } = await failing('request lost');
    const message = 'The service cannot do this at the moment. Please try again.';
    expect(reply).toEqual({ ok: false, error: { code: 'unavailable', message } });
    expect(lines).toMatchObject([{ requestId: 'request-1', error: { name: 'Unavailable' } }]);
  });
});
