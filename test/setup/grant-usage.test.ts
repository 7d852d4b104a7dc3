import { describe, expect, test } from 'vitest';
import type { LedgerLine } from '../../infra/local/iam/grant-ledger.ts';
import { grantUsage, type StackGrants } from './grant-usage.ts';

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
const NONE = { rareGrants: [], expectedDenials: [] };
const BOTH_USED = [line('Farm', 'GetItem', { times: 2 }), line('City', 'PutItem'), line('City', 'GetItem')];

describe('the usage of grants', () => {
  test('adds up the calls of all stacks', () => {
    const { rows, faults } = grantUsage(STACKS, BOTH_USED, NONE);
    expect(rows.map(({ grant, times }) => [grant, times])).toEqual([
      ['Keeper: dynamodb:GetItem on table/Pets', 3],
      ['Keeper: dynamodb:PutItem on table/Pets', 1],
    ]);
    expect(faults).toEqual([]);
  });

  test('names a grant that was never used', () => {
    expect(grantUsage(STACKS, [line('Farm', 'GetItem')], NONE).faults).toEqual([
      'a grant was never used: Keeper: dynamodb:PutItem on table/Pets',
    ]);
  });

  test('names a call that was denied', () => {
    const denied = line('Farm', 'Scan', { grant: undefined });
    expect(grantUsage(STACKS, [...BOTH_USED, denied], NONE).faults).toEqual([
      'a role made a call that it is not granted: Keeper: dynamodb:Scan on table/Pets',
    ]);
  });

  test('accepts what is listed with a reason', () => {
    const exceptions = {
      rareGrants: [{ grant: /PutItem/, reason: 'a fault' }],
      expectedDenials: [{ grant: /Scan/, reason: 'a race' }],
    };
    const lines = [line('Farm', 'GetItem'), line('Farm', 'Scan', { grant: undefined })];
    const { rows, faults } = grantUsage(STACKS, lines, exceptions);
    expect(faults).toEqual([]);
    expect(rows.find(({ times }) => times === 0)?.reason).toBe('a fault');
  });

  test('names a listed grant that no role has, and none that was used by chance', () => {
    const listed = (grant: RegExp) => ({ ...NONE, rareGrants: [{ grant, reason: 'a fault' }] });
    expect(grantUsage(STACKS, BOTH_USED, listed(/PutItem/)).faults).toEqual([]);
    expect(grantUsage(STACKS, BOTH_USED, listed(/Scan/)).faults).toEqual([
      'a grant is listed as rare that no role has: /Scan/',
    ]);
  });

  test('leaves out the stacks and roles of other templates', () => {
    const others = [
      line('Farm', 'Scan', { grant: undefined, role: 'Visitor' }),
      line('Desert', 'Scan', { grant: undefined }),
    ];
    expect(grantUsage(STACKS, [...BOTH_USED, ...others], NONE).faults).toEqual([]);
  });
});
