import { expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { withHistory } from '../../../../shared/domains/life/history.ts';
import { AT, AT_MS, claimed } from '../claimed-domain.ts';

function withMessages(messages: readonly string[]): Domain {
  let domain = claimed({ history: [] });
  for (const message of messages) domain = withHistory({ ...domain, message }, AT_MS);
  return domain;
}

test('withHistory adds the status and message, unless the last entry says the same', () => {
  const { history } = withMessages(['one', 'one', 'two', 'one']);
  expect(history.map(({ what }) => what)).toEqual([
    'pending_dns: one',
    'pending_dns: two',
    'pending_dns: one',
  ]);
});

test('withHistory keeps the latest 50 entries', () => {
  const { history } = withMessages(Array.from({ length: 120 }, (_, number) => String(number)));
  expect(history).toHaveLength(50);
  expect(history.at(-1)).toEqual({ at: AT, what: 'pending_dns: 119' });
});
