import { expect, test } from 'vitest';
import { Random } from '../../infra/local/virtual/random.ts';
import { dynamoDbFault, weather } from './faults.ts';

test('the weather is the same for the same seed, and has calm, storms and outages', () => {
  const rates = (seed: number) => {
    const rateAt = weather(new Random(seed));
    return Array.from({ length: 600 }, (_, second) => rateAt(1000 * second));
  };
  expect(rates(1)).toEqual(rates(1));
  expect(rates(1)).not.toEqual(rates(2));
  expect(Math.min(...rates(1))).toBeLessThan(0.01);
  expect(rates(1).some(rate => rate > 0.6 && rate < 0.85)).toBe(true);
  expect(Math.max(...rates(1))).toBe(1);
});

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
