import { describe, expect, test } from 'vitest';
import {
  ACCESS,
  AUTHORIZE,
  accessLine,
  CREATE_PET,
  functionLine,
  REQUEST_ID,
  servedEnvironment,
} from './environment-logs.ts';

const INVOCATION = '8b0c8a8e-3f0e-4b1c-9c3e-0f6d5b3a2c1d';
const AUTHORIZATION = '1d2c3b4a-3f0e-4b1c-9c3e-0f6d5b3a2c1d';
const SERVED = {
  functionRequestId: INVOCATION,
  functionLatencyMs: '20',
  authorizerLatencyMs: '5',
  keyId: 'key_1',
};

/** The story of a request with this access line and these lines of functions, by log group. */
async function story(line: string, lines: Readonly<Record<string, readonly string[]>> = {}) {
  const logs = await servedEnvironment();
  await logs.write(ACCESS, accessLine({ requestId: 'another-request=', status: '500' }), line);
  for (const [group, written] of Object.entries(lines)) await logs.write(group, ...written);
  const { stdout, stderr, exitCode } = await logs.run(`request ${REQUEST_ID} --json`);
  expect([stderr, exitCode]).toEqual(['', 0]);
  return JSON.parse(stdout);
}

describe('the story of', () => {
  test('201: a created pet has operation, key, latencies and the cold start', async () => {
    const report = {
      type: 'platform.report',
      record: {
        requestId: INVOCATION,
        metrics: { durationMs: 19, initDurationMs: 180, billedDurationMs: 199 },
      },
    };
    expect(await story(accessLine(SERVED), { [CREATE_PET]: [functionLine(report)] })).toMatchObject({
      requestId: REQUEST_ID,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      operation: 'createPet',
      status: 201,
      keyId: 'key_1',
      latencyMs: 34,
      functionLatencyMs: 20,
      authorizerLatencyMs: 5,
      answeredBy: 'function',
      lines: [{ group: 'pets-create-pet', report: { durationMs: 19, initDurationMs: 180 } }],
    });
  });

  test('400: a refused body has what the function found wrong', async () => {
    const refusal = { message: 'name is required', requestId: REQUEST_ID, code: 'invalid_request' };
    const other = { message: 'something else', requestId: 'another-request=', code: 'invalid_request' };
    const lines = { [CREATE_PET]: [functionLine(other), functionLine(refusal)] };
    expect(await story(accessLine({ ...SERVED, status: '400' }), lines)).toMatchObject({
      status: 400,
      answeredBy: 'function',
      why: 'name is required. (invalid_request)',
      lines: [{ message: 'name is required' }],
    });
  });

  test('400: a function whose line has not appeared yet is said to have none', async () => {
    const refused = await story(accessLine({ ...SERVED, status: '400' }));
    expect(refused.why).toMatch(/^The function refused it\. Its log has no line for this request/);
  });

  test('401: a missing key was refused by API Gateway', async () => {
    const line = accessLine({ status: '401', gatewayError: 'UNAUTHORIZED' });
    expect(await story(line)).toMatchObject({
      answeredBy: 'gateway',
      why: expect.stringContaining('The Authorization header is missing'),
      lines: [],
    });
  });

  test.each([
    ['malformed', 'The API key is mistyped (its checksum is wrong), or it belongs to another environment.'],
    ['unknown', 'There is no such API key in this environment.'],
    ['revoked', 'The API key was revoked.'],
    ['expired', 'The API key has expired.'],
  ])(
    '401: a key that is %s was refused by the authorizer, or by what API Gateway kept of it',
    async (reason, why) => {
      const line = { status: '401', gatewayError: 'ACCESS_DENIED', keyId: 'key_2', keyRefusal: reason };
      const refused = { answeredBy: 'authorizer', keyId: 'key_2', why };
      expect(await story(accessLine(line))).toMatchObject({ ...refused, lines: [] });
      const logged = { message: 'API key refused', requestId: AUTHORIZATION, reason, keyId: 'key_2' };
      const lines = { [AUTHORIZE]: [functionLine(logged)] };
      expect(await story(accessLine({ ...line, authorizerRequestId: AUTHORIZATION }), lines)).toMatchObject({
        ...refused,
        lines: [{ reason }],
      });
    },
  );

  test('401: a key that has expired since the authorizer admitted it was refused by API Gateway', async () => {
    const line = accessLine({ status: '401', gatewayError: 'ACCESS_DENIED', keyId: 'key_1' });
    expect(await story(line)).toMatchObject({
      answeredBy: 'gateway',
      why: 'The API key has expired since the authorizer last accepted it.',
    });
  });

  test.each([
    ['404', '/{proxy+}', 'There is nothing at this path.'],
    ['405', '/v1/pets', "The path doesn't have this method."],
  ])('%s: %s was answered by API Gateway', async (status, resource, why) => {
    const line = accessLine({ status, resource, method: 'PUT' });
    expect(await story(line)).toMatchObject({ answeredBy: 'gateway', why });
  });

  test('429: a request of a known key was refused by the limit of that key', async () => {
    const line = accessLine({ status: '429', gatewayError: 'THROTTLED', keyId: 'key_1' });
    expect(await story(line)).toMatchObject({
      answeredBy: 'gateway',
      keyId: 'key_1',
      why: expect.stringMatching(/^Too many requests with the API key key_1: they reached its limit\./),
    });
  });

  test('429: a request whose key was not looked at was refused by the limit of the stage or the path', async () => {
    const line = accessLine({ status: '429', gatewayError: 'THROTTLED' });
    expect(await story(line)).toMatchObject({
      answeredBy: 'gateway',
      why: 'Too many requests from all clients together: they reached the limit of the stage or of this path.',
    });
  });

  test('500: a crashed function has the error that Lambda logged', async () => {
    const crash = {
      requestId: INVOCATION,
      message: { errorType: 'Sandbox.Timedout', errorMessage: 'Task timed out after 6.00 seconds' },
    };
    const line = accessLine({ ...SERVED, status: '500', gatewayError: 'DEFAULT_5XX' });
    expect(await story(line, { [CREATE_PET]: [functionLine(crash)] })).toMatchObject({
      answeredBy: 'function',
      why: 'The function failed. Sandbox.Timedout: Task timed out after 6.00 seconds.',
    });
  });

  test.each([
    ['413', 'REQUEST_TOO_LARGE', '-'],
    ['500', 'INTEGRATION_FAILURE', '413'],
  ])('%s: a body that is too large for Lambda', async (status, gatewayError, lambdaStatus) => {
    const line = accessLine({ status, gatewayError, lambdaStatus });
    expect(await story(line, {})).toMatchObject({
      answeredBy: 'gateway',
      why: 'Its body was too large: API Gateway accepts 10 MB, and functions about 4.5 MB.',
    });
  });

  test('503: an outage has the error and its causes', async () => {
    const cause = { name: 'TimeoutError', message: 'no answer in 500 ms', stack: '…' };
    const error = { name: 'Unavailable', message: 'DynamoDB', stack: '…', cause };
    const failure = { level: 'ERROR', message: 'The service cannot answer.', requestId: REQUEST_ID, error };
    const line = accessLine({ ...SERVED, status: '503' });
    expect(await story(line, { [CREATE_PET]: [functionLine(failure)] })).toMatchObject({
      why: 'The function failed. Unavailable: DynamoDB, because of TimeoutError: no answer in 500 ms.',
    });
  });

  test.each([
    [
      '@smithy/node-http-handler - [ERROR] a request has exceeded the configured 1000 ms requestTimeout.',
      'a request has exceeded the configured 1000 ms requestTimeout.',
    ],
    [
      'Unexpected token <\n  Deserialization error: to see the raw response, inspect the hidden field {error}.$response on this object.',
      'Unexpected token <.',
    ],
  ])('503: an outage has the reason of %j without what the SDK adds', async (message, reason) => {
    const error = { name: 'Unavailable', message: 'DynamoDB', cause: { name: 'TimeoutError', message } };
    const failure = { level: 'ERROR', message: 'The service cannot answer.', requestId: REQUEST_ID, error };
    const line = accessLine({ ...SERVED, status: '503' });
    const { why, lines } = await story(line, { [CREATE_PET]: [functionLine(failure)] });
    expect(why).toBe(`The function failed. Unavailable: DynamoDB, because of TimeoutError: ${reason}`);
    expect(JSON.stringify(lines)).not.toMatch(/smithy|Deserialization/);
  });

  test('503: an authorizer that failed has its error', async () => {
    const line = accessLine({
      status: '503',
      gatewayError: 'AUTHORIZER_FAILURE',
      authorizerRequestId: AUTHORIZATION,
    });
    const message = { errorType: 'Unavailable', errorMessage: 'DynamoDB' };
    const crash = functionLine({ requestId: AUTHORIZATION, message });
    expect(await story(line, { [AUTHORIZE]: [crash] })).toMatchObject({
      answeredBy: 'authorizer',
      why: 'The authorizer failed. Unavailable: DynamoDB.',
    });
  });
});
