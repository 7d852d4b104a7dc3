import { expect, test } from 'vitest';
import { claimOf, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { claimed, TARGET } from '../claimed-domain.ts';

test('claimOf returns the label of the target', () => {
  expect(`${claimOf(claimed())}.apps.petstore.example`).toBe(TARGET);
});

test('nextRevision increments the revision and changes nothing else', () => {
  const domain = claimed({ revision: 41 });
  expect(nextRevision(domain)).toEqual({ ...domain, revision: 42 });
});
