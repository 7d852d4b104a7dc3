import { expect, test } from 'vitest';
import { registrableOf } from '../../../../infra/operator/domains/hosted-zones.ts';

test.for([
  ['www.example.com', 'example.com'],
  ['example.com', 'example.com'],
  ['_acm.a.b.example.co.uk', 'example.co.uk'],
  ['*.example.com', 'example.com'],
  ['shop.somebody.github.io', 'somebody.github.io'],
  ['1f0c.apps.petstore.example', 'petstore.example'],
] as const)('%s belongs to %s', ([name, registrable]) => {
  expect(registrableOf(name)).toBe(registrable);
});

test.for(['com', 'co.uk', 'localhost', '192.0.2.1'])('%s is not in a registrable domain', name => {
  expect(registrableOf(name)).toBeUndefined();
});
