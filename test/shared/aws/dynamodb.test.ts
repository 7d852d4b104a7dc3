import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { orUnavailable } from '../../../shared/aws/dynamodb.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { outcomeInFastTime } from './fast-time.ts';
import { always, type Fault, faultyEngine } from './faulty-engine.ts';

const read = async () =>
  new GetItemCommand({ TableName: await tableLike('ApiKeysTable'), Key: { id: { S: 'key_x' } } });

test('what a call gives is given', async () => {
  expect(await orUnavailable(Promise.resolve(5))).toBe(5);
});

test('another error stays what it is', async () => {
  const error = new Error('a mistake');
  await expect(orUnavailable(Promise.reject(error))).rejects.toBe(error);
});

test('what is retried in vain is Unavailable, with the reason as its cause', async () => {
  const engine = await faultyEngine(always({ status: 503, type: 'ServiceUnavailable' }));
  const aws = await engine.under(() => import('../../../shared/aws/dynamodb.ts'));
  const command = await read();
  const { error } = await outcomeInFastTime(() => aws.orUnavailable(aws.dynamoDb.send(command)), engine);
  expect(error).toMatchObject({ name: 'Unavailable', cause: { name: 'ServiceUnavailable' } });
  expect(engine.requests.length).toBeGreaterThan(8);
});

test('one outage does not use up the patience of the next request', async () => {
  const faults: Fault[] = Array(10).fill('request lost');
  const engine = await faultyEngine([...faults, undefined, ...faults, undefined]);
  const aws = await engine.under(() => import('../../../shared/aws/dynamodb.ts'));
  const command = await read();
  for (const round of [1, 2]) {
    const { error } = await outcomeInFastTime(() => aws.orUnavailable(aws.dynamoDb.send(command)), engine);
    expect(error, `round ${round}`).toBeUndefined();
  }
});
