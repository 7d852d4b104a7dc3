import { expect, test } from 'vitest';
import * as z from 'zod';
import { AwsApiError } from '../../aws-api/aws-api-error.ts';
import { jsonService } from '../../aws-api/json-protocol.ts';
import { operation } from '../../aws-api/operation.ts';
import type { Principal } from '../../iam/principal.ts';
import { serveApi, ZOO } from './served-endpoint.ts';

/** A service with one operation, and the order in which its parts are asked. */
async function servedFeeding(options: { principal?: Principal; isThrottled?: boolean } = {}) {
  const asked: string[] = [];
  const contexts: unknown[] = [];
  const principal: Principal = {
    denial: (action, resource, context) => {
      asked.push(`${action} ${resource}`);
      contexts.push(context?.keys);
      return options.principal?.denial(action, resource);
    },
  };
  const feed = operation({
    name: 'FeedPet',
    input: z.strictObject({ Pet: z.string(), Grams: z.int().default(5) }),
    resource: ({ Pet }) => Pet,
    alsoRequires: ({ Grams }) =>
      Grams === undefined
        ? []
        : [{ action: 'zoo:Weigh', resource: '*', conditionKeys: { 'zoo:Scales': ['big'] } }],
    requestTags: () => ({ keeper: 'Ada' }),
    resourceTags: ({ Pet }) => (Pet === 'lion' ? { house: 'cats' } : undefined),
    conditionKeys: ({ Grams }) => ({ 'zoo:Grams': [String(Grams)] }),
    rate: () => {
      asked.push('rate');
      return options.isThrottled ? new AwsApiError('Throttled', 'Rate exceeded') : undefined;
    },
    perform: ({ Pet, Grams }) => ({ Fed: `${Pet} ${Grams}` }),
  });
  const api = { ...ZOO, jsonVersion: '1.1', targetPrefix: 'ZooService', operations: [feed] } as const;
  const send = await serveApi(jsonService(api), principal);
  const call = async (body: string, name = 'FeedPet') => {
    const headers = { 'x-amz-target': `ZooService.${name}` };
    const { status, text, headers: received } = await send('/', { method: 'POST', headers, body });
    return { status, body: JSON.parse(text), type: received['content-type'] };
  };
  return { call, asked, contexts };
}

test('200: performs the operation of the target with its validated input', async () => {
  const { call } = await servedFeeding();
  expect(await call('{"Pet":"lion"}')).toEqual({
    status: 200,
    body: { Fed: 'lion 5' },
    type: 'application/x-amz-json-1.1',
  });
});

test('gives the principal the condition keys of the request, of the resource and of each permission', async () => {
  const { call, contexts } = await servedFeeding();
  await call('{"Pet":"lion","Grams":1}');
  const ofRequest = {
    'aws:RequestTag/keeper': ['Ada'],
    'aws:TagKeys': ['keeper'],
    'aws:ResourceTag/house': ['cats'],
    'zoo:Grams': ['1'],
  };
  expect(contexts).toEqual([ofRequest, { ...ofRequest, 'zoo:Scales': ['big'] }]);
});

test('gives no condition keys for an invalid input', async () => {
  const { call, contexts } = await servedFeeding();
  await call('{"Pet":7}');
  expect(contexts).toEqual([{}]);
});

test('400: the input is invalid, after permission and rate', async () => {
  const { call, asked } = await servedFeeding();
  expect(await call('{"Pet":7,"Grams":1}')).toMatchObject({ status: 400, body: { __type: 'Invalid' } });
  expect(asked).toEqual(['zoo:FeedPet 7', 'zoo:Weigh *', 'rate']);
});

test.each(['[]', '7', '{'])('400: the body %s is not a JSON object', async body => {
  const { call } = await servedFeeding();
  expect(await call(body)).toMatchObject({ status: 400, body: { __type: 'Unreadable' } });
});

test('403: the principal is denied the operation, or what it also requires', async () => {
  const denied = await servedFeeding({ principal: { denial: action => `not ${action}` } });
  expect(await denied.call('{"Pet":"lion"}')).toMatchObject({
    status: 403,
    body: { __type: 'Denied', message: 'not zoo:FeedPet' },
  });
  expect(denied.asked).toEqual(['zoo:FeedPet lion']);
  const noScales = await servedFeeding({
    principal: { denial: action => (action === 'zoo:Weigh' ? 'no scales' : undefined) },
  });
  expect(await noScales.call('{"Pet":"lion","Grams":1}')).toMatchObject({
    body: { message: 'no scales' },
  });
});

test('413: the body is larger than the limit', async () => {
  const { call } = await servedFeeding();
  expect(await call(JSON.stringify({ Pet: 'x'.repeat(1000) }))).toMatchObject({ status: 413 });
});

test('429: the rate is exceeded, before the input is validated', async () => {
  const { call } = await servedFeeding({ isThrottled: true });
  expect(await call('{}')).toMatchObject({ status: 429, body: { __type: 'Throttled' } });
});

test('501: names an operation and a parameter that are not supported', async () => {
  const { call } = await servedFeeding();
  expect(await call('{}', 'CagePet')).toMatchObject({
    status: 501,
    body: {
      __type: 'NotImplemented',
      message: 'CagePet of the Zoo API is not supported by the local AWS.',
    },
  });
  expect((await call('{"Pet":"lion","Spoon":true}')).body.message).toBe(
    'The parameter Spoon of the Zoo API is not supported by the local AWS.',
  );
});
