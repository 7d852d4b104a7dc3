import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  DOMAIN_REASONS,
  type DomainReason,
  hasVisitors,
  REASONS,
} from '../../../../shared/domains/life/domain-reason.ts';
import { STATUSES } from '../../../../shared/domains/life/domain-status.ts';
import { WHILE_LIVE_CHOICES } from '../../../../shared/projects/project-choices.ts';

const read = (page: string) =>
  readFileSync(new URL(`../../../../shared/domains/${page}`, import.meta.url), 'utf8');
const guide = read('guide.md');
const owners = read('owners.md');

test('the pages for operators and owners have every reason once and no other, each where it can be mended', () => {
  const [ofOperators, ofOwners] = [guide, owners].map(page => {
    const [, table = ''] = page.split('| Reason | What it means, and what to do |');
    const rows = table.split('\n').filter(line => line.startsWith('| `'));
    for (const row of rows) expect(row.split('|')[2]?.trim()).toMatch(/^[A-Z].*\. [A-Z].*\.$/);
    const listed = rows.flatMap(row => [...row.matchAll(/`(…?[a-z_]+)`(?=[^|]*\|[^|]*\|$)/g)]);
    return listed.flatMap(([, reason = '']) =>
      reason.startsWith('…')
        ? ['traffic', 'ownership', 'certificate'].map(record => reason.replace('…', record))
        : [reason],
    ) as DomainReason[];
  });
  expect([...(ofOperators ?? []), ...(ofOwners ?? [])].toSorted()).toEqual(DOMAIN_REASONS.toSorted());
  const isOperators = (reason: DomainReason) => ['operator', 'service'].includes(REASONS[reason].needs ?? '');
  expect(ofOperators).toEqual(ofOperators?.filter(isOperators));
  expect(ofOwners).toEqual(ofOwners?.filter(reason => !isOperators(reason)));
});

test('operators are told only of what they have to do', () => {
  const told = Object.values(REASONS).filter(({ tellsOperators }) => tellsOperators);
  expect(new Set(told.map(({ needs }) => needs))).toEqual(new Set(['operator']));
});

test.each([
  [null, true],
  ['caa_blocked', true],
  ['ownership_record_missing', true],
  ['traffic_record_missing', false],
  ['domain_name_foreign', false],
] as const)('the visitors of a live domain are served with the reason %s: %s', (reason, isServed) => {
  expect(hasVisitors({ reason })).toBe(isServed);
});

test('the guide has every choice for the default URL', () => {
  const [, table = ''] = guide.split('| `whileLive` | The default URL |');
  const choices = (table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)`/gm);
  expect([...choices].map(([, choice]) => choice)).toEqual(WHILE_LIVE_CHOICES);
});

test('the guide has every status that is reported', () => {
  const [, chapter = ''] = guide.split('| Status | Meaning |');
  const table = (chapter.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \| .* \|$/gm);
  const reported = new Set(Object.values(STATUSES).map(status => status.reported));
  expect([...table].map(([, status]) => status)).toEqual([...reported]);
});

test.each([
  ['an existing A record blocks the CNAME', 'An existing A record blocks the CNAME.'],
  ['the CNAME value differs from the one shown', "the record's value differs from the one shown"],
  ['confirm the domain still verifies', 'Confirm that the domain still verifies'],
  [
    'check that no CAA record blocks the certificate authority',
    'that no CAA record blocks the certificate authority',
  ],
  ['choose Re-verify to trigger a new attempt', 'verified again to trigger a new attempt'],
  [
    'wait a few minutes and retry in a fresh browser session',
    'Wait a few minutes and retry in a fresh browser session.',
  ],
  ['check the served response headers directly', 'Check the served response headers directly'],
])('the page for owners has the rule of the interface: %s', (_, text) => {
  expect(owners).toContain(text);
});
