import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { expect, onTestFinished, test } from 'vitest';
import type { Principal } from '../../iam/principal.ts';
import { AsynchronousInvocations } from '../../lambda/asynchronous-invocations.ts';
import { lambdaService } from '../../lambda/lambda-service.ts';
import { serveEndpoint } from '../../testing/served-endpoint.ts';
import { ARN, deployed } from './deployed-function.ts';

/** A client of the Lambda API with one deployed function, fn. */
async function clientOf(source: string, properties = {}, principal?: Principal) {
  const { functions } = deployed(source, properties);
  const asynchronous = new AsynchronousInvocations(0);
  const services = { lambda: lambdaService(functions, asynchronous) };
  const client = new LambdaClient((await serveEndpoint(services, principal)).clientOptions);
  onTestFinished(() => client.destroy());
  return client;
}

const echo = `exports.handler = async event => { console.log('heard', event); return { event }; };`;

test.each(['fn', ARN, '000000000000:function:fn', 'fn:$LATEST'])(
  '200: invokes the function by the name %s',
  async FunctionName => {
    const client = await clientOf(echo);
    const response = await client.send(new InvokeCommand({ FunctionName, Payload: '{"a":1}' }));
    expect(response).toMatchObject({ StatusCode: 200, ExecutedVersion: '$LATEST' });
    expect(response.FunctionError).toBeUndefined();
    expect(response.Payload?.transformToString()).toBe('{"event":{"a":1}}');
  },
);

test('200: takes no payload as an empty object and returns the log’s tail on request', async () => {
  const client = await clientOf(echo);
  const response = await client.send(
    new InvokeCommand({ FunctionName: 'fn', Qualifier: '$LATEST', LogType: 'Tail' }),
  );
  expect(response.Payload?.transformToString()).toBe('{"event":{}}');
  const log = Buffer.from(response.LogResult ?? '', 'base64').toString();
  expect(log).toMatch(/^START RequestId: .*\nheard \{\}\nEND RequestId: .*\nREPORT RequestId: .* ms\n$/);
});

test('200: returns a function error', async () => {
  const client = await clientOf(`exports.handler = async () => { throw new Error('no'); };`);
  const response = await client.send(new InvokeCommand({ FunctionName: 'fn' }));
  expect(response).toMatchObject({ StatusCode: 200, FunctionError: 'Unhandled' });
  expect(JSON.parse(response.Payload?.transformToString() ?? '')).toMatchObject({ errorMessage: 'no' });
});

test('202: accepts an event', async () => {
  const client = await clientOf(echo);
  const event = await client.send(new InvokeCommand({ FunctionName: 'fn', InvocationType: 'Event' }));
  expect(event.StatusCode).toBe(202);
});

test('400: a payload that is not JSON', async () => {
  const client = await clientOf(echo);
  await expect(client.send(new InvokeCommand({ FunctionName: 'fn', Payload: '{' }))).rejects.toMatchObject({
    name: 'InvalidRequestContentException',
    $metadata: { httpStatusCode: 400 },
  });
});

test('403: the role may not invoke the function', async () => {
  const client = await clientOf(echo, {}, { denial: (action, resource) => `not ${action} on ${resource}` });
  await expect(client.send(new InvokeCommand({ FunctionName: 'fn' }))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: `not lambda:InvokeFunction on ${ARN}`,
    $metadata: { httpStatusCode: 403 },
  });
});

test.each([
  [{ FunctionName: 'other' }, 'function:other'],
  [{ FunctionName: 'fn', Qualifier: '7' }, 'function:fn:7'],
])('404: no function %j', async (input, name) => {
  const client = await clientOf(echo);
  await expect(client.send(new InvokeCommand(input))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: `Function not found: arn:aws:lambda:us-east-1:000000000000:${name}`,
    $metadata: { httpStatusCode: 404 },
  });
});

test('413: a payload above 6 MB', async () => {
  const client = await clientOf(echo);
  const Payload = JSON.stringify('x'.repeat(6_300_000));
  await expect(client.send(new InvokeCommand({ FunctionName: 'fn', Payload }))).rejects.toMatchObject({
    name: 'RequestTooLargeException',
    $metadata: { httpStatusCode: 413 },
  });
});

test('429: above the reserved concurrency', async () => {
  const client = await clientOf(echo, { ReservedConcurrentExecutions: 0 });
  await expect(client.send(new InvokeCommand({ FunctionName: 'fn' }))).rejects.toMatchObject({
    name: 'TooManyRequestsException',
    $metadata: { httpStatusCode: 429 },
  });
});
