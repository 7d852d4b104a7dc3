import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APIGatewayClient, GetApiKeysCommand } from '@aws-sdk/client-api-gateway';
import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { expect } from 'vitest';
import { duringOutage } from './during-outage.ts';
import { client, created, type HttpResponse } from './http-client.ts';
import { done, operate } from './operator.ts';
import { awsClientOptions, ENVIRONMENTS, type RunningService } from './running-service.ts';
import { SecretSearch } from './secret-search.ts';

type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** Creates, uses, misuses, rotates and revokes keys. Returns them, and all responses without the keys. */
async function fullRun(
  service: RunningService,
  environment: EnvironmentName,
): Promise<{ keys: string[]; responses: unknown[] }> {
  const send = client(() => service[environment]);
  const responses: unknown[] = [];
  const ask = async (command: string, fields: object = {}) => {
    const { key, ...result } = await done(service, environment, command, fields);
    responses.push(result);
    return { key, ...result };
  };
  const record = async (payload: object) => responses.push(await operate(service, environment, payload));
  const use = async (key: string, request = 'GET /pets', body?: unknown): Promise<HttpResponse> => {
    const headers = { Authorization: `Bearer ${key}`, ...(body !== undefined && { 'Idempotency-Key': 'k' }) };
    const response = await send(request, { headers, body });
    responses.push(response.headers, response.text);
    return response;
  };

  const request = { requestId: `leakage-${environment}`, name: 'Searched' };
  const first = await ask('keys.create', request);
  await record({ command: 'keys.create', ...request });
  const narrow = await ask('keys.create', { name: 'Narrow', scopes: ['orders:read'] });
  for (const { key } of [first, narrow]) {
    await use(key);
    await use(key, 'GET /store/orders');
    await use(key, 'POST /pets', { name: 'Rex', categoryId: 1 });
    await use(key, 'POST /pets', '{');
    // Clients paste keys into the wrong places.
    await use(key, `GET /pets/${key}`);
    await use(key, `GET /pets?cursor=${key}&limit=${key}`);
    await use(`${key}x`);
    await use(key.slice(0, -1));
    for (const command of ['keys.revoke', 'keys.rotate']) await record({ command, id: key, overlapHours: 1 });
    await record({ command: key });
  }
  const { id: petId } = await created(send, { name: 'Max', categoryId: 1 });
  const order = await ask('orders.place', { petId });
  await ask('orders.cancel', { id: order.id });
  const second = await ask('keys.rotate', { id: first.id, overlapHours: 1 });
  const third = await ask('keys.rotate', { id: second.id, overlapHours: 0 });
  for (const { key } of [first, second, third]) await use(key);
  await ask('keys.revoke', { id: third.id });
  await use(third.key);
  for (const command of ['keys.list', 'audit.list']) await ask(command);

  const keys = [first, narrow, second, third].map(({ key }) => key);
  return { keys: [...keys, service[environment].apiKey], responses };
}

/** Failures write the most to logs: one of a key that cannot be looked up, one of a key that cannot be created. */
async function failures(service: RunningService, environment: EnvironmentName, key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const [response, reply] = await Promise.all([
    client(() => service[environment])('GET /pets', { headers }),
    operate(service, environment, { command: 'keys.create', name: 'Never' }),
  ]);
  expect(response.status).toBe(503);
  expect(reply).toMatchObject({ error: { code: 'unavailable' } });
}

async function tables(service: RunningService): Promise<unknown[]> {
  const dynamoDb = new DynamoDBClient(awsClientOptions(service));
  const { TableNames = [] } = await dynamoDb.send(new ListTablesCommand({}));
  const scans = TableNames.map(TableName => dynamoDb.send(new ScanCommand({ TableName })));
  const items = (await Promise.all(scans)).map(({ Items }) => Items);
  dynamoDb.destroy();
  expect(items.filter(found => found?.length).length).toBeGreaterThan(6);
  return items;
}

/** The API keys of API Gateway, with their values. */
async function gatewayKeys(service: RunningService): Promise<unknown> {
  const gateway = new APIGatewayClient(awsClientOptions(service));
  const { items } = await gateway.send(new GetApiKeysCommand({ includeValues: true, limit: 500 }));
  gateway.destroy();
  expect(items).not.toEqual([]);
  return items;
}

/** The log tail that Lambda returns for the creation of a key. */
async function logTail(service: RunningService, environment: EnvironmentName) {
  const lambda = new LambdaClient(awsClientOptions(service));
  const { Payload, LogResult = '' } = await lambda.send(
    new InvokeCommand({
      FunctionName: `petstore-${environment}-operator`,
      Payload: JSON.stringify({ command: 'keys.create', name: 'Tail' }),
      LogType: 'Tail',
    }),
  );
  lambda.destroy();
  const { key } = JSON.parse(Payload?.transformToString() ?? '').result;
  return { environment, key: String(key), tail: Buffer.from(LogResult, 'base64').toString() };
}

/** On a developer's machine the service keeps the keys that it prints at its start. */
const KEPT_KEYS = 'api-keys.json';

/** Everything that the service has written to files, once its logs are complete. */
async function files(service: RunningService, folders: readonly string[]): Promise<string> {
  const { headers } = await client(() => service.staging)('GET /pets');
  const read = () =>
    folders
      .flatMap(folder => readdirSync(folder, { recursive: true, withFileTypes: true }))
      .filter(entry => entry.isFile() && !entry.name.endsWith('.so') && entry.name !== KEPT_KEYS)
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
      .join('\n');
  await expect.poll(read).toContain(String(headers['x-request-id']));
  return read();
}

/**
 * Uses keys in every way, during an outage too, and searches everything that the service has returned, stored and
 * written to these folders for them: no key, nor a part of one, may be anywhere but in the response that created it.
 */
export async function expectNoKeyLeaked(service: RunningService, folders: readonly string[]): Promise<void> {
  const runs = await Promise.all(ENVIRONMENTS.map(environment => fullRun(service, environment)));
  const tails = await Promise.all(ENVIRONMENTS.map(environment => logTail(service, environment)));
  await duringOutage(service, async () => {
    await Promise.all(tails.map(({ environment, key }) => failures(service, environment, key)));
  });
  const places = {
    responses: JSON.stringify(runs.map(({ responses }) => responses)),
    tables: JSON.stringify(await tables(service)),
    gatewayKeys: JSON.stringify(await gatewayKeys(service)),
    logTails: tails.map(({ tail }) => tail).join(),
    files: await files(service, folders),
    complaints: service.complaints(),
  };
  // Proves that the places hold what they should, so that the search is not vacuous.
  expect(places.responses).toContain('keys.rotate');
  expect(places.files).toContain('"API key refused"');
  expect(places.files).toContain('A command failed');
  const keys = [...runs.flatMap(({ keys }) => keys), ...tails.map(({ key }) => key)];
  expect(keys).toHaveLength(12);
  const search = new SecretSearch();
  for (const key of keys) search.add(key);
  for (const [place, text] of Object.entries(places)) {
    expect(search.find(text), `${place} has a part of a key`).toBeUndefined();
  }
}
