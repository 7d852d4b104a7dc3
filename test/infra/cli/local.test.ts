import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { newApiKey } from './api-key-fixture.ts';
import { startOperatorStandIn, succeeds } from './operator-stand-in.ts';
import { EMPTY_HOME, petstore } from './run-petstore.ts';

const NOT_RUNNING = 'Error: The service is not running on this machine.\n  Start it with: npm start\n';

/** Notes a service as `npm start` does, and returns the variable that leads to the note. */
function noted(name: string, service: object): Record<string, string> {
  const file = join(EMPTY_HOME, name);
  writeFileSync(file, JSON.stringify(service));
  return { PETSTORE_RUNNING_FILE: file };
}

describe.concurrent('--local', () => {
  test('0: no credentials and no region; the base address is known', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(newApiKey));
    const baseUrls = { staging: 'http://127.0.0.1:3000/staging/v1' };
    const environment = noted('ours.json', { awsEndpoint: operator.endpoint, baseUrls, pid: process.pid });
    const { stdout, stderr, exitCode } = await petstore(
      ['--local', 'keys', 'create', '--name', 'A'],
      environment,
    );
    expect(stdout).toContain(`curl -H 'Authorization: Bearer ${newApiKey.key}' ${baseUrls.staging}/pets`);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(operator.invocations[0]?.payload).toMatchObject({ by: `local:${userInfo().username}` });
  });

  test('0: settings for AWS are not used', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds({ keys: [] }));
    const elsewhere = await startOperatorStandIn();
    const note = noted('beside-aws.json', { awsEndpoint: operator.endpoint, baseUrls: {}, pid: process.pid });
    const { exitCode } = await petstore(['keys', 'list', '--local'], {
      ...elsewhere.environment,
      AWS_PROFILE: 'nobody',
      ...note,
    });
    expect(exitCode).toBe(0);
    expect(elsewhere.invocations).toEqual([]);
  });

  test('1: nothing was started', async ({ expect }) => {
    const run = await petstore(['keys', 'list', '--local']);
    expect(run).toEqual({ stdout: '', stderr: NOT_RUNNING, exitCode: 1 });
  });

  test('1: what was started is gone', async ({ expect }) => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const environment = noted('gone.json', { awsEndpoint: 'http://127.0.0.1:1', baseUrls: {}, pid });
    expect((await petstore(['keys', 'list', '--local'], environment)).stderr).toBe(NOT_RUNNING);
  });

  test('1: another process has its number now', async ({ expect }) => {
    const environment = noted('other.json', {
      awsEndpoint: 'http://127.0.0.1:1',
      baseUrls: {},
      pid: process.pid,
    });
    expect((await petstore(['keys', 'list', '--local'], environment)).stderr).toBe(NOT_RUNNING);
  });
});
