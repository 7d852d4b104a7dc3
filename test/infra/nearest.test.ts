import { expect, test } from 'vitest';
import { nearest, nearestCommand } from '../../infra/nearest.ts';

const PATHS = ['keys', 'keys create', 'keys list', 'keys revoke', 'keys rotate', 'audit'];

test.for([
  ['lst', 'list'],
  ['lsit', 'list'],
  ['LIST', 'list'],
  ['rev', 'revoke'],
  ['creat', 'create'],
  ['destroy', undefined],
  ['x', undefined],
] as const)('%s means %s', ([typed, meant]) => {
  expect(nearest(typed, ['create', 'list', 'revoke', 'rotate'])).toBe(meant);
});

test.for([
  [['kyes', 'lst'], 'keys list'],
  [['key', 'revoke', 'key_1'], 'keys revoke'],
  [['list'], 'keys list'],
  [['keys.list'], 'keys list'],
  [['audti'], 'audit'],
  [['--json', 'key'], 'keys'],
  [['deploy'], undefined],
  [[], undefined],
] as const)('%s means the command %s', ([words, meant]) => expect(nearestCommand(words, PATHS)).toBe(meant));
