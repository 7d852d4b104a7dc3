import { expect, test } from 'vitest';
import { redirectTargets } from '../../../../../infra/dashboard/page/domains/routing-choices.ts';
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
