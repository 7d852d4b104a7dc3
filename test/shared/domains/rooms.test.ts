import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const DOMAINS = resolve(import.meta.dirname, '../../../shared/domains');

/** The rooms of shared/domains: each may know those before it. */
const ROOMS = ['life', 'dns', 'https', 'aws', 'report', 'events', 'steps'];

test('the rooms of custom domains know each other in one direction only', () => {
  const files = globSync('*/*.ts', { cwd: DOMAINS });
  expect([...new Set(files.map(dirname))].toSorted()).toEqual(ROOMS.toSorted());
  const against = files.flatMap(file => {
    const imported = [...readFileSync(join(DOMAINS, file), 'utf8').matchAll(/from '\.\.\/(\w+)\//g)];
    return imported
      .map(([, room = '']) => room)
      .filter(room => ROOMS.includes(room) && ROOMS.indexOf(room) >= ROOMS.indexOf(dirname(file)))
      .map(room => `${file} knows ${room}`);
  });
  expect(against).toEqual([]);
});
