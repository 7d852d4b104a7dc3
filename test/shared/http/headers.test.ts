import { expect, test } from 'vitest';
import { addVary } from '../../../shared/http/headers.ts';

test.each([
  ['no Vary', undefined, 'Origin'],
  ['another name', 'Accept-Encoding', 'Accept-Encoding, Origin'],
  ['several names', 'Accept , Accept-Encoding', 'Accept, Accept-Encoding, Origin'],
  ['the same name', 'Accept, Origin', 'Accept, Origin'],
  ['the same name in another case', 'origin', 'origin'],
  ['every name', '*', '*'],
  ['an empty Vary', '', 'Origin'],
])('addVary adds a name to a response that has %s', (_, vary, expected) => {
  const headers: Record<string, string> = vary === undefined ? {} : { Vary: vary };
  addVary(headers, 'Origin');
  expect(headers).toEqual({ Vary: expected });
});
