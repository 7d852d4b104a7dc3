import { describe, expect, test } from 'vitest';
import {
  ACCESS,
  accessLine,
  CREATE_PET,
  functionLine,
  REDIRECTS,
  REQUEST_ID,
  servedEnvironment,
} from './environment-logs.ts';

const INVOCATION = '8b0c8a8e-3f0e-4b1c-9c3e-0f6d5b3a2c1d';
const SERVED = {
  functionRequestId: INVOCATION,
  functionLatencyMs: '20',
  authorizerLatencyMs: '5',
  keyId: 'key_1',
};

describe('petstore request', () => {
  test('0: prints the story for people', async () => {
    const logs = await servedEnvironment();
    await logs.write(ACCESS, accessLine({ ...SERVED, status: '400' }));
    const refusal = { message: 'name is required', requestId: REQUEST_ID, code: 'invalid_request' };
    await logs.write(CREATE_PET, functionLine(refusal));
    const { stdout } = await logs.run(`request ${REQUEST_ID}`);
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}|\d\d:\d\d:\d\d\.\d{3}/g, '(time)')).toBe(
      `POST /v1/pets (createPet) got 400.
name is required. (invalid_request)

When        (time) UTC
Request ID  ${REQUEST_ID}
API key     key_1
From        203.0.113.9
Host        abcdefghij.execute-api.eu-central-1.amazonaws.com
Decided by  its function
Took        34 ms: authorizer 5 ms, function 20 ms
Response    70 bytes

Logged:
  (time)  pets-create-pet  INFO name is required
`,
    );
  });

  test('0: finds a request of a redirect domain, and one on a late page of a long log', async () => {
    const logs = await servedEnvironment({ scanBytes: 2_000 });
    const others = Array<string>(12).fill(accessLine({ requestId: 'another-request=' }));
    const redirected = accessLine({ method: 'GET', resource: '/{proxy+}', status: '301' });
    await logs.write(REDIRECTS, ...others, redirected);
    logs.nowMs += 5_000;
    const { stdout } = await logs.run(`request ${REQUEST_ID} --json --since 5m`);
    expect(JSON.parse(stdout)).toMatchObject({ status: 301, answeredBy: 'gateway' });
  });

  test('0: accepts the id without its padding, or with the name of the header', async () => {
    const logs = await servedEnvironment();
    await logs.write(ACCESS, accessLine(SERVED));
    for (const id of ['JKJaXmPLvHcESHA', `X-Request-Id: ${REQUEST_ID}`]) {
      expect((await logs.run(['request', id])).exitCode).toBe(0);
    }
  });

  test('0: shows no secret that a message quotes', async () => {
    const key = `pet_test_${'a1B2'.repeat(8)}Zz`;
    const logs = await servedEnvironment();
    const error = { name: 'Error', message: `bad header Bearer ${key}`, stack: key };
    await logs.write(ACCESS, accessLine({ ...SERVED, status: '500' }));
    await logs.write(CREATE_PET, functionLine({ message: `got ${key}`, requestId: REQUEST_ID, error }));
    for (const more of ['', ' --json']) {
      const { stdout, exitCode } = await logs.run(`request ${REQUEST_ID}${more}`);
      expect(exitCode).toBe(0);
      expect(stdout).not.toContain('a1B2');
      expect(stdout).toContain('(an API key)');
    }
  });

  test('4: says what was searched when no access log has the request', async () => {
    const logs = await servedEnvironment();
    await logs.write(ACCESS, accessLine({ requestId: 'another-request=' }));
    const { stdout, stderr, exitCode } = await logs.run(`request ${REQUEST_ID} --since 2h`);
    expect([stdout, exitCode]).toEqual(['', 4]);
    expect(stderr).toMatch(
      /The request JKJaXmPLvHcESHA= isn't in the access logs of staging from .* UTC to .* UTC\./,
    );
    expect(stderr).toContain('Lines take a few seconds to appear');
  });

  test('4: --json has the code request_not_found', async () => {
    const logs = await servedEnvironment();
    const { stderr, exitCode } = await logs.run(`request ${REQUEST_ID} --json`);
    expect(exitCode).toBe(4);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'request_not_found' } });
  });

  test('1: the stack is not deployed here', async () => {
    const logs = await servedEnvironment();
    const { stderr, exitCode } = await logs.run(`request ${REQUEST_ID} --stage sandbox`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('There are no logs of Petstore-Sandbox in us-east-1.');
  });

  test.each([
    ['a key', `pet_live_${'a1B2'.repeat(8)}Zz`, "That's an API key"],
    ['a header with a key', `Bearer pet_test_${'a1B2'.repeat(8)}Zz`, "That's an API key"],
    ['an x-amzn-RequestId', INVOCATION, 'is an x-amzn-RequestId'],
    ['a word', 'last', '"last" isn\'t an X-Request-Id.'],
    ['a pattern', 'JKJaXmPL*HcESHA=', "isn't an X-Request-Id."],
    ['quotes', '" || $.a = "b', "isn't an X-Request-Id."],
  ])('2: %s is not a request id', async (_, id, message) => {
    const logs = await servedEnvironment();
    const { stderr, exitCode } = await logs.run(['request', id]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('a1B2');
  });
});
