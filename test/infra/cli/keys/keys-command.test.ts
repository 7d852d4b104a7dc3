import { describe, expect, test } from 'vitest';
import { refuses, startOperatorStandIn, succeeds, USER_NAME } from '../../operator/operator-stand-in.ts';
import { petstoreHere as petstore, petstoreHere } from '../petstore-here.ts';
import { apiKey, KEY, newApiKey } from './api-key-fixture.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe.concurrent('keys create', () => {
  test('0: prints the key on a line of its own, and sends the options and who sends them, without a call to STS', async ({
    expect,
  }) => {
    const operator = await startOperatorStandIn(succeeds(newApiKey));
    const words = [
      'keys',
      'create',
      '--name',
      'Acme',
      '--expires',
      '2099-01-31',
      '--scopes',
      'pets:read,pets:write',
    ];
    const noSts = { ...operator.environment, AWS_ENDPOINT_URL_STS: 'http://127.0.0.1:1' };
    const { stdout, stderr, exitCode } = await petstore(words, noSts);
    expect(stdout.split('\n')).toContain(KEY);
    expect(stdout).toContain("You won't see this key again");
    expect(stdout).toContain('It may take some seconds.');
    expect(stdout).not.toContain('curl');
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(operator.invocations[0]).toEqual({
      functionName: 'petstore-staging-operator',
      payload: {
        command: 'keys.create',
        requestId: expect.stringMatching(UUID),
        seed: expect.any(String),
        by: USER_NAME,
        name: 'Acme',
        expiresAt: '2099-01-31T23:59:59.000Z',
        scopes: ['pets:read', 'pets:write'],
      },
      proof: expect.anything(),
    });
  });

  test('1: reports a key whose response was lost; the SDK repeats the request with the same requestId', async ({
    expect,
  }) => {
    const operator = await startOperatorStandIn('hangs up', {
      reply: { ok: true, result: apiKey, replayed: true },
    });
    const { stdout, stderr, exitCode } = await petstore(
      ['keys', 'create', '--name', 'Acme'],
      operator.environment,
    );
    expect(stderr).toContain(`petstore keys revoke ${apiKey.id}`);
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
    const [first, second] = operator.invocations.map(({ payload }) => payload.requestId);
    expect(first).toBe(second);
  });
});

describe.concurrent('keys list', () => {
  test('0: prints a table with one line per key, whatever its name', async ({ expect }) => {
    const keys = [
      { ...apiKey, id: 'key_1', name: 'two\nlines \u001b[31m', revokedAt: '2026-02-01T00:00:00.000Z' },
      { ...apiKey, id: 'key_2', name: 'Zoo '.repeat(60).trim(), scopes: ['pets:read'] },
      { ...apiKey, id: 'key_3', expiresAt: '2026-01-02T00:00:00.000Z' },
    ];
    const lost = { ...apiKey, id: 'key_4', createdAt: '2025-01-01T00:00:00.000Z' };
    const disabled = { ...lost, id: 'key_5', createdAt: '2024-01-01T00:00:00.000Z' };
    const differences = { missing: ['key_4'], disabled: [{ id: 'key_5', gatewayId: 'abc' }] };
    const operator = await startOperatorStandIn(succeeds({ keys: [...keys, lost, disabled], differences }));
    const { stdout, exitCode } = await petstore(['keys', 'list'], operator.environment);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ID +NAME +KEY +SCOPES +CREATED +EXPIRES +LAST SEEN +STATUS$/);
    expect(lines[1]).toMatch(/^key_2 .* pets:read .* valid$/);
    expect(lines[2]).toMatch(/^key_4 .* lost$/);
    expect(lines[3]).toMatch(/^key_5 .* disabled$/);
    expect(stdout).toContain('API Gateway lost 1 key. Restore with: petstore keys reconcile\n');
    expect(stdout).toContain('aws apigateway update-api-key --api-key abc ');
    expect(lines.slice(4, 6).toSorted()).toEqual([
      expect.stringMatching(/^key_1 .* all .* revoked$/),
      expect.stringMatching(/^key_3 .* 2026-01-02 +never +expired$/),
    ]);
    expect(stdout).not.toContain('\u001b');
    expect(exitCode).toBe(0);
    expect(operator.invocations[0]?.payload).toEqual({ command: 'keys.list', compare: true });
  });

  test('0: suggests keys create when there are no keys', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds({ keys: [] }));
    const { stdout } = await petstore(['--stage', 'production', 'keys', 'list'], operator.environment);
    expect(stdout).toBe(
      'No API keys yet. Create one with: petstore keys create --name "Acme" --stage production\n',
    );
    expect(operator.invocations[0]?.functionName).toBe('petstore-production-operator');
  });

  test('0: --json prints the result unchanged', async ({ expect }) => {
    const result = { keys: [{ ...apiKey, name: 'Zoo\n動物園' }], later: 1 };
    const operator = await startOperatorStandIn(succeeds(result));
    const { stdout } = await petstore(['--json', 'keys', 'list'], operator.environment);
    expect(JSON.parse(stdout)).toEqual(result);
  });
});

