import { expect, test } from 'vitest';
import { permittedChecks } from '../../../shared/operator/checks.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const after = (minutes: number) => new Date(NOW_MS + minutes * 60_000).toISOString();
const PUBLISHED = { apiId: 'abcdefghij', stage: 'test' };
const KEYS: Record<string, object> = {
  temporary: { name: 'petstore smoke', createdAt: after(0), expiresAt: after(15) },
  customer: { name: 'Acme', createdAt: after(0), expiresAt: after(15) },
  lasting: { name: 'petstore smoke', createdAt: after(0), expiresAt: null },
};
const permits = permittedChecks({ find: async id => KEYS[id] as never }, PUBLISHED, () => NOW_MS);
const DOMAIN = 'petstore-smoke-0123abcd.example.com';

test.each([
  ['environment.inspect', {}],
  ['keys.create', { name: 'petstore smoke', expiresAt: after(15) }],
  ['keys.revoke', { id: 'temporary' }],
  ['keys.forget', { id: 'unknown' }],
  ['projects.create', { id: 'petstore-smoke', ...PUBLISHED }],
  ['domains.remove', { project: 'petstore-smoke', domain: DOMAIN }],
])('permits %s with %o', async (command, input) => {
  expect(await permits(command, input)).toBe(true);
});

test.each([
  ['keys.create', { name: 'Acme', expiresAt: after(15) }],
  ['keys.create', { name: 'petstore smoke', expiresAt: after(16) }],
  ['keys.create', { name: 'petstore smoke' }],
  ['keys.revoke', { id: 'customer' }],
  ['keys.forget', { id: 'lasting' }],
  ['keys.rotate', { id: 'temporary', overlapHours: 1 }],
  ['keys.withdraw', {}],
  ['orders.list', {}],
  ['audit.list', {}],
  ['projects.create', { id: 'shop', ...PUBLISHED }],
  ['projects.create', { id: 'petstore-smoke', apiId: 'otherapi01', stage: 'test' }],
  ['projects.endpoint', { id: 'petstore-smoke', whileLive: 'closed' }],
  ['domains.add', { project: 'petstore-smoke', domain: 'www.example.com' }],
  ['domains.remove', { project: 'petstore', domain: DOMAIN }],
  ['__proto__', {}],
])('refuses %s with %o', async (command, input) => {
  expect(await permits(command, input)).toBe(false);
});
