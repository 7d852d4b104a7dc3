import { expect, test } from 'vitest';
import { claimOf, withHistory } from '../../../../shared/domains/life/domain.ts';
import { AT, claimed, TARGET } from '../claimed-domain.ts';

test('a claim is what nobody can guess of its host', () => {
  expect(`${claimOf(claimed())}.apps.petstore.example`).toBe(TARGET);
});

test('the history has what differs from before, and the latest of a long one', () => {
  const said = ['one', 'one', 'two', 'one'].reduce(
    (domain, what) => withHistory(domain, AT, what),
    claimed({ history: [] }),
  );
  expect(said.history.map(({ what }) => what)).toEqual(['one', 'two', 'one']);
  const long = Array.from({ length: 120 }, (_, number) => String(number)).reduce(
    (domain, what) => withHistory(domain, AT, what),
    claimed(),
  );
  expect(long.history).toHaveLength(50);
  expect(long.history.at(-1)).toEqual({ at: AT, what: '119' });
});
