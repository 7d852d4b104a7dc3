import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exchange } from '../../../infra/tools/http-exchange.ts';
import { answered, petstoreHere } from '../cli/petstore-here.ts';
import { EMPTY_HOME } from '../cli/run-petstore.ts';
import { startOperatorStandIn, succeeds, USER_NAME } from '../operator/operator-stand-in.ts';

const LAUNCHER = resolve(import.meta.dirname, '../../../infra/bin/petstore');

async function dashboard(environment: Readonly<Record<string, string>>, ...words: string[]) {
  const child = spawn(LAUNCHER, ['dashboard', '--no-open', '--port', '0', ...words], {
    cwd: EMPTY_HOME,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: EMPTY_HOME,
      AWS_EC2_METADATA_DISABLED: 'true',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/[^"\s]+/.exec(line) ?? [];
    if (url) return { child, url };
  }
  throw new Error('The command has printed no URL.');
}

describe('petstore dashboard', () => {
  test('0: serves the environment with the credentials of the shell until it is interrupted', async () => {
    const operator = await startOperatorStandIn(succeeds({ id: 'key_1' }));
    const { child, url } = await dashboard(operator.environment, '--stage', 'production', '--json');
    const { origin, host, port, hash } = new URL(url);
    const send = async (path: string, secret: string, body: unknown) => {
      const own = { Host: host, Origin: origin, 'X-Petstore-Dashboard': secret };
      const headers = { ...own, 'Content-Type': 'application/json' };
      const sent = { method: 'POST', headers, body: JSON.stringify(body) };
      const { text } = await exchange(`http://127.0.0.1:${port}${path}`, sent);
      return JSON.parse(text);
    };
    const opened = await send('/api/session', hash.slice('#token='.length), { input: {} });
    const requestId = '6f1c8d1e-53a1-4a3e-9f55-0d9f5a5d2b11';
    const body = { input: { id: 'key_1' }, requestId };
    const revoked = await send('/api/production/commands/keys.revoke', opened.result?.session ?? '', body);
    expect(revoked).toEqual({ ok: true, result: { id: 'key_1' } });
    expect(operator.invocations).toEqual([
      {
        functionName: 'petstore-production-operator',
        payload: { command: 'keys.revoke', id: 'key_1', requestId, by: USER_NAME },
        proof: expect.anything(),
      },
    ]);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('1: says that there are no credentials before it serves anything', async () => {
    const environment = { AWS_REGION: 'eu-central-1' };
    const { stderr, exitCode } = await petstoreHere('dashboard --no-open', environment);
    expect(stderr).toContain('There are no AWS credentials on this machine.');
    expect(exitCode).toBe(1);
  });

  test('1: says that the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const run = await answered(`dashboard --no-open --port ${port}`, succeeds({}));
    server.close();
    expect(run.stderr).toContain(`Port ${port} is in use.`);
    expect(run.exitCode).toBe(1);
  });

  test('2: an invalid port', async () => {
    const { stderr, exitCode } = await petstoreHere('dashboard --port 70000');
    expect([stderr.split('\n')[0], exitCode]).toEqual([
      'Error: --port takes a number from 0 to 65535, not "70000".',
      2,
    ]);
  });
});
