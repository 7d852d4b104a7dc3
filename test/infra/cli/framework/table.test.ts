import { expect, test } from 'vitest';
import { printable } from '../../../../infra/cli/framework/style.ts';
import { type Column, table } from '../../../../infra/cli/framework/table.ts';

interface Row {
  readonly id: string;
  readonly name: string;
}

const COLUMNS: Column<Row>[] = [
  { title: 'ID', value: row => row.id },
  { title: 'NAME', value: row => row.name, canShrink: true },
  { title: 'STATUS', value: () => 'active' },
];

const dim = (text: string) => text;
const lines = (rows: Row[], width?: number) => table(rows, COLUMNS, { width, dim }).split('\n');

test('makes each column as wide as its widest cell', () => {
  expect(lines([{ id: 'key_1', name: 'Zoo' }])).toEqual(['ID     NAME  STATUS', 'key_1  Zoo   active']);
});

test('aligns the columns after characters of double width', () => {
  const [, zoo, acme] = lines([
    { id: '1', name: '動物園🐼' },
    { id: '2', name: 'Acme Zoo' },
  ]);
  expect(zoo).toBe('1   動物園🐼  active');
  expect(acme).toBe('2   Acme Zoo  active');
});

test('truncates a long value on a narrow terminal, and only there', () => {
  const rows = [{ id: 'key_1', name: 'A name that goes on and on' }];
  expect(lines(rows, 30)).toEqual(['ID     NAME             STATUS', 'key_1  A name that go…  active']);
  expect(lines(rows)[1]).toContain('A name that goes on and on');
});

test('prints a block per row when the terminal is too narrow for values that must not be truncated', () => {
  const rows = [
    { id: 'key_1f0c9d8e7b6a5f4e', name: 'Acme' },
    { id: 'key_2', name: 'A name that goes on and on' },
  ];
  expect(lines(rows, 28)).toEqual([
    'ID      key_1f0c9d8e7b6a5f4e',
    'NAME    Acme',
    'STATUS  active',
    '',
    'ID      key_2',
    'NAME    A name that goes on…',
    'STATUS  active',
  ]);
});

test('replaces control characters in values', () => {
  expect(printable('a\nb\tc\u001b[31m\u0007\u202e')).toBe('a b c�[31m��');
  expect(lines([{ id: '1', name: 'two\nlines' }])).toHaveLength(2);
});

test('measures the width without colors', () => {
  const columns: Column<Row>[] = [
    { title: 'ID', value: row => row.id, paint: text => `\u001b[1m${text}\u001b[22m` },
    { title: 'NAME', value: row => row.name },
  ];
  expect(table([{ id: 'key_1', name: 'Zoo' }], columns, { width: undefined, dim })).toBe(
    'ID     NAME\n\u001b[1mkey_1\u001b[22m  Zoo',
  );
});
