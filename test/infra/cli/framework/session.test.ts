import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { urlSuffixOf } from '../../../../infra/operator/connection/invoke-operator.ts';
import { needsTool } from '../../../machine.ts';
import { startOperatorStandIn, succeeds, USER_NAME } from '../../operator/operator-stand-in.ts';
import { apiKey, newApiKey } from '../keys/api-key-fixture.ts';
import { answered, petstoreHere } from '../petstore-here.ts';
import { EMPTY_HOME, petstore, petstoreInTerminal } from '../run-petstore.ts';

const REVOKE = `keys revoke ${apiKey.id} --stage production`;

describe('a change of production', () => {
  test('2: is refused without a terminal and without --yes', async () => {
    const { stderr, exitCode, sent } = await answered(REVOKE, succeeds(apiKey));
    expect(stderr).toContain(`This changes production: revoke the API key ${apiKey.id}.`);
    expect(stderr).toContain('Re-run with --yes');
    expect([exitCode, sent]).toEqual([2, []]);
  });

  test('0: is sent with --yes', async () => {
    const { exitCode, invocations } = await answered(`${REVOKE} --yes`, succeeds(apiKey));
    expect(exitCode).toBe(0);
    expect(invocations[0]?.functionName).toBe('petstore-production-operator');
  });
});

describe('an environment of another version', () => {
  test('is noted, and the command goes on', async () => {
    const reply = { ok: true, result: { keys: [apiKey] }, version: '1.0.0+0123456789ab' };
    const { stdout, stderr, exitCode } = await answered('keys list', { reply });
    expect(stderr).toContain('staging runs version 1.0.0+0123456789ab; this checkout is 1.');
    expect(stdout).toContain(apiKey.id);
    expect(exitCode).toBe(0);
  });

  test('is part of an error, which it may explain', async () => {
    const error = { code: 'invalid_request', reason: 'command_unknown', message: 'There is no keys.list.' };
    const reply = { ok: false, error, version: '1.0.0+0123456789ab' };
    const { stderr, exitCode } = await answered('keys list', { reply });
    expect(stderr).toContain('staging runs version 1.0.0+0123456789ab');
    expect(exitCode).toBe(1);
  });
});

describe('the proof of who makes a change', () => {
  test('0: is sent with changes only', async () => {
    const read = await answered('keys list', succeeds({ keys: [] }));
    expect(read.invocations[0]).not.toHaveProperty('proof');
    const { invocations } = await answered(`keys revoke ${apiKey.id}`, succeeds(apiKey));
    const signature = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(invocations).toMatchObject([{ proof: { accessKeyId: 'AKIAEXAMPLE', signature } }]);
    expect(JSON.stringify(invocations)).not.toContain('"example"');
  });
});

describe.concurrent('the question at a terminal', needsTool('a terminal by script(1)'), () => {
  test('0: is answered with y', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(apiKey));
    const { screen, exitCode } = await petstoreInTerminal(REVOKE, operator.environment, 'y\r');
    expect(screen).toContain('Continue? [y/N] ');
    expect(screen).toContain('every request with it gets 401.');
    expect(exitCode).toBe(0);
    expect(operator.invocations).toHaveLength(1);
  });

  test.for([
    ['1: is declined with n', 'n\r', 1],
    ['1: is declined with Enter', '\r', 1],
    ['1: is declined with Ctrl-D', '\x04', 1],
    ['130: is interrupted with Ctrl-C', '\x03', 130],
  ] as const)('%s', async ([, typed, expected], { expect }) => {
    const operator = await startOperatorStandIn(succeeds(apiKey));
    const { screen, exitCode } = await petstoreInTerminal(REVOKE, operator.environment, typed);
    expect(screen).toContain('Nothing was changed.');
    expect(exitCode).toBe(expected);
    expect(operator.invocations).toEqual([]);
  });

  test('0: has colors around it unless NO_COLOR or --no-color is given', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds({ keys: [apiKey] }));
    const list = 'keys list';
    const colored = await petstoreInTerminal(list, operator.environment);
    expect(colored.screen).toContain('\u001b[32mvalid');
    const atTerminal = (line: string, NO_COLOR: string) =>
      petstoreHere(line, { ...operator.environment, NO_COLOR, TERM: 'xterm' }, 140);
    expect((await atTerminal(list, '')).stdout).toContain('\u001b[32mvalid');
    for (const { stdout } of [await atTerminal(list, '1'), await atTerminal(`${list} --no-color`, '')]) {
      expect(stdout).toContain(' valid');
      expect(stdout).not.toContain('\u001b');
    }
  });
});

