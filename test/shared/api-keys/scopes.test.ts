import { expect, test } from 'vitest';
import { ALL_SCOPES, joinScopes, Scope } from '../../../shared/api-keys/scopes.ts';

test('joinScopes gives the scopes as one text, in their order', () => {
  expect(joinScopes(['pets:write', 'pets:read'])).toBe('pets:write pets:read');
  expect(joinScopes([])).toBe('');
});

test('every scope is a Scope', () => {
  expect(ALL_SCOPES.map(scope => Scope.parse(scope))).toEqual(ALL_SCOPES);
});

test.each(['', 'pets', 'pets:read ', 'pets:read pets:write'])(
  '%j is no Scope, and the error lists those that there are',
  text => {
    expect(Scope.safeParse(text).error?.issues).toMatchObject([
      { message: 'must be one of pets:read, pets:write, orders:read' },
    ]);
  },
);