describe.concurrent('keys revoke', () => {
  test('0: says when requests with it are refused', async ({ expect }) => {
    const operator = await startOperatorStandIn(
      succeeds({ ...apiKey, revokedAt: '2026-02-01T00:00:00.000Z' }),
    );
    const { stdout, exitCode } = await petstore(['keys', 'revoke', apiKey.id], operator.environment);
    expect(stdout).toBe(
      `Revoked ${apiKey.id}, the API key for "Acme" in staging. Within a minute, every request with it gets 401.\n`,
    );
    expect(exitCode).toBe(0);
    expect(operator.invocations[0]?.payload).toMatchObject({ command: 'keys.revoke', id: apiKey.id });
  });

  test('1: advises keys list for an unknown id', async ({ expect }) => {
    const operator = await startOperatorStandIn(
      refuses('key_unknown', 'There is no key key_2.', 'not_found'),
    );
    const { stdout, stderr, exitCode } = await petstore(['keys', 'revoke', 'key_2'], operator.environment);
    expect(stderr).toBe('Error: There is no key key_2.\n  List them: petstore keys list\n');
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
  });

  test('1: --json prints the error, its reason included, as one line of JSON on standard error', async ({
    expect,
  }) => {
    const operator = await startOperatorStandIn(refuses('key_not_valid', 'It is revoked already.'));
    const run = await petstore(['keys', 'revoke', 'key_2', '--json'], operator.environment);
    expect(run).toEqual({
      stdout: '',
      stderr: '{"error":{"code":"conflict","reason":"key_not_valid","message":"It is revoked already."}}\n',
      exitCode: 1,
    });
  });

  test('2: neither sends nor prints a key that is given instead of its id', async ({ expect }) => {
    const operator = await startOperatorStandIn();
    const { stdout, stderr, exitCode } = await petstore(['keys', 'revoke', KEY], operator.environment);
    expect(stderr).toContain('petstore keys list');
    expect(stdout + stderr).not.toContain(KEY);
    expect(exitCode).toBe(2);
    expect(operator.invocations).toEqual([]);
  });
});

describe.concurrent('keys rotate', () => {
  test('0: prints the new key, and until when the old one works', async ({ expect }) => {
    const replaces = { id: 'key_old', expiresAt: '2099-01-31T12:30:00.000Z' };
    const operator = await startOperatorStandIn(succeeds({ ...newApiKey, replaces }));
    const words = ['keys', 'rotate', 'key_old', '--overlap', '30m'];
    const { stdout } = await petstore(words, operator.environment);
    expect(stdout.split('\n')).toContain(KEY);
    expect(stdout).toContain('The old key, key_old, works until 2099-01-31 12:30 UTC');
    expect(operator.invocations[0]?.payload).toMatchObject({
      command: 'keys.rotate',
      id: 'key_old',
      overlapHours: 0.5,
    });
  });
});

const NOTHING = {
  added: [],
  removed: [],
  remaining: 0,
  left: { valid: 3, recent: 0, foreign: 0 },
};

describe('keys reconcile', () => {
  test('0: prints what was added, removed and left', async () => {
    const left = { valid: 3, recent: 1, foreign: 2 };
    const result = { ...NOTHING, added: ['key_a'], removed: ['key_b'], left };
    const operator = await startOperatorStandIn(succeeds(result));
    const { stdout, exitCode } = await petstoreHere(['keys', 'reconcile'], operator.environment);
    expect(stdout).toBe(
      [
        'Synced API Gateway with the API keys of staging: 1 added, 1 removed, 3 unchanged.',
        'Left 1 without a record alone: someone may be creating them right now.',
        "Left 2 in the usage plan alone: they aren't this environment's.",
        '  added    key_a',
        '  removed  key_b',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(0);
    expect(operator.invocations[0]?.payload).toMatchObject({
      command: 'keys.reconcile',
      requestId: expect.any(String),
    });
  });

  test('0: repeats the command until nothing remains, and adds up', async () => {
    const runs = [
      { ...NOTHING, added: ['key_a'], remaining: 1 },
      { ...NOTHING, added: ['key_b'] },
    ];
    const operator = await startOperatorStandIn(...runs.map(succeeds));
    const run = await petstoreHere(['keys', 'reconcile', '--json'], operator.environment);
    expect(JSON.parse(run.stdout)).toEqual({ ...NOTHING, added: ['key_a', 'key_b'] });
    expect(run).toMatchObject({ stderr: '', exitCode: 0 });
    const [first, second] = operator.invocations.map(({ payload }) => payload.requestId);
    expect(first).not.toBe(second);
  });

  test('4: ends when a run changes nothing although something remains', async () => {
    const operator = await startOperatorStandIn(succeeds({ ...NOTHING, remaining: 5 }));
    const { stdout, exitCode } = await petstoreHere(['keys', 'reconcile'], operator.environment);
    expect(stdout).toContain('5 changes remain. Run it again: petstore keys reconcile\n');
    expect(exitCode).toBe(4);
    expect(operator.invocations).toHaveLength(1);
  });
});
