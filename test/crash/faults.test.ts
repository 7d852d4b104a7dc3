import { expect, test } from 'vitest';
import { Random } from '../../infra/local/testing/random.ts';
import { dynamoDbFault, weather } from './faults.ts';

const rates = (seed: number) => {
  const rateAt = weather(new Random(seed));
  return Array.from({ length: 600 }, (_, tenth) => rateAt(100 * tenth));
};

test('the weather is the same for the same seed', () => {
  expect(rates(1)).toEqual(rates(1));
  expect(rates(1)).not.toEqual(rates(2));
});

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'a minute of the seed %i has calm, storms, hurricanes and an outage',
  seed => {
    const minute = rates(seed);
    const has = (least: number, most: number) => minute.some(rate => rate >= least && rate <= most);
    expect([has(0, 0.01), has(0.05, 0.45), has(0.6, 0.85), has(1, 1)]).toEqual([true, true, true, true]);
  },
);

const faultsOf = (operation: string, body = '{}') => {
  const random = new Random(1);
  const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
  const request = { method: 'POST', path: '/', headers, body: Buffer.from(body) };
  return Array.from({ length: 300 }, () => dynamoDbFault(request, random));
};

test('requests to DynamoDB are lost, cut, slow, throttled and fail; only writes conflict', () => {
  const names = (operation: string) => [...new Set(faultsOf(operation).map(({ name }) => name))].toSorted();
  const always = [
    'failed after',
    'failed before',
    'no response',
    'request lost',
    'response cut',
    'response lost',
  ];
  expect(names('Query')).toEqual([...always, 'slow', 'throttled', 'unavailable']);
  expect(names('PutItem')).toContain('conflict');
});

test('a transaction is canceled with one reason for each of its writes', () => {
  const bodies = faultsOf('TransactWriteItems', '{"TransactItems":[{},{},{}]}').map(({ instead }) =>
    typeof instead === 'object' ? JSON.parse(instead.body) : {},
  );
  const { CancellationReasons } = bodies.find(body => body.CancellationReasons);
  const codes = CancellationReasons.map(({ Code }: { Code: string }) => Code);
  expect(codes.toSorted()).toEqual(['None', 'None', 'TransactionConflict']);
});
