import {
  CreateUsagePlanKeyCommand,
  GetUsagePlanKeysCommand,
  GetUsagePlansCommand,
} from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { API_ID } from '../apigateway/served-api.ts';
import { NO_KEY, serveControlPlane, VALUE } from './served-control-plane.ts';

describe('CreateUsagePlanKey', () => {
  test('201: the key may use the API at the rate of the plan; other keys have their own rate', async () => {
    const { createKey, joinPlan, call, served } = await serveControlPlane();
    const first = await createKey({ name: 'first' });
    const second = await createKey({ name: 'second', value: `${VALUE}2` });
    expect(await call(VALUE)).toBe(403);
    expect(await joinPlan(first.id)).toMatchObject({
      id: first.id,
      type: 'API_KEY',
      value: VALUE,
      name: 'first',
    });
    await joinPlan(second.id);
    expect([await call(VALUE), await call(VALUE), await call(VALUE)]).toEqual([200, 200, 429]);
    expect(await call(`${VALUE}2`)).toBe(200);
    served.nowMs += 1000;
    expect(await call(VALUE)).toBe(200);
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

  test('404: no such plan', async () => {
    const { client } = await serveControlPlane();
    await expect(client.send(new GetUsagePlanKeysCommand({ usagePlanId: 'none' }))).rejects.toMatchObject({
      name: 'NotFoundException',
    });
  });
});

describe('GetUsagePlans', () => {
  test('200: lists the deployed plans', async () => {
    const { client } = await serveControlPlane();
    const { items } = await client.send(new GetUsagePlansCommand({}));
    const apiStages = [{ apiId: API_ID, stage: 'test' }];
    expect(items).toEqual([
      {
        id: 'plan1',
        name: 'Slow',
        description: 'For all',
        apiStages,
        throttle: { rateLimit: 1, burstLimit: 2 },
      },
      { id: 'plan2', name: 'plan2', apiStages },
      { id: 'plan3', name: 'plan3', apiStages: [] },
    ]);
  });

  test('200: lists the plans of a key', async () => {
    const { client, createKey, joinPlan } = await serveControlPlane();
    const { id: keyId } = await createKey();
    await joinPlan(keyId, 'plan2');
    const { items } = await client.send(new GetUsagePlansCommand({ keyId }));
    expect(items?.map(({ id }) => id)).toEqual(['plan2']);
  });
});
