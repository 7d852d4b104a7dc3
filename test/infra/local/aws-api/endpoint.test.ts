import { once } from 'node:events';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { awsEndpoint } from '../../../../infra/local/aws-api/endpoint.ts';
import { sendJson } from '../../../../infra/local/aws-api/http-messages.ts';
import type { AwsService } from '../../../../infra/local/aws-api/service-api.ts';
import { close, listen, originOf } from '../../../../infra/local/host/http-servers.ts';
import { developer } from '../../../../infra/local/iam/principal.ts';

async function served(zoo: AwsService, reports: string[] = []): Promise<string> {
  const server = await listen(0, '');
  onTestFinished(() => close(server));
  const principal = (accessKeyId: string) => ({ ...developer, denial: () => accessKeyId });
  server.on('request', awsEndpoint({ services: { zoo }, principal, report: line => reports.push(line) }));
  return originOf(server);
}

const signedFor = (service: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=KEY/20260101/us-east-1/${service}/aws4_request, Signature=0`,
  connection: 'close',
});

async function ask(service: string | undefined, zoo: AwsService, reports?: string[]): Promise<Response> {
  const headers = service === undefined ? {} : signedFor(service);
  return fetch(await served(zoo, reports), { headers });
}

const whoAmI: AwsService = async ({ response, principal }) =>
  sendJson(response, 200, principal.denial('', ''));

test('200: the signature names the service and the principal', async () => {
  const response = await ask('zoo', whoAmI);
  expect(await response.json()).toBe('KEY');
});

test('403: no signature', async () => {
  const response = await ask(undefined, whoAmI);
  expect(response.status).toBe(403);
  expect(response.headers.get('x-amzn-errortype')).toBe('MissingAuthenticationTokenException');
});

test.each([
  [200, { host: 'localhost:4000' }],
  [200, { host: '127.0.0.1' }],
  [421, { host: 'evil.example' }],
  [421, { host: '127.0.0.1.evil.example:4000' }],
  [421, { host: '127.0.0.1:4000@evil.example' }],
  [403, { origin: 'http://evil.example' }],
  [403, { origin: 'null' }],
])('%i: a request with %j; web pages are refused, also after DNS rebinding', async (status, headers) => {
  // fetch does not send another Host.
  const sent = request(await served(whoAmI), { headers: { ...signedFor('zoo'), ...headers } }).end();
  const [response] = await once(sent, 'response');
  expect(response.resume().statusCode).toBe(status);
});

test('501: names a service that is not supported', async () => {
  const response = await ask('kinesis', whoAmI);
  expect(response.status).toBe(501);
  expect(await response.json()).toMatchObject({
    message: 'The AWS service kinesis is not supported by the local AWS.',
  });
});

test('reports a service that fails and ends the connection', async () => {
  const reports: string[] = [];
  const failing: AwsService = async () => {
    throw new Error('broken');
  };
  await expect(ask('zoo', failing, reports)).rejects.toThrow('fetch failed');
  expect(reports).toEqual(['AWS endpoint, zoo: broken']);
});
