import { expect, test } from 'vitest';
import {
  consequencesOfRemoval,
  redirectTargets,
} from '../../../../../infra/dashboard/page/domains/routing-choices.ts';
import { ADDED, LIVE } from '../../../cli/domains/domain-fixture.ts';

const PRIMARY = LIVE;
const SECOND = { ...LIVE, domain: 'b.example.com', primary: false };
const REDIRECTING = {
  ...LIVE,
  domain: 'c.example.com',
  primary: false,
  redirect: { to: PRIMARY.domain, status: 301 },
};
const NEW = { ...ADDED, domain: 'a.example.com' };
const ALL = [NEW, SECOND, REDIRECTING, PRIMARY];

test('a domain can redirect to live ones that serve the project, the primary one first', () => {
  expect(redirectTargets(SECOND, ALL)).toEqual([PRIMARY.domain]);
  expect(redirectTargets(REDIRECTING, ALL)).toEqual([PRIMARY.domain, SECOND.domain]);
});

test('the removal of the primary domain says what stops, and who takes its place', () => {
  expect(consequencesOfRemoval(PRIMARY, ALL)).toEqual([
    'https://www.example.com stops being served at once.',
    'https://c.example.com no longer redirects to it, and serves the project instead.',
    'It is the primary domain: the one that has been live the longest takes its place.',
  ]);
  expect(consequencesOfRemoval(PRIMARY, [PRIMARY])).toContain(
    'It is the primary domain, and there is no other live one to take its place.',
  );
  expect(consequencesOfRemoval(PRIMARY, [PRIMARY, SECOND])).toContain(
    'It is the primary domain: b.example.com takes its place.',
  );
});

test('the removal of a redirect, and of a domain that is not live', () => {
  expect(consequencesOfRemoval(REDIRECTING, ALL)).toEqual([
    'https://c.example.com stops at once: it no longer redirects to https://www.example.com.',
  ]);
  expect(consequencesOfRemoval(NEW, ALL)).toEqual([
    'It is not served yet, so nothing stops. The project gives up its claim to it.',
  ]);
});
