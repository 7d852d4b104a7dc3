import { describe, expect, test } from 'vitest';
import { refuses, startOperatorStandIn, succeeds, USER_NAME } from '../../operator/operator-stand-in.ts';
import { answered, petstoreHere } from '../petstore-here.ts';
import { apiKey, KEY, newApiKey } from './api-key-fixture.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('keys create', () => {
  test('0: prints the key on a line of its own, and sends the options and who sends them, without a call to STS', async () => {
    const operator = await startOperatorStandIn(succeeds(newApiKey));
    const line = 'keys create --name Acme --expires 2099-01-31 --scopes pets:read,pets:write';
    const noSts = { ...operator.environment, AWS_ENDPOINT_URL_STS: 'http://127.0.0.1:1' };
    const { stdout, stderr, exitCode } = await petstoreHere(line.split(' '), noSts);
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

  test('1: reports a key whose response was lost; the SDK repeats the request with the same requestId', async () => {
    const replayed = { reply: { ok: true, result: apiKey, replayed: true } };
    const { stdout, stderr, exitCode, sent } = await answered(
      'keys create --name Acme',
      'hangs up',
      replayed,
    );
    expect(stderr).toContain(`petstore keys revoke ${apiKey.id}`);
    expect([stdout, exitCode]).toEqual(['', 1]);
    const [first, second] = sent.map(({ requestId }) => requestId);
    expect(first).toBe(second);
  });
});

describe('keys list', () => {
  test('0: prints a table with one line per key, whatever its name', async () => {
    const keys = [
      { ...apiKey, id: 'key_1', name: 'two\nlines \u001b[31m', revokedAt: '2026-02-01T00:00:00.000Z' },
      { ...apiKey, id: 'key_2', name: 'Zoo '.repeat(60).trim(), scopes: ['pets:read'] },
      { ...apiKey, id: 'key_3', expiresAt: '2026-01-02T00:00:00.000Z' },
    ];
    const lost = { ...apiKey, id: 'key_4', createdAt: '2025-01-01T00:00:00.000Z' };
    const disabled = { ...lost, id: 'key_5', createdAt: '2024-01-01T00:00:00.000Z' };
    const differences = { missing: ['key_4'], disabled: [{ id: 'key_5', gatewayId: 'abc' }] };
    const { stdout, exitCode, sent } = await answered(
      'keys list',
      succeeds({ keys: [...keys, lost, disabled], differences }),
    );
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ID +NAME +KEY +SCOPES +CREATED +EXPIRES +LAST SEEN +STATUS$/);
    expect(lines[1]).toMatch(/^key_2 .* pets:read .* valid$/);
    expect(lines[2]).toMatch(/^key_4 .* lost$/);
    expect(lines[3]).toMatch(/^key_5 .* disabled$/);
    expect(stdout).toContain('API Gateway lost 1 key. Restore with: petstore keys reconcile\n');
    expect(stdout).toContain('aws apigateway update-api-key --api-key abc ');
    expect(lines.slice(4, 6).toSorted()).toEqual([
      expect.stringMatching(/^key_1 .* all .* revoked$/),
      expect.stringMatching(/^key_3 .* 2 Jan 2026 +never +expired$/),
    ]);
    expect(stdout).not.toContain('\u001b');
    expect(exitCode).toBe(0);
    expect(sent[0]).toEqual({ command: 'keys.list', compare: true });
  });

  test('0: suggests keys create when there are no keys', async () => {
    const { stdout, invocations } = await answered('--stage production keys list', succeeds({ keys: [] }));
    expect(stdout).toBe(
      'No API keys yet. Create one with: petstore keys create --name "Acme" --stage production\n',
    );
    expect(invocations[0]?.functionName).toBe('petstore-production-operator');
  });

  test('0: --json prints the result unchanged', async () => {
    const result = { keys: [{ ...apiKey, name: 'Zoo\n動物園' }], later: 1 };
    const { stdout } = await answered('--json keys list', succeeds(result));
    expect(JSON.parse(stdout)).toEqual(result);
  });
});

