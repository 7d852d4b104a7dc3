import { expect, test } from 'vitest';
import { removalConsequences } from '../../../../infra/cli/domains/domain-report.ts';
import { ADDED, LIVE, REDIRECTING, SECOND } from './domain-fixture.ts';

const PRIMARY = LIVE;
const NEW = { ...ADDED, domain: 'a.example.com' };
const ALL = [NEW, SECOND, REDIRECTING, PRIMARY];

test('the removal of the primary domain says what stops, and who takes its place', () => {
  expect(removalConsequences(PRIMARY, ALL)).toEqual([
    'https://www.example.com stops being served at once.',
    'https://c.example.com no longer redirects to it, and serves the project instead.',
    'It is the primary domain of the project. The one of b.example.com, c.example.com that has been live the longest becomes the primary domain.',
  ]);
  expect(removalConsequences(PRIMARY, [PRIMARY])).toContain(
    'It is the primary domain of the project. There is no other live domain: the project will have no primary domain.',
  );
  expect(removalConsequences(PRIMARY, [PRIMARY, SECOND])).toContain(
    'It is the primary domain of the project. b.example.com becomes the primary domain.',
  );
});

test('the removal of a redirect, and of a domain that is not live', () => {
  expect(removalConsequences(REDIRECTING, ALL)).toEqual([
    'https://c.example.com stops at once: it no longer redirects to https://www.example.com.',
  ]);
  expect(removalConsequences(NEW, ALL)).toEqual([
    'a.example.com is not served yet, so nothing stops. The project gives up its claim to it.',
  ]);
});
