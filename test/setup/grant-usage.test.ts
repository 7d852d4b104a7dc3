import { expect, test } from 'vitest';
import type { LedgerLine } from '../../infra/local/testing/grant-ledger.ts';
import { type Exceptions, grantUsage, type StackGrants } from './grant-usage.ts';

const stack = (name: string): StackGrants => ({
  stack: `Zoo-${name}`,
  grants: [
    { role: 'Keeper', action: 'dynamodb:GetItem', resource: `table/${name}-Pets` },
    { role: 'Keeper', action: 'dynamodb:PutItem', resource: `table/${name}-Pets` },
  ],
  nameOf: resource => resource.replace(`${name}-`, ''),
});

const line = (name: string, method: string, more: Partial<LedgerLine> = {}): LedgerLine => ({
  stack: `Zoo-${name}`,
  role: 'Keeper',
  action: `dynamodb:${method}`,
  resource: `table/${name}-Pets`,
  grant: { action: `dynamodb:${method}`, resource: `table/${name}-Pets` },
  times: 1,
  ...more,
});

const STACKS = [stack('Farm'), stack('City')];
const NONE: Exceptions = { rareGrants: [], expectedDenials: [] };
const BOTH_USED = [line('Farm', 'GetItem', { times: 2 }), line('City', 'PutItem'), line('City', 'GetItem')];

const DENIED = line('Farm', 'Scan', { grant: undefined });
const listed = (grant: RegExp) => ({ ...NONE, rareGrants: [{ grant, reason: 'a fault' }] });

test('the calls of all stacks are added up, and a grant without any has its reason', () => {
  const lines = [line('Farm', 'GetItem', { times: 2 }), line('City', 'GetItem')];
  expect(grantUsage(STACKS, lines, listed(/PutItem/)).rows).toEqual([
    { grant: 'Keeper: dynamodb:GetItem on table/Pets', times: 3, reason: undefined },
    { grant: 'Keeper: dynamodb:PutItem on table/Pets', times: 0, reason: 'a fault' },
  ]);
});

test.each<[what: string, lines: LedgerLine[], exceptions: Exceptions, ...faults: string[]]>([
  ['every grant was used', BOTH_USED, NONE],
  [
    'one was not',
    [line('Farm', 'GetItem')],
    NONE,
    'a grant was never used: Keeper: dynamodb:PutItem on table/Pets',
  ],
  ['one was not, with a reason', [line('Farm', 'GetItem')], listed(/PutItem/)],
  ['one was used that is listed as rare', BOTH_USED, listed(/PutItem/)],
  [
    'one is listed that no role has',
    BOTH_USED,
    listed(/Scan/),
    'a grant is listed as rare that no role has: /Scan/',
  ],
  [
    'a call was denied',
    [...BOTH_USED, DENIED],
    NONE,
    'a role made a call that it is not granted: Keeper: dynamodb:Scan on table/Pets',
  ],
  [
    'a call was denied, with a reason',
    [...BOTH_USED, DENIED],
    { ...NONE, expectedDenials: [{ grant: /Scan/, reason: 'a race' }] },
  ],
  [
    'a call was denied to a role, or in a stack, of another template',
    [...BOTH_USED, { ...DENIED, role: 'Visitor' }, { ...DENIED, stack: 'Zoo-Desert' }],
    NONE,
  ],
])('where %s, the faults are these', (_, lines, exceptions, ...faults) => {
  const usage = grantUsage(STACKS, lines, exceptions);
  expect([...usage.faults, ...usage.unused]).toEqual(faults);
});
