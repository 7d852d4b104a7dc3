import { expect, test } from 'vitest';
import { permittedChecks } from '../../../shared/operator/checks.ts';
import { COMMANDS } from '../../../shared/operator/contract.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const after = (minutes: number) => new Date(NOW_MS + minutes * 60_000).toISOString();
const PUBLISHED = { apiId: 'abcdefghij', stage: 'test' };
const KEYS: Record<string, object> = {
  temporary: { name: 'petstore smoke', createdAt: after(0), expiresAt: after(15) },
  customer: { name: 'Acme', createdAt: after(0), expiresAt: after(15) },
  lasting: { name: 'petstore smoke', createdAt: after(0), expiresAt: null },
};
const permits = permittedChecks({ find: async id => KEYS[id] as never }, PUBLISHED, () => NOW_MS);

const PROJECT = { id: 'petstore-smoke' };
const DOMAIN = { project: PROJECT.id, domain: 'petstore-smoke-0123abcd.example.com' };
const PERMITTED: [string, object][] = [
  ['environment.inspect', {}],
  ['keys.list', {}],
  ['projects.list', {}],
  ['projects.show', { id: 'petstore' }],
  ['domains.list', { project: 'petstore' }],
  ['domains.summary', {}],
  ['domains.show', { project: 'petstore', domain: 'www.example.com' }],
  ['keys.create', { name: 'petstore smoke', expiresAt: after(15) }],
  ['keys.revoke', { id: 'temporary' }],
  ['keys.forget', { id: 'unknown' }],
  ['pets.rehearse', { keyId: 'temporary' }],
  ['projects.create', { ...PROJECT, ...PUBLISHED }],
  ['projects.deployed', PROJECT],
  ['projects.endpoint', { ...PROJECT, whileLive: 'redirect' }],
  ['domains.add', DOMAIN],
  ['domains.verify', DOMAIN],
  ['domains.remove', DOMAIN],
];

test.each(PERMITTED)('permits %s with %o', async (command, input) => {
  expect(await permits(command, input)).toBe(true);
});

test.each([
  ['keys.create', { name: 'Acme', expiresAt: after(15) }],
  ['keys.create', { name: 'petstore smoke', expiresAt: after(16) }],
  ['keys.create', { name: 'petstore smoke' }],
  ['keys.revoke', { id: 'customer' }],
  ['keys.forget', { id: 'lasting' }],
  ['projects.create', { id: 'shop', ...PUBLISHED }],
  ['projects.create', { ...PROJECT, apiId: 'otherapi01', stage: 'test' }],
  ['projects.endpoint', { ...PROJECT, whileLive: 'closed' }],
  ['projects.deployed', { id: 'petstore' }],
  ['domains.add', { ...DOMAIN, domain: 'www.example.com' }],
  ['domains.add', { ...DOMAIN, withWww: true }],
  ['domains.verify', { ...DOMAIN, domain: 'www.petstore-smoke-0123abcd.example.com' }],
  ['domains.remove', { ...DOMAIN, project: 'petstore' }],
])('refuses %s with %o', async (command, input) => {
  expect(await permits(command, input)).toBe(false);
});

test('refuses every other command', async () => {
  const others = new Set([...Object.keys(COMMANDS), '__proto__']).difference(new Map(PERMITTED));
  expect(others).toContain('keys.rotate');
  for (const command of others) {
    expect(await permits(command, { ...DOMAIN, id: 'temporary' }), command).toBe(false);
  }
});
