import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fails, refuses, succeeds } from '../../operator/operator-stand-in.ts';
import { apiKey, KEY } from '../keys/api-key-fixture.ts';
import { environment, failing, type Payload } from './environment-stand-in.ts';

const EXPIRED = { ...apiKey, name: 'petstore smoke', expiresAt: '2026-01-01T00:00:00.000Z' };
const idsOf = (payloads: readonly Payload[]) => payloads.map(({ id }) => id);

describe('petstore smoke', () => {
  test('1: names every check that is broken, with what was expected and seen', async () => {
    const { run, payloads } = await environment(failing);
    const { stdout, exitCode } = await run();
    expect(stdout).toMatch(
      /^broken {3}listPets returns a page\n {9}GET \/pets\?limit=2: expected 200, got 500 \{\}$/m,
    );
    expect(stdout).toMatch(
      /^staging: 1 of \d+ checks passed, \d+ broken, 2 skipped\.\nBroken: createPet creates/m,
    );
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain(KEY);
    expect(idsOf(payloads('keys.revoke'))).toEqual(['key_1', 'key_2']);
  });

  test('1: shows what a response says on one line, without what a terminal interprets', async () => {
    const { run } = await environment((_, response) => {
      response.writeHead(500, { 'X-Request-Id': '\u{9b}2J' }).end('\u{1b}[2J\n::error::no');
    });
    expect((await run()).stdout).toContain('expected 200, got 500 �[2J ::error::no\n');
  });

  test('1: says how to see why, for responses that can be looked up', async () => {
    const failingWithId: RequestListener = (_, response) =>
      void response.writeHead(500, { 'X-Request-Id': '0123456789' }).end('{}');
    const [identified, anonymous] = await Promise.all([environment(failingWithId), environment(failing)]);
    const advice = 'See why with: petstore request <X-Request-Id>';
    expect((await identified.run()).stdout).toContain(advice);
    expect((await anonymous.run()).stdout).not.toContain(advice);
    const { checks } = JSON.parse((await identified.run(' --json')).stdout);
    expect(checks[0]).toMatchObject({ outcome: 'broken', requestId: '0123456789' });
  });

  test('1: creates keys that expire by the function for checks alone, and asks nothing in production', async () => {
    const { run, payloads, invoked } = await environment(failing);
    const { exitCode } = await run(' --stage production --json');
    expect(exitCode).toBe(1);
    expect(payloads('pets.rehearse')).toHaveLength(1);
    expect(invoked()).toEqual(new Set(['petstore-production-checks']));
    const created = payloads('keys.create');
    expect(created).toMatchObject([
      { name: 'petstore smoke', scopes: ['pets:read', 'pets:write'] },
      { name: 'petstore smoke', scopes: ['orders:read'] },
    ]);
    for (const { expiresAt } of created) {
      const leftMs = Date.parse(String(expiresAt)) - Date.now();
      expect(leftMs).toBeGreaterThan(0);
      expect(leftMs).toBeLessThanOrEqual(15 * 60_000);
    }
  });

  test('1: says which checks it leaves out in production', async () => {
    const { run } = await environment(failing);
    expect((await run(' --stage production')).stdout).toMatch(
      /\nNot tried, because it would leave pets behind: createPet creates an animal.*; createPet with an Idempotency-Key .*\.\n/,
    );
  });

  test('1: calls the primary domain at our host, wherever its DNS leads, while the default endpoint is closed', async () => {
    const hellos: string[] = [];
    const host = createServer(socket => {
      socket.once('data', hello => hellos.push(hello.toString('latin1')) && socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    onTestFinished(() => void host.close());
    const value = `127.0.0.1:${(host.address() as AddressInfo).port}`;
    const project = { url: 'https://www.zoo.dev', primary: 'www.zoo.dev', defaultEndpoint: 'closed' };
    const shown = succeeds({ records: [{ purpose: 'traffic', value }] });
    const { run, payloads } = await environment(
      failing,
      { 'domains.show': shown },
      { project: () => project },
    );
    const { stdout } = await run(' --json');
    expect(payloads('domains.show')).toMatchObject([{ domain: 'www.zoo.dev' }]);
    expect(JSON.parse(stdout).baseUrl).toBe('https://www.zoo.dev/v1');
    expect(hellos[0]).toContain('www.zoo.dev');
  });

  test('1: waits until the deploy is recorded, and says so', async () => {
    let asked = 0;
    const { run } = await environment(failing, ({ command }) => {
      if (command !== 'projects.show') return undefined;
      asked += 1;
      return asked < 4
        ? refuses('project_unknown', "Project petstore doesn't exist.", 'not_found')
        : undefined;
    });
    const { stdout, stderr } = await run();
    expect(stderr).toContain('Waiting up to 90 s for the deploy to be recorded …');
    expect(stdout).toMatch(/^broken {3}listPets/m);
  });

  test('1: waits until API Gateway knows its keys, and says so', async () => {
    let asked = 0;
    const { run } = await environment((_, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 401 : 500).end('{}');
    });
    const { stdout, stderr } = await run();
    expect(stderr).toContain('Waiting up to 120 s for API Gateway to accept the temporary API keys …');
    expect(stdout).not.toContain('got 401');
  });

  test('1: forgets its keys, and those of runs that were killed', async () => {
    const keys = [
      { ...EXPIRED, id: 'key_left' },
      { ...apiKey, id: 'key_of_another_run', name: 'petstore smoke' },
      { ...EXPIRED, id: 'key_of_client', name: 'Acme' },
    ];
    const { run, payloads } = await environment(failing, { 'keys.list': succeeds({ keys }) });
    await run();
    expect(idsOf(payloads('keys.forget'))).toEqual(['key_left']);
  });

  test('1: goes on where a key cannot be forgotten', async () => {
    const { run } = await environment(failing, {
      'keys.list': succeeds({ keys: [EXPIRED] }),
      'keys.forget': refuses('key_unknown', 'There is no such key.', 'not_found'),
    });
    const { stdout, stderr } = await run();
    expect(stderr).toContain('Some records of revoked API keys are left over: There is no such key.');
    expect(stdout).toMatch(/^staging: 1 of/m);
  });

  test('2: asks before it adds a domain to production', async () => {
    const { run } = await environment(failing);
    const { stderr, exitCode } = await run(' --domains --stage production');
    expect(stderr).toContain('This adds a custom domain to production');
    expect(exitCode).toBe(2);
  });

  test('130: revokes its keys when it is interrupted', async () => {
    const { run, payloads } = await environment(() => process.emit('SIGINT'));
    const { stderr, stdout, exitCode } = await run();
    expect([exitCode, stdout]).toEqual([130, '']);
    expect(stderr).toContain('Interrupted.');
    expect(idsOf(payloads('keys.revoke'))).toEqual(['key_1', 'key_2']);
  });

  test('130: revokes the key that is being created when it is interrupted', async () => {
    const { run, payloads } = await environment(failing, ({ command, scopes }) => {
      if (command === 'keys.create' && String(scopes) === 'orders:read') process.emit('SIGINT');
      return undefined;
    });
    const { stderr, exitCode } = await run();
    expect([exitCode, stderr]).toEqual([130, expect.stringContaining('Interrupted.')]);
    expect(idsOf(payloads('keys.revoke'))).toEqual(['key_1', 'key_2']);
  });

  test('1: revokes the first key when the second cannot be created', async () => {
    const { run, payloads } = await environment(failing, ({ command, scopes }) =>
      command === 'keys.create' && String(scopes) === 'orders:read'
        ? refuses('key_quota_reached', 'There are too many keys.')
        : undefined,
    );
    const { stderr, exitCode } = await run();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('There are too many keys.')]);
    expect(idsOf(payloads('keys.revoke'))).toEqual(['key_1']);
  });

  test('1: names a key that could not be revoked, and how to revoke it', async () => {
    const denied = fails(403, 'AccessDeniedException', 'no');
    const { run } = await environment(failing, { 'keys.revoke': denied });
    const { stdout, exitCode } = await run();
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^broken {3}a revoked API key is refused\n {9}The temporary API key key_1 wasn't revoked: .*petstore keys revoke key_1$/m,
    );
  });

  test('1: stops asking an environment that does not respond', async () => {
    const { run } = await environment(request => void request.socket.destroy());
    const { stdout, exitCode } = await run();
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/expected a response, got none/);
    expect(stdout.match(/^broken/gm)?.length).toBeLessThanOrEqual(4);
    expect(stdout).toContain("the environment doesn't respond");
  });
});
