import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { awsEndpoint } from '../../aws-api/endpoint.ts';
import { sendJson } from '../../aws-api/http-messages.ts';
import type { AwsService } from '../../aws-api/service-api.ts';
import { close, listen, originOf } from '../../host/http-servers.ts';
import { plainResponse, respondToUnreadableRequests } from '../../host/unreadable-requests.ts';
import { developer } from '../../iam/principal.ts';
import { stsService } from '../../sts-service.ts';
import { sendSigned, signedHeaders, TEST_KEY, type TestRequest } from '../../testing/served-endpoint.ts';

const { secretAccessKey } = TEST_KEY;

async function served(zoo: AwsService = whoAmI, reports: string[] = []) {
  const server = await listen(0, '');
  onTestFinished(() => close(server));
  const principal = { ...developer, denial: () => 'the keeper' };
  server.on(
    'request',
    awsEndpoint({
      services: { zoo, sts: stsService },
      caller: id => (id === 'KEY' ? { secretAccessKey, arn: 'arn', principal } : undefined),
      report: line => reports.push(line),
    }),
  );
  respondToUnreadableRequests(server, plainResponse);
  return { url: `${originOf(server)}/`, reports };
}

const whoAmI: AwsService = async ({ response, principal, body }) =>
  sendJson(response, 200, [principal.denial('', ''), body.toString()]);

const KEEPER = { accessKeyId: 'KEY', service: 'zoo' };

test.each(['', '?a=1&a-b=%20x&c=', 'pets/a%2Fb/%28none%29?c=(*)'])(
  '200: a signed request, /%s, of the principal of its access key',
  async target => {
    const { url } = await served();
    const signed = {
      method: 'POST',
      headers: { 'x-amz-target': 'Zoo.Feed', other: 'a  b' },
      body: '{"é":1}',
    };
    const { status, text } = await sendSigned(`${url}${target}`, signed, KEEPER);
    expect([status, JSON.parse(text)]).toEqual([200, ['the keeper', '{"é":1}']]);
  },
);

const SIGNED = { method: 'POST', headers: { 'x-amz-target': 'Zoo.Feed' }, body: '{}' };

test.each<[what: string, changed: TestRequest & { readonly path?: string }]>([
  ['another body', { body: '{"more":1}' }],
  ['another method', { method: 'PUT' }],
  ['another path', { path: '/pets' }],
  ['another query', { path: '/?a=1' }],
  ['another host', { headers: { host: 'localhost:1' } }],
  ['another signed header', { headers: { 'x-amz-target': 'Zoo.Kill' } }],
  ['a header of AWS that is not signed', { headers: { 'x-amz-more': '1' } }],
  ['a time of another day', { headers: { 'x-amz-date': '20260101T000000Z' } }],
])('403: InvalidSignatureException for %s than was signed', async (_, changed) => {
  const { url } = await served();
  expect(await sendSigned(url, SIGNED, KEEPER, changed)).toMatchObject({
    status: 403,
    headers: { 'x-amzn-errortype': 'InvalidSignatureException' },
  });
});

test.each([
  [200, -4],
  [403, -6],
  [200, 4],
  [403, 6],
])('%i: a request that was signed at another time, in minutes from now: %i', async (status, minutes) => {
  const { url } = await served();
  const signingDate = new Date(Date.now() + minutes * 60_000);
  expect(await sendSigned(url, SIGNED, { ...KEEPER, signingDate })).toMatchObject({ status });
});

test.each([
  ['UnrecognizedClientException', { ...KEEPER, accessKeyId: 'AKIASTRANGER' }, {}],
  ['UnrecognizedClientException', KEEPER, { 'x-amz-security-token': 'stolen' }],
  ['MissingAuthenticationTokenException', KEEPER, { authorization: 'Bearer KEY' }],
  [
    'MissingAuthenticationTokenException',
    KEEPER,
    { authorization: 'AWS4-HMAC-SHA256 Credential=KEY/1/2/zoo/3' },
  ],
])('403: %s for %j with %j', async (error, scope, headers) => {
  const { url } = await served();
  const refused = { status: 403, headers: { 'x-amzn-errortype': error } };
  expect(await sendSigned(url, SIGNED, scope, { headers })).toMatchObject(refused);
});