describe('keys revoke', () => {
  test('0: says when requests with it are refused', async () => {
    const revoked = succeeds({ ...apiKey, revokedAt: '2026-02-01T00:00:00.000Z' });
    const { stdout, exitCode, sent } = await answered(`keys revoke ${apiKey.id}`, revoked);
    expect(stdout).toBe(
      `Revoked ${apiKey.id}, the API key for "Acme" in staging. Within a minute, every request with it gets 401.\n`,
    );
    expect(exitCode).toBe(0);
    expect(sent[0]).toMatchObject({ command: 'keys.revoke', id: apiKey.id });
  });

  test('1: advises keys list for an unknown id', async () => {
    const unknown = refuses('key_unknown', 'There is no key key_2.', 'not_found');
    expect(await answered('keys revoke key_2', unknown)).toMatchObject({
      stdout: '',
      stderr: 'Error: There is no key key_2.\n  List them: petstore keys list\n',
      exitCode: 1,
    });
  });

  test('1: --json prints the error, its reason included, as one line of JSON on standard error', async () => {
    const refused = refuses('key_not_valid', 'It is revoked already.');
    expect(await answered('keys revoke key_2 --json', refused)).toMatchObject({
      stdout: '',
      stderr: '{"error":{"code":"conflict","reason":"key_not_valid","message":"It is revoked already."}}\n',
      exitCode: 1,
    });
  });

  test('2: neither sends nor prints a key that is given instead of its id', async () => {
    const { stdout, stderr, exitCode, sent } = await answered(['keys', 'revoke', KEY]);
    expect(stderr).toContain('petstore keys list');
    expect(stdout + stderr).not.toContain(KEY);
    expect(exitCode).toBe(2);
    expect(sent).toEqual([]);
  });
});

describe('keys rotate', () => {
  test('0: prints the new key, and until when the old one works', async () => {
    const replaces = { id: 'key_old', expiresAt: '2099-01-31T12:30:00.000Z' };
    const rotated = succeeds({ ...newApiKey, replaces });
    const { stdout, sent } = await answered('keys rotate key_old --overlap 30m', rotated);
    expect(stdout.split('\n')).toContain(KEY);
    expect(stdout).toContain('The old key, key_old, works until 2099-01-31 12:30 UTC');
    expect(sent[0]).toMatchObject({ command: 'keys.rotate', id: 'key_old', overlapHours: 0.5 });
  });
});

const NOTHING = { added: [], removed: [], remaining: 0, left: { valid: 3, recent: 0, foreign: 0 } };

describe('keys reconcile', () => {
  test('0: prints what was added, removed and left', async () => {
    const left = { valid: 3, recent: 1, foreign: 2 };
    const result = { ...NOTHING, added: ['key_a'], removed: ['key_b'], left };
    const { stdout, exitCode, sent } = await answered('keys reconcile', succeeds(result));
    expect(stdout.split('\n')).toEqual([
      'Synced API Gateway with the API keys of staging: 1 added, 1 removed, 3 unchanged.',
      'Left 1 without a record alone: someone may be creating them right now.',
      "Left 2 in the usage plan alone: they aren't this environment's.",
      '  added    key_a',
      '  removed  key_b',
      '',
    ]);
    expect(exitCode).toBe(0);
    expect(sent[0]).toMatchObject({ command: 'keys.reconcile', requestId: expect.any(String) });
  });

  test('0: repeats the command until nothing remains, and adds up', async () => {
    const runs = [
      { ...NOTHING, added: ['key_a'], remaining: 1 },
      { ...NOTHING, added: ['key_b'] },
    ];
    const run = await answered('keys reconcile --json', ...runs.map(succeeds));
    expect(JSON.parse(run.stdout)).toEqual({ ...NOTHING, added: ['key_a', 'key_b'] });
    expect(run).toMatchObject({ stderr: '', exitCode: 0 });
    const [first, second] = run.sent.map(({ requestId }) => requestId);
    expect(first).not.toBe(second);
  });

  test('4: ends when a run changes nothing although something remains', async () => {
    const stuck = succeeds({ ...NOTHING, remaining: 5 });
    const { stdout, exitCode, sent } = await answered('keys reconcile', stuck);
    expect(stdout).toContain('5 changes remain. Run it again: petstore keys reconcile\n');
    expect([exitCode, sent.length]).toEqual([4, 1]);
  });
});
