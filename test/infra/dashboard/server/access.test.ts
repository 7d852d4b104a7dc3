import { expect, test } from 'vitest';
import { Access } from '../../../../infra/dashboard/server/access.ts';

const HOURS_12_MS = 12 * 60 * 60 * 1000;

const headers = (secret: string | undefined) => ({ 'x-petstore-dashboard': secret ?? '' });

test('a session ends 12 hours after its last request', () => {
  let now = 0;
  const access = new Access(4180, () => now);
  const session = headers(access.openSession(headers(access.token)));
  now += HOURS_12_MS;
  expect(access.hasSession(session)).toBe(true);
  now += HOURS_12_MS;
  expect(access.openSession(session)).toBe(session['x-petstore-dashboard']);
  now += HOURS_12_MS + 1;
  expect(access.hasSession(session)).toBe(false);
  now -= 1;
  expect(access.openSession(session)).toBeUndefined();
});

test('tokens and sessions of two starts differ', () => {
  const [one, two] = [new Access(1), new Access(1)];
  const session = one.openSession(headers(one.token));
  expect([session, one.token].map(secret => two.openSession(headers(secret)))).toEqual([
    undefined,
    undefined,
  ]);
});
