import { expect, test } from 'vitest';
import { Access } from '../../../../infra/dashboard/server/access.ts';

const HOURS_12_MS = 12 * 60 * 60 * 1000;

test('a session ends 12 hours after its last request', () => {
  let now = 0;
  const access = new Access(4180, () => now);
  const cookie = access.startSession(access.token)?.split(';')[0] ?? '';
  now += HOURS_12_MS;
  expect(access.hasSession({ cookie })).toBe(true);
  now += HOURS_12_MS;
  expect(access.hasSession({ cookie })).toBe(true);
  now += HOURS_12_MS + 1;
  expect(access.hasSession({ cookie })).toBe(false);
  now -= 1;
  expect(access.hasSession({ cookie })).toBe(false);
});

test('finds its cookie among those of other ports, which browsers send too', () => {
  const access = new Access(4180);
  const other = new Access(4181);
  const cookies = [other, access].map(each => each.startSession(each.token)?.split(';')[0]).join('; ');
  expect([access.hasSession({ cookie: cookies }), other.hasSession({ cookie: cookies })]).toEqual([
    true,
    true,
  ]);
});

test('tokens and sessions of two starts differ', () => {
  const [one, two] = [new Access(1), new Access(1)];
  expect(one.token).not.toBe(two.token);
  expect(two.startSession(one.token)).toBeUndefined();
});
