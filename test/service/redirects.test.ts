import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { shortId } from '../../infra/local/cloudformation/resource-type.ts';
import { type Runtime, startRuntime } from '../../infra/local/runtime.ts';
import { domainItem, projectItem } from '../functions/domains/redirecting-project.ts';
import { keepDomainName } from '../infra/local/edge/keep-domain-name.ts';

const STACK = 'Petstore-Staging';
const { Resources } = JSON.parse(readFileSync(join(inject('assembly'), `${STACK}.template.json`), 'utf8'));

/** The logical id that starts like this and goes on with nothing but CDK's hash. */
function logicalId(name: string): string {
  const found = Object.keys(Resources).find(id => id.replace(/[0-9A-F]{8}$/, '') === name);
  return found ?? expect.fail(`${STACK} has no ${name}`);
}

const dataFolder = mkdtempSync(join(tmpdir(), 'petstore-redirects-'));
let runtime: Runtime;

beforeAll(async () => {
  const apiId = (name: string) =>
    shortId({ stack: STACK, logicalId: logicalId(name), property: () => undefined }, 10);
  const redirects = { restApiId: apiId('RedirectsApi'), stage: 'staging-redirects' };
  for (const domainName of ['www.zoo.example', 'old.zoo.example', 'none.zoo.example']) {
    await keepDomainName(dataFolder, { domainName, mapping: redirects });
  }
  const mapping = { restApiId: apiId('PublicApi'), stage: 'staging' };
  await keepDomainName(dataFolder, { domainName: 'zoo.example', mapping });
  runtime = await startRuntime({ assembly: inject('assembly'), port: 0, dataFolder, report: () => {} });

  const credentials = { accessKeyId: 'developer', secretAccessKey: 'x' };
  const client = new DynamoDBClient({ endpoint: runtime.awsEndpoint, region: 'us-east-1', credentials });
  const put = (table: string, Item: PutItemCommand['input']['Item']) =>
    client.send(new PutItemCommand({ TableName: `${STACK}-${logicalId(table)}`, Item }));
  for (const name of ['zoo.example', 'www.zoo.example', 'old.zoo.example', 'none.zoo.example']) {
    await put('DomainsTable', domainItem(name));
  }
  const rules = [
    { from: 'www.zoo.example', to: 'zoo.example', status: 301 },
    { from: 'old.zoo.example', to: 'zoo.example', status: 307 },
  ];
  await put('ProjectsTable', projectItem(rules));
  client.destroy();
});
afterAll(async () => {
  await runtime.stop();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Asks a domain through the edge; paths are sent as they are written. */
async function ask(method: string, host: string, path: string, body = '') {
  const [address, port] = runtime.edge.https.split(':');
  const ca = readFileSync(runtime.edge.ca);
  const options = { method, host: address, port, path, servername: host, ca, agent: false } as const;
  const exchange = request({
    ...options,
    headers: { Host: `${host}:${port}`, 'Content-Length': body.length },
  });
  exchange.end(body);
  const [response]: IncomingMessage[] = await once(exchange, 'response');
  if (!response) throw new Error('There is no answer.');
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

test.each([
  ['/', '/'],
  ['/a/b?c=d', '/a/b?c=d'],
  ['/a//b/?c=1&d=2&c=3&flag', '/a//b/?c=1&c=3&d=2&flag='],
  ['/a%20b%2Fc%3F?q=%CE%BB%26%2B+%25', '/a%20b%2Fc%3F?q=%CE%BB%26%2B%20%25'],
  ['//evil.example/%0d%0aSet-Cookie:%20a=b', '//evil.example/%0d%0aSet-Cookie:%20a=b'],
  ['http://evil.example/a', '/a'],
])('301: %s', async (called, location) => {
  const { status, headers } = await ask('GET', 'www.zoo.example', called);
  expect([status, headers.location]).toEqual([301, `https://zoo.example${location}`]);
  expect(headers).toMatchObject({ 'cache-control': 'max-age=300', 'content-type': expect.any(String) });
  expect(headers['x-request-id']).toMatch(/^\S{8,}$/);
});

test.each(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('307: %s', async method => {
  const { status, headers } = await ask(method, 'old.zoo.example', '/a?b=c', method === 'HEAD' ? '' : 'body');
  expect([status, headers.location]).toEqual([307, 'https://zoo.example/a?b=c']);
});

test('404: a domain that redirects nowhere', async () => {
  const { status, headers, text: body } = await ask('GET', 'none.zoo.example', '/a');
  expect([status, headers['content-type']]).toEqual([404, 'application/json']);
  expect(JSON.parse(body)).toEqual({ code: 'not_found', message: expect.any(String), status: 404 });
  expect(headers).not.toHaveProperty('location');
});

test('400: a malformed percent sign, as an Error of the gateway itself', async () => {
  const { status, headers, text: body } = await ask('GET', 'www.zoo.example', '/100%');
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request', status: 400 });
  expect(headers['x-request-id']).toMatch(/^\S{8,}$/);
});

test('a domain of the same project that does not redirect is served by the project', async () => {
  expect((await ask('GET', 'zoo.example', '/v1/openapi.json')).status).toBe(200);
});
