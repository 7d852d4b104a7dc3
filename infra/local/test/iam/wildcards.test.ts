import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesWildcards } from '../../iam/wildcards.ts';

test('wildcards match as the corresponding regular expression does', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/') });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '?') });
  fc.assert(
    fc.property(pattern, text, (written, candidate) => {
      const expression = written.replaceAll('*', '.*').replaceAll('?', '.');
      expect(matchesWildcards(written, candidate)).toBe(new RegExp(`^${expression}$`).test(candidate));
    }),
    { numRuns: 2000 },
  );
});
