import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Access } from '../../../../infra/dashboard/server/access.ts';

const HOURS_12_MS = 12 * 60 * 60 * 1000;

const headers = (secret: string | undefined) => ({ 'x-petstore-dashboard': secret ?? '' });

/** A browser, which signs a challenge for the page of its origin. */
function newBrowser() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const browser = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return {
    browser,
    signed(challenge: string, origin: string) {
      const signature = sign('sha256', Buffer.from(`${origin} ${challenge}`), key).toString('base64');
      return { browser, challenge, signature };
    },
  };
}

/** Starts at the same port, one after the other, at a time that a test moves on. */
function starts() {
  const file = join(mkdtempSync(join(tmpdir(), 'dashboard-')), 'new', 'dashboard-4180.json');
  const clock = { now: Date.now() };
  const start = () => new Access(4180, { file, now: () => clock.now });
  return { file, clock, start };
}

test('a session ends 12 hours after its last request, also if the server was started again', () => {
  const { clock, start } = starts();
  const { browser, signed } = newBrowser();
  const access = start();
  const session = headers(access.openSession(headers(access.token), { browser }));
  clock.now += HOURS_12_MS;
  expect(access.hasSession(session)).toBe(true);
  clock.now += HOURS_12_MS;
  expect(access.hasSession(session)).toBe(true);
  const reopen = (restarted = start()) =>
    restarted.openSession(headers(''), signed(restarted.challenge(), restarted.origin));
  expect(reopen()).toMatch(/^[\w-]{43}$/);
  clock.now += HOURS_12_MS + 1;
  expect(access.hasSession(session)).toBe(false);
  expect(reopen()).toBeUndefined();
});

test('a browser is known after a restart by its key alone: no token and no secret of another start is accepted', () => {
  const { file, clock, start } = starts();
  const { browser, signed } = newBrowser();
  const one = start();
  const session = one.openSession(headers(one.token), { browser });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const two = start();
  const open = (given: object, access = two) => access.openSession(headers(''), { ...given });
  for (const secret of [session, one.token]) {
    expect(two.openSession(headers(secret), { browser })).toBeUndefined();
    expect(two.hasSession(headers(secret))).toBe(false);
  }
  const right = signed(two.challenge(), two.origin);
  expect(open({ ...right, signature: signed(one.challenge(), two.origin).signature })).toBeUndefined();
  expect(open(signed(one.challenge(), two.origin))).toBeUndefined();
  // What a page signed for the server of another user, which had the port of another dashboard.
  expect(open(signed(two.challenge(), 'http://127.0.0.1:4181'))).toBeUndefined();
  expect(open(newBrowser().signed(two.challenge(), two.origin))).toBeUndefined();
  expect(two.hasSession(headers(open(right)))).toBe(true);
  clock.now += 61_000;
  expect(open(right)).toBeUndefined();
  writeFileSync(file, `{"${browser}": ${clock.now}`);
  const damaged = start();
  expect(open(signed(damaged.challenge(), damaged.origin), damaged)).toBeUndefined();
});
