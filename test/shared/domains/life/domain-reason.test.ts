import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DOMAIN_REASONS } from '../../../../shared/domains/life/domain-reason.ts';

const readme = readFileSync(new URL('../../../../shared/domains/README.md', import.meta.url), 'utf8');
const [, troubleshooting = ''] = readme.split('## Troubleshooting');
const rows = troubleshooting.split('\n').filter(line => line.startsWith('| `'));

test('the troubleshooting table of the README has every reason once, and no other', () => {
  const listed = rows.flatMap(row =>
    [...(row.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, reason]) => reason),
  );
  expect(listed.toSorted()).toEqual([...DOMAIN_REASONS].toSorted());
});

test('every reason of the table has a meaning and something to do', () => {
  for (const row of rows) {
    const [, , meaning = '', action = ''] = row.split('|').map(cell => cell.trim());
    expect(meaning).toMatch(/^[A-Z].*\.$/);
    expect(action).toMatch(/^[A-Z].*\.$/);
  }
});
