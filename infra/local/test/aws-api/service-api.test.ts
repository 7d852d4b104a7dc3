import { expect, test } from 'vitest';
import * as z from 'zod';
import { AwsApiError } from '../../aws-api/aws-api-error.ts';
import { jsonService } from '../../aws-api/json-protocol.ts';
import { operation } from '../../aws-api/operation.ts';
import { serviceModel } from '../../aws-api/service-model.ts';
import { sendSigned, serveEndpoint, ZOO } from './served-endpoint.ts';

const model = serviceModel({
  protocol: 'json',
  operations: {
    FeedPet: {
      method: 'POST',
      uri: '/',
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
  const feed = operation({
    name: 'FeedPet',
    input: z.strictObject({ Pet: z.string().optional() }),
    perform,
  });
  const { endpoint, reported } = await serveEndpoint({
    zoo: jsonService({
      ...ZOO,
      jsonVersion: '1.1',
      targetPrefix: 'ZooService',
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
