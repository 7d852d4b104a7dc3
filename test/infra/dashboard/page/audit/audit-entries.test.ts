import { expect, test } from 'vitest';
import { fieldsOf, filterEntries } from '../../../../../infra/dashboard/page/audit/audit-entries.ts';
import type { AuditEntry } from '../../../../../shared/operator/contract.ts';

const entry = (by: string, command: string, input: unknown, at: string): AuditEntry => ({
  requestId: at,
  at,
  by,
  command,
  input,
  result: {},
});
const JANE = entry('role/jane', 'domains.add', { domain: 'www.Example.com' }, '2026-01-01');
const SAM = entry('local:sam', 'keys.create', { name: 'Acme' }, '2026-01-02');

test('without a filter everything is shown, the newest first', () => {
  expect(filterEntries([JANE, SAM], ' ')).toEqual([SAM, JANE]);
});

test.each(['jane', 'DOMAINS.', 'example.com', 'jane add example'])('%s finds the entry', filter => {
  expect(filterEntries([JANE, SAM], filter)).toEqual([JANE]);
});

test('every word must occur', () => {
  expect(filterEntries([JANE, SAM], 'jane acme')).toEqual([]);
});

test('fields are names and texts, whatever their type', () => {
  const input = { name: 'Acme', scopes: ['a', 'b'], expiresAt: null, overlapHours: 24 };
  expect(fieldsOf(input)).toEqual([
    ['name', 'Acme'],
    ['scopes', 'a, b'],
    ['overlapHours', '24'],
  ]);
  expect(fieldsOf('text')).toEqual([]);
});
