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

test.each([
  ['an existing A record blocks the CNAME', 'An existing A record blocks the CNAME.'],
  ['the CNAME value differs from the one shown', "the record's value differs from the one shown"],
  ['confirm the domain still verifies', 'Confirm that the domain still verifies'],
  [
    'check that no CAA record blocks the certificate authority',
    'that no CAA record blocks the certificate authority',
  ],
  ['choose Re-verify to trigger a new attempt', 'verify again to trigger a new attempt'],
  [
    'wait a few minutes and retry in a fresh browser session',
    'Wait a few minutes and retry in a fresh browser session.',
  ],
  ['check the served response headers directly', 'Check the served response headers directly'],
])('the troubleshooting has the rule of the interface: %s', (_, text) => {
  expect(troubleshooting).toContain(text);
});
