import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  GetUsagePlanKeysCommand,
  GetUsagePlansCommand,
  paginateGetApiKeys,
} from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { ApiKeys } from '../../apigateway-control/api-keys.ts';
import { NO_KEY, serveControlPlane, VALUE } from '../../testing/served-control-plane.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

describe('CreateApiKey', () => {
  test('201: returns the key with its value', async () => {
    const { createKey, served } = await serveControlPlane();
    const tags = { project: 'petstore' };
    const { $metadata, ...apiKey } = await createKey({ name: 'shop', description: 'A shop', tags });
    const date = new Date(served.nowMs);
    expect($metadata.httpStatusCode).toBe(201);
    expect(apiKey).toEqual({
      id: expect.stringMatching(/^[a-z0-9]{10}$/),
      value: VALUE,
      name: 'shop',
      description: 'A shop',
      enabled: true,
      createdDate: date,
      lastUpdatedDate: date,
      stageKeys: [],
      tags,
    });
  });

  test('201: generates a value and does not enable the key by default', async () => {
    const { client } = await serveControlPlane();
    const { enabled, value } = await client.send(new CreateApiKeyCommand({ value: '' }));
    expect(enabled).toBe(false);
    expect(value).toMatch(/^[a-z0-9]{40}$/);
  });

  test('400: a name of more than 1,024 characters', async () => {
    const { createKey } = await serveControlPlane();
    await createKey({ name: 'x'.repeat(1024) });
    await expect(createKey({ name: 'x'.repeat(1025) })).rejects.toMatchObject({
      name: 'BadRequestException',
      message: 'API Key name exceeds maximum size of 1024 characters',
    });
  });

  test.each([
    ['19 characters', 'x'.repeat(19), 'API Key value should be at least 20 characters'],
    ['an underscore', 'key_0123456789abcdef0123', 'API Key value should have letters and digits only'],
    ['a hyphen', 'key-0123456789abcdef0123', 'API Key value should have letters and digits only'],
    ['129 characters', 'x'.repeat(129), 'API Key value exceeds maximum size of 128 characters'],
  ])('400: a value of %s', async (_, value, message) => {
    const { createKey } = await serveControlPlane();
    await expect(createKey({ value })).rejects.toMatchObject({
      name: 'BadRequestException',
      message,
      $metadata: { httpStatusCode: 400 },
    });
  });

  test('409: the value of another key, until that is deleted; two keys may share a name', async () => {
    const { client, createKey } = await serveControlPlane();
    const { id } = await createKey({ name: 'shop' });
    await expect(createKey({ name: 'other' })).rejects.toMatchObject({
      name: 'ConflictException',
      message: 'API Key already exists',
      $metadata: { httpStatusCode: 409 },
    });
    await createKey({ name: 'shop', value: `${VALUE}2` });
    await client.send(new DeleteApiKeyCommand({ apiKey: id }));
    await createKey({ name: 'other' });
  });

  test('429: a 10,001st key', async () => {
    const file = join(temporaryFolder(), 'api-gateway-keys.json');
    const key = { enabled: true, createdDate: 0, lastUpdatedDate: 0, usagePlanIds: [] };
    const apiKeys = Array.from({ length: 10_000 }, (_, index) => ({
      ...key,
      id: `${index}`,
      value: `${index}`,
    }));
    writeFileSync(file, JSON.stringify({ apiKeys }));
    const { createKey, client } = await serveControlPlane({ apiKeys: new ApiKeys(file) });
    await expect(createKey()).rejects.toMatchObject({
      name: 'LimitExceededException',
      $metadata: { httpStatusCode: 429 },
    });
    await client.send(new DeleteApiKeyCommand({ apiKey: '7' }));
    await createKey();
  });
});

describe('GetApiKeys', () => {
  async function listed(client: APIGatewayClient, pageSize: number, query = {}, onPage = async () => {}) {
    const pages: (string | undefined)[][] = [];
    for await (const { items = [] } of paginateGetApiKeys({ client, pageSize }, query)) {
      pages.push(items.map(({ name, value }) => value ?? name));
      await onPage();
    }
    return pages;
  }

  test('200: lists each key once, page by page', async () => {
    const { client, createKey } = await serveControlPlane();
    const names = Array.from({ length: 5 }, (_, number) => `key-${number}`);
    for (const [index, name] of names.entries()) await createKey({ name, value: `${VALUE}${index}` });
    const pages = await listed(client, 2);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat().sort()).toEqual(names);
    expect((await listed(client, 5)).map(({ length }) => length)).toEqual([5]);
  });

  test('200: lists all other keys when one is deleted between two pages', async () => {
    const { client, createKey } = await serveControlPlane();
    const ids = new Map<string | undefined, string | undefined>();
    for (const name of ['a', 'b', 'c', 'd']) {
      ids.set(name, (await createKey({ name, value: VALUE + name })).id);
    }
    const [first] = (await listed(client, 1)).flat();
    const pages = await listed(client, 1, {}, async () => {
      const gone = ids.get(first);
      if (ids.delete(first)) await client.send(new DeleteApiKeyCommand({ apiKey: gone }));
    });
    expect(pages.flat()).toHaveLength(4);
  });

  test('200: filters by the beginning of the name and includes values on request', async () => {
    const { client, createKey } = await serveControlPlane();
    await createKey({ name: 'shop-1' });
    await createKey({ name: 'my-shop', value: `${VALUE}2` });
    await createKey({ value: `${VALUE}3` });
    expect((await listed(client, 10, { nameQuery: 'shop' })).flat()).toEqual(['shop-1']);
    expect((await listed(client, 10, { nameQuery: 'shop', includeValues: true })).flat()).toEqual([VALUE]);
  });
});

