import { expect, test } from 'vitest';
import { isWithin, registrableOf, relativeName } from '../../../infra/cli/zone-names.ts';

test.for([
  ['www.example.com', 'example.com', 'www'],
  ['example.com', 'example.com', '@'],
  ['_acm.a.b.example.co.uk', 'example.co.uk', '_acm.a.b'],
  ['*.example.com', 'example.com', '*'],
  ['shop.somebody.github.io', 'somebody.github.io', 'shop'],
  ['1f0c.apps.petstore.example', 'petstore.example', '1f0c.apps'],
] as const)('%s is in the zone %s as %s', ([name, registrable, relative]) => {
  expect(registrableOf(name)).toBe(registrable);
  expect(relativeName(name)).toBe(relative);
});

test.for(['com', 'co.uk', 'localhost', '192.0.2.1'])('%s is not in a registrable domain', name => {
  expect(registrableOf(name)).toBeUndefined();
  expect(relativeName(name)).toBe(name);
});

test('a zone contains its own name and the names below it', () => {
  expect(isWithin('example.com', 'example.com')).toBe(true);
  expect(isWithin('a.b.example.com', 'example.com')).toBe(true);
  expect(isWithin('notexample.com', 'example.com')).toBe(false);
});
