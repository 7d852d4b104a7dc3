import { expect, test } from 'vitest';
import { redirectTargets } from '../../../../../infra/dashboard/page/domains/routing-choices.ts';
import { ADDED, LIVE, REDIRECTING, SECOND } from '../../../cli/domains/domain-fixture.ts';

const PRIMARY = LIVE;
const NEW = { ...ADDED, domain: 'a.example.com' };
const ALL = [NEW, SECOND, REDIRECTING, PRIMARY];

test('a domain can redirect to live ones that serve the project, the primary one first', () => {
  expect(redirectTargets(SECOND, ALL)).toEqual([PRIMARY.domain]);
  expect(redirectTargets(REDIRECTING, ALL)).toEqual([PRIMARY.domain, SECOND.domain]);
});