describe('DeleteApiKey', () => {
  test('202: removes the key, from its usage plans as well', async () => {
    const { client, apiKeys, createKey, joinPlan, call } = await serveControlPlane();
    const { id: apiKey } = await createKey();
    await joinPlan(apiKey);
    expect(await call(VALUE)).toBe(200);
    const { $metadata } = await client.send(new DeleteApiKeyCommand({ apiKey }));
    expect($metadata.httpStatusCode).toBe(202);
    expect(await call(VALUE)).toBe(403);
    expect(apiKeys.list()).toEqual([]);
    await createKey();
    expect(await call(VALUE)).toBe(403);
  });

  test('404: no such key', async () => {
    const { client } = await serveControlPlane();
    await expect(client.send(new DeleteApiKeyCommand({ apiKey: 'none' }))).rejects.toMatchObject(NO_KEY);
  });
});

describe('CreateUsagePlanKey', () => {
  test('201: the key may use the API at the rate of the plan', async () => {
    const { createKey, joinPlan, call } = await serveControlPlane();
    const { id } = await createKey({ name: 'first' });
    expect(await call(VALUE)).toBe(403);
    expect(await joinPlan(id)).toMatchObject({ id, type: 'API_KEY', value: VALUE, name: 'first' });
    expect([await call(VALUE), await call(VALUE), await call(VALUE)]).toEqual([200, 200, 429]);
  });

  test('409: the key already belongs to the plan or to another plan of the same stage', async () => {
    const { createKey, joinPlan } = await serveControlPlane();
    const { id } = await createKey();
    await joinPlan(id);
    const conflict = { name: 'ConflictException', $metadata: { httpStatusCode: 409 } };
    await expect(joinPlan(id)).rejects.toMatchObject(conflict);
    await expect(joinPlan(id, 'plan2')).rejects.toMatchObject(conflict);
    await joinPlan(id, 'plan3');
  });

  test('404: no such plan, no such key', async () => {
    const { createKey, joinPlan } = await serveControlPlane();
    const { id } = await createKey();
    await expect(joinPlan(id, 'none')).rejects.toMatchObject({
      name: 'NotFoundException',
      message: 'Invalid Usage Plan ID specified',
    });
    await expect(joinPlan('none')).rejects.toMatchObject(NO_KEY);
  });

  test('400: another type of key', async () => {
    const { client, createKey } = await serveControlPlane();
    const { id: keyId } = await createKey();
    const command = new CreateUsagePlanKeyCommand({ usagePlanId: 'plan1', keyId, keyType: 'OTHER' });
    await expect(client.send(command)).rejects.toMatchObject({ name: 'BadRequestException' });
  });
});

describe('GetUsagePlanKeys', () => {
  test('200: lists the keys of the plan whose names begin with the query, in pages', async () => {
    const { client, createKey, joinPlan } = await serveControlPlane();
    const first = await createKey({ name: 'first' });
    const second = await createKey({ name: 'second', value: `${VALUE}2` });
    await createKey({ name: 'none', value: `${VALUE}3` });
    for (const { id } of [first, second]) await joinPlan(id);
    const page = await client.send(new GetUsagePlanKeysCommand({ usagePlanId: 'plan1', limit: 1 }));
    const { position } = page;
    const next = await client.send(new GetUsagePlanKeysCommand({ usagePlanId: 'plan1', position }));
    const names = [...(page.items ?? []), ...(next.items ?? [])].map(({ name }) => name);
    expect(names.toSorted()).toEqual(['first', 'second']);
    const query = { usagePlanId: 'plan1', nameQuery: 'sec' };
    const { items } = await client.send(new GetUsagePlanKeysCommand(query));
    expect(items).toEqual([{ id: second.id, type: 'API_KEY', value: `${VALUE}2`, name: 'second' }]);
  });

  test('200: a plan that does not exist has no keys', async () => {
    const { client } = await serveControlPlane();
    const { items } = await client.send(new GetUsagePlanKeysCommand({ usagePlanId: 'none' }));
    expect(items).toEqual([]);
  });
});

test('200: GetUsagePlans lists the deployed plans with their limits', async () => {
  const { client } = await serveControlPlane();
  const { items } = await client.send(new GetUsagePlansCommand({}));
  expect(items?.[0]).toMatchObject({
    id: 'plan1',
    apiStages: [{ stage: 'test' }],
    throttle: { rateLimit: 1, burstLimit: 2 },
  });
  expect(items?.map(({ id }) => id)).toEqual(['plan1', 'plan2', 'plan3']);
});