test.each([
  [200, { host: 'localhost:4000' }],
  [200, { host: '127.0.0.1' }],
  [421, { host: 'evil.example' }],
  [421, { host: '127.0.0.1.evil.example:4000' }],
  [421, { host: '127.0.0.1:4000@evil.example' }],
  [403, { origin: 'http://evil.example' }],
  [403, { origin: 'null' }],
  [403, { 'sec-fetch-mode': 'no-cors' }],
  [403, { 'sec-fetch-site': 'none' }],
])('%i: a request with %j; web pages are refused, also after DNS rebinding', async (status, headers) => {
  const { url } = await served();
  expect(await sendSigned(url, { headers }, KEEPER)).toMatchObject({ status });
});

test.each([
  ['zoo', 403],
  ['dynamodb', 403],
  ['__proto__', 403],
  ['sts', 403],
])('a credential of %s in the query is %i', async (service, status) => {
  const { url } = await served();
  const query = `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=KEY/20260101/us-east-1/${service}/aws4_request`;
  const [response] = await once(get(`${url}?${query}`), 'response');
  expect(response.resume().statusCode).toBe(status);
});

test.each(['//127.0.0.1:9/x', 'http://127.0.0.1:9/x', '/a//b', '/a/../b', '*', '\\\\127.0.0.1:9'])(
  '400: the target %s, which is not a plain path',
  async path => {
    const { url } = await served();
    expect(await sendSigned(url, SIGNED, KEEPER, { path })).toMatchObject({ status: 400 });
  },
);

test.each(['kinesis', '__proto__', 'constructor', 'toString'])(
  '501: names the service %s, which is not supported',
  async service => {
    const { url } = await served();
    const { status, text } = await sendSigned(url, {}, { ...KEEPER, service });
    expect(status).toBe(501);
    expect(JSON.parse(text)).toMatchObject({
      message: `The AWS service ${service} is not supported by the local AWS.`,
    });
  },
);

test('500: reports a service that fails', async () => {
  const failing: AwsService = async () => {
    throw new Error('broken');
  };
  const { url, reports } = await served(failing);
  expect(await sendSigned(url, {}, KEEPER)).toMatchObject({ status: 500 });
  expect(reports).toEqual(['AWS endpoint, zoo: broken']);
});

test('400 mutated requests are refused or dropped, none is served, and the endpoint goes on', async () => {
  const { url, reports } = await served();
  const { host, port } = new URL(url);
  const { authorization = '', ...headers } = await signedHeaders(url, {}, KEEPER);
  const whole = [
    `POST /?X-Amz-Credential=KEY/20260101/us-east-1/zoo/aws4_request HTTP/1.1`,
    ...Object.entries({ ...headers, host, authorization }).map(([name, value]) => `${name}: ${value}`),
    'content-length: 2',
    'connection: close',
    '',
    '{}',
  ].join('\r\n');
  let seed = 39;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const PIECES = [
    '__proto__',
    '//',
    '/',
    '%',
    '%00',
    'http://a/',
    ' ',
    '\r\n',
    '\0',
    'é',
    '?',
    'sts',
    ';',
    ':',
    '9',
  ];
  const statuses = await Promise.all(
    Array.from({ length: 400 }, async () => {
      let text = whole;
      for (let edits = 1 + random(3); edits > 0; edits--) {
        const at = random(text.length);
        text = text.slice(0, at) + PIECES[random(PIECES.length)] + text.slice(at + random(6));
      }
      const socket = connect(Number(port), '127.0.0.1');
      // Not ended: a mutated length may leave the server waiting for the rest.
      socket.write(`${text}\r\n\r\n`);
      const [first] = await once(
        socket.setEncoding('latin1').setTimeout(500, () => socket.end()),
        'data',
      ).catch(() => ['']);
      socket.destroy();
      return /^HTTP\/1\.1 (\d+)/.exec(first)?.[1];
    }),
  );
  expect(statuses.filter(status => !/^4|^501/.test(status ?? '400'))).toEqual([]);
  expect(await sendSigned(url, {}, KEEPER)).toMatchObject({ status: 200 });
  expect(reports).toEqual([]);
});
