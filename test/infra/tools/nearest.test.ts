import { expect, test } from 'vitest';
import { nearest } from '../../../infra/tools/nearest.ts';

test.for([
  ['stagin', 'staging'],
  ['stagign', 'staging'],
  ['brust', 'burst'],
  ['STAGING', 'staging'],
  ['prod', 'production'],
  ['prodution', 'production'],
  ['p', undefined],
  ['demo', undefined],
] as const)('%s means %s', ([typed, meant]) => {
  expect(nearest(typed, ['staging', 'production', 'burst'])).toBe(meant);
});
