import { expect, test } from 'vitest';
import { Access } from '../../../../infra/dashboard/server/access.ts';

const HOURS_12_MS = 12 * 60 * 60 * 1000;

/** The headers with which a page sends the token of a link, or the secret of a session at its host. */
function headersAt(link: string, secret = new URL(link).hash.slice('#token='.length)) {
  return { host: new URL(link).host, 'x-petstore-dashboard': secret };
}

test('every link has a token and a host of its own, which nobody can guess, but for the one for Safari', () => {
  const access = new Access(4180);
  const links = Array.from({ length: 10 }, () => new URL(access.link()));
  for (const { href } of links) {
    expect(href).toMatch(/^http:\/\/[0-9a-f]{20}\.localhost:4180\/#token=[\w-]{43}$/);
  }
  const { host, hash } = new URL(access.link({ host: '127.0.0.1' }));
  expect(host).toBe('127.0.0.1:4180');
  expect(new Set([...links.map(link => link.host), host]).size).toBe(11);
  expect(new Set([...links.map(link => link.hash), hash]).size).toBe(11);
});

test('tokens and sessions are good at the host of their link alone, and at no host of another start', () => {
  const access = new Access(4180);
  const [one, other] = [access.link(), access.link({ host: '127.0.0.1' })];
  const { 'x-petstore-dashboard': token } = headersAt(one);
  expect(access.openSession(headersAt(other, token))).toBeUndefined();
  const secret = access.openSession(headersAt(one)) ?? '';
  expect(access.hasSession(headersAt(one, secret))).toBe(true);
  expect(access.openSession(headersAt(one, secret))).toBe(secret);
  for (const headers of [headersAt(other, secret), headersAt(one, token), { host: headersAt(one).host }]) {
    expect(access.hasSession(headers)).toBe(false);
  }
  const next = new Access(4180);
  const link = next.link();
  for (const known of [token, secret, '', 'undefined']) {
    for (const host of [one, link, next.link({ host: '127.0.0.1' })]) {
      expect(next.openSession(headersAt(host, known))).toBeUndefined();
      expect(next.hasSession(headersAt(host, known))).toBe(false);
    }
  }
  expect([access.originOf(headersAt(one)), next.originOf(headersAt(one))]).toEqual([
    new URL(one).origin,
    undefined,
  ]);
});

test('says where the newest session was opened, once there is one', () => {
  const access = new Access(4180);
  const [one, other] = [access.link(), access.link()];
  expect(access.newestOrigin).toBeUndefined();
  for (const link of [other, one]) {
    access.openSession(headersAt(link));
    expect(access.newestOrigin).toBe(new URL(link).origin);
  }
});

test('a link for the arguments of a process works once; its session stays', () => {
  const access = new Access(4180);
  const link = access.link({ isSingleUse: true });
  const secret = access.openSession(headersAt(link));
  expect(access.openSession(headersAt(link))).toBeUndefined();
  expect(access.openSession(headersAt(link, secret))).toBe(secret);
});

test('a session ends 12 hours after its last request', () => {
  const clock = { now: Date.now() };
  const access = new Access(4180, () => clock.now);
  const link = access.link();
  const session = headersAt(link, access.openSession(headersAt(link)));
  for (const isOpen of [true, true, false]) {
    clock.now += isOpen ? HOURS_12_MS : HOURS_12_MS + 1;
    expect(access.hasSession(session)).toBe(isOpen);
  }
  expect(access.openSession(session)).toBeUndefined();
});
