import { expect, test } from 'vitest';
import * as z from 'zod';
import { AwsApiError } from '../../aws-api/aws-api-error.ts';
import { awsService } from '../../aws-api/aws-service.ts';
import type { Operation } from '../../aws-api/operation.ts';
import { serviceModel } from '../../aws-api/service-model.ts';
import type { Principal } from '../../iam/principal.ts';
import { sendSigned, serveApi, serveEndpoint, ZOO } from '../../testing/served-endpoint.ts';

const model = serviceModel({
  operations: {
    FeedPet: {
      input: 'Feeding',
      output: 'Fed',
      errors: [{ name: 'Throttled' }],
    },
  },
  shapes: {
    Feeding: {
      type: 'structure',
      members: { Pet: { shape: 'Text' }, Spoon: { shape: 'Text' } },
    },
    Fed: { type: 'structure', members: { Fed: { shape: 'Text' } } },
    Text: { type: 'string', min: 2 },
  },
});

/** A service with a model and one operation, which performs what the test gives. */
async function servedFeeding(perform: () => unknown = () => ({ Fed: 'lion' })) {
  const feed: Operation = {
    name: 'FeedPet',
    input: z.strictObject({ Pet: z.string().optional() }),
    perform,
  };
  const { endpoint, reported } = await serveEndpoint({
    zoo: awsService({
      ...ZOO,
      operations: [feed],
      model: () => model,
    }),
  });
  const call = async (input: object = {}) => {
    const headers = { 'x-amz-target': 'ZooService.FeedPet' };
    const body = JSON.stringify(input);
    const { status, text } = await sendSigned(`${endpoint}/`, { method: 'POST', headers, body });
    return { status, body: JSON.parse(text) };
  };
  return { call, reports: () => reported.splice(0) };
}

test("400: an input that breaks a constraint of the model gets the service's validation error", async () => {
  const { call } = await servedFeeding();
  expect(await call({ Pet: 'x' })).toEqual({
    status: 400,
    body: {
      __type: 'Invalid',
      message:
        "1 validation error detected: Value at 'pet' failed to satisfy constraint: Member must have length greater than or equal to 2",
    },
  });
});

test('400: a member that the model does not have is invalid; 501: one that it has is not supported', async () => {
  const { call } = await servedFeeding();
  expect(await call({ Wings: '22' })).toMatchObject({ status: 400, body: { __type: 'Invalid' } });
  expect(await call({ Spoon: '22' })).toMatchObject({ status: 501, body: { __type: 'NotImplemented' } });
});

test('returns an error that the model lists', async () => {
  const { call } = await servedFeeding(() => {
    throw new AwsApiError('Throttled', 'Rate exceeded');
  });
  expect(await call()).toMatchObject({ status: 429 });
});

test.each([
  ['an unknown member', () => ({ Fed: 'lion', Ate: 5 }), "Value at 'ate' failed to satisfy constraint"],
  ['another type', () => ({ Fed: 5 }), 'Member must be of the type string'],
  [
    'an error that is not listed',
    () => {
      throw new AwsApiError('TooLarge', 'No');
    },
    'the error TooLarge is not listed',
  ],
])('500: %s is not returned, and the endpoint reports it', async (_, perform, fault) => {
  const { call, reports } = await servedFeeding(perform);
  expect(await call()).toMatchObject({ status: 500 });
  expect(reports()).toEqual([expect.stringContaining(`zoo: Zoo FeedPet broke its service model: `)]);
  expect(await call()).toMatchObject({ status: 500 });
  expect(reports()).toEqual([expect.stringContaining(fault)]);
});

const Feeding = z.strictObject({ Pet: z.string(), Grams: z.int().default(5) });

/** A service with one operation, and the order in which its parts are asked. */
async function servedScales(options: { principal?: Principal; isThrottled?: boolean } = {}) {
  const asked: string[] = [];
  const contexts: unknown[] = [];
  const principal: Principal = {
    denial: (action, resource, context) => {
      asked.push(`${action} ${resource}`);
      contexts.push(context?.keys);
      return options.principal?.denial(action, resource);
    },
  };
  const feed: Operation<typeof Feeding> = {
    name: 'FeedPet',
    input: Feeding,
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
  };
  const send = await serveApi(awsService({ ...ZOO, operations: [feed] }), principal);
  const call = async (body: string, name = 'FeedPet') => {
    const headers = { 'x-amz-target': `ZooService.${name}` };
    const { status, text, headers: received } = await send('/', { method: 'POST', headers, body });
    return { status, body: JSON.parse(text), type: received['content-type'] };
  };
  return { call, asked, contexts };
}

test('200: performs the operation of the target with its validated input', async () => {
  const { call } = await servedScales();
  expect(await call('{"Pet":"lion"}')).toEqual({
    status: 200,
    body: { Fed: 'lion 5' },
    type: 'application/x-amz-json-1.1',
  });
});

test('gives the principal the condition keys of the request, of the resource and of each permission', async () => {
  const { call, contexts } = await servedScales();
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
  const { call, contexts } = await servedScales();
  await call('{"Pet":7}');
  expect(contexts).toEqual([{}]);
});

test('400: the input is invalid, after permission and rate', async () => {
  const { call, asked } = await servedScales();
  expect(await call('{"Pet":7,"Grams":1}')).toMatchObject({ status: 400, body: { __type: 'Invalid' } });
  expect(asked).toEqual(['zoo:FeedPet 7', 'zoo:Weigh *', 'rate']);
});

test('403: the principal is denied the operation, or what it also requires', async () => {
  const denied = await servedScales({ principal: { denial: action => `not ${action}` } });
  expect(await denied.call('{"Pet":"lion"}')).toMatchObject({
    status: 403,
    body: { __type: 'Denied', message: 'not zoo:FeedPet' },
  });
  expect(denied.asked).toEqual(['zoo:FeedPet lion']);
  const noScales = await servedScales({
    principal: { denial: action => (action === 'zoo:Weigh' ? 'no scales' : undefined) },
  });
  expect(await noScales.call('{"Pet":"lion","Grams":1}')).toMatchObject({
    body: { message: 'no scales' },
  });
});

test('413: the body is larger than the limit', async () => {
  const { call } = await servedScales();
  expect(await call(JSON.stringify({ Pet: 'x'.repeat(1000) }))).toMatchObject({ status: 413 });
});

test('429: the rate is exceeded, before the input is validated', async () => {
  const { call } = await servedScales({ isThrottled: true });
  expect(await call('{}')).toMatchObject({ status: 429, body: { __type: 'Throttled' } });
});

test('501: names an operation and a parameter that are not supported', async () => {
  const { call } = await servedScales();
  expect(await call('{}', 'CagePet')).toMatchObject({
    status: 501,
    body: {
      __type: 'NotImplemented',
      message: 'CagePet of the Zoo API is not supported by the local AWS.',
    },
  });
  expect((await call('{"Pet":"lion","Spoon":"big"}')).body.message).toBe(
    'The parameter Spoon of the Zoo API is not supported by the local AWS.',
  );
});
