import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { newApiKey } from '../keys/api-key-fixture.ts';
import { startOperatorStandIn, succeeds } from '../operator-stand-in.ts';
import { petstoreHere } from '../petstore-here.ts';
import { EMPTY_HOME, petstore } from '../run-petstore.ts';

const NOT_RUNNING = 'Error: The service is not running on this machine.\n  Start it with: npm start\n';

/** Writes the file that `npm start` writes, and returns the variable with its path. */
function runningFile(name: string, service: object): Record<string, string> {
  const file = join(EMPTY_HOME, name);
  writeFileSync(file, JSON.stringify(service));
  return { PETSTORE_RUNNING_FILE: file };
}

describe.concurrent('--local', () => {
  test('0: needs no credentials and no region, and knows the base URL', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(newApiKey));
    const baseUrls = { staging: 'http://127.0.0.1:1/staging/v1' };
    const environment = runningFile('ours.json', {
      awsEndpoint: operator.endpoint,
      baseUrls,
      pid: process.pid,
    });
    const { stdout, stderr, exitCode } = await petstore(
      ['--local', 'keys', 'create', '--name', 'A'],
      environment,
    );
    expect(stdout).toContain(newApiKey.note);
    expect(stdout).toContain(`curl -H 'Authorization: Bearer ${newApiKey.key}' ${baseUrls.staging}/pets`);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(operator.invocations[0]?.payload).toMatchObject({ by: `local:${userInfo().username}` });
  });

  test('0: shows a project of the environment at its address on this machine', async ({ expect }) => {
    const onAws = 'https://abcdefghij.execute-api.us-east-1.amazonaws.com';
    const project = { id: 'shop', address: `${onAws}/staging`, defaultAddress: `${onAws}/staging` };
    const other = { id: 'zoo', address: 'https://zoo.example', defaultAddress: `${onAws}/live` };
    const operator = await startOperatorStandIn(succeeds({ projects: [project, other] }));
    const environment = runningFile('addresses.json', {
      awsEndpoint: operator.endpoint,
      baseUrls: { staging: 'http://127.0.0.1:1/staging/v1' },
      pid: process.pid,
    });
    const { stdout } = await petstoreHere(['projects', 'list', '--local', '--json'], environment);
    const address = 'http://127.0.0.1:1/staging';
    expect(JSON.parse(stdout)).toEqual({
      projects: [{ id: 'shop', address, defaultAddress: address }, other],
    });
  });

  test('0: ignores settings for AWS', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds({ keys: [] }));
    const elsewhere = await startOperatorStandIn();
    const running = runningFile('beside-aws.json', {
      awsEndpoint: operator.endpoint,
      baseUrls: { staging: 'http://127.0.0.1:1/staging/v1' },
      pid: process.pid,
    });
    const { exitCode } = await petstoreHere(['keys', 'list', '--local'], {
      ...elsewhere.environment,
      AWS_PROFILE: 'nobody',
      ...running,
    });
    expect(exitCode).toBe(0);
    expect(elsewhere.invocations).toEqual([]);
  });

  test('1: says how to start the service if it was never started', async ({ expect }) => {
    const run = await petstoreHere(['keys', 'list', '--local']);
    expect(run).toEqual({ stdout: '', stderr: NOT_RUNNING, exitCode: 1 });
  });

  test('1: says how to start the service if its process has ended', async ({ expect }) => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const environment = runningFile('gone.json', { awsEndpoint: 'http://127.0.0.1:1', baseUrls: {}, pid });
    expect((await petstoreHere(['keys', 'list', '--local'], environment)).stderr).toBe(NOT_RUNNING);
  });

  test('1: says how to start the service if another process has its process id', async ({ expect }) => {
    const environment = runningFile('other.json', {
      awsEndpoint: 'http://127.0.0.1:1',
      baseUrls: { staging: 'http://127.0.0.1:1/staging/v1' },
      pid: process.pid,
    });
    expect((await petstoreHere(['keys', 'list', '--local'], environment)).stderr).toBe(NOT_RUNNING);
  });
});