const NOT_RUNNING = "Error: The service isn't running on this machine.\n  Start it with: npm start\n";

/** Writes the file that `npm start` writes, and returns the variable with its path. */
function runningFile(name: string, awsEndpoint: string): Record<string, string> {
  const file = join(EMPTY_HOME, name);
  const awsCredentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' };
  const baseUrls = { staging: 'http://127.0.0.1:1/staging/v1' };
  writeFileSync(file, JSON.stringify({ awsEndpoint, awsCredentials, baseUrls, pid: process.pid }));
  return { PETSTORE_RUNNING_FILE: file };
}

describe('--local', () => {
  test('0: needs no credentials and no region, and knows the base URL', async () => {
    const operator = await startOperatorStandIn(succeeds(newApiKey));
    const environment = runningFile('ours.json', operator.endpoint);
    const { stdout, stderr, exitCode } = await petstore('--local keys create --name A', environment);
    expect(stdout).toContain(newApiKey.note);
    expect(stdout).toContain(
      `curl -H 'Authorization: Bearer ${newApiKey.key}' http://127.0.0.1:1/staging/v1/pets`,
    );
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(operator.invocations[0]?.payload).toMatchObject({ by: USER_NAME });
  });

  test('0: shows a project of the environment at its URL on this machine', async () => {
    const onAws = 'https://abcdefghij.execute-api.us-east-1.amazonaws.com';
    const urls = (id: string, url: string) => ({ id, url, defaultUrl: url, endpointUrl: url });
    const project = urls('shop', `${onAws}/staging`);
    const other = { ...urls('zoo', `${onAws}/live`), url: 'https://zoo.example' };
    const operator = await startOperatorStandIn(succeeds({ projects: [project, other] }));
    const environment = runningFile('addresses.json', operator.endpoint);
    const { stdout } = await petstoreHere('projects list --local --json', environment);
    expect(JSON.parse(stdout)).toEqual({
      projects: [urls('shop', 'http://127.0.0.1:1/staging'), other],
    });
  });

  test('0: ignores settings for AWS', async () => {
    const operator = await startOperatorStandIn(succeeds({ keys: [] }));
    const elsewhere = await startOperatorStandIn();
    const running = runningFile('beside-aws.json', operator.endpoint);
    const { exitCode } = await petstoreHere('keys list --local', {
      ...elsewhere.environment,
      AWS_PROFILE: 'nobody',
      ...running,
    });
    expect(exitCode).toBe(0);
    expect(elsewhere.invocations).toEqual([]);
  });

  test('1: says how to start the service if it was never started', async () => {
    const run = await petstoreHere('keys list --local');
    expect(run).toEqual({ stdout: '', stderr: NOT_RUNNING, exitCode: 1 });
  });

  test('1: says how to start the service if another process has its process id', async () => {
    const environment = runningFile('other.json', 'http://127.0.0.1:1');
    expect((await petstoreHere('keys list --local', environment)).stderr).toBe(NOT_RUNNING);
  });
});

test.each([
  ['eu-central-1', 'amazonaws.com'],
  ['us-gov-west-1', 'amazonaws.com'],
  ['cn-north-1', 'amazonaws.com.cn'],
  ['eusc-de-east-1', 'amazonaws.eu'],
])('the proof of who makes a change in %s is for %s', async (region, suffix) => {
  const { LambdaClient } = await import('@aws-sdk/client-lambda');
  expect(urlSuffixOf(new LambdaClient({ region }), region)).toBe(suffix);
});
