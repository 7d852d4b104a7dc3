import { expect, test } from 'vitest';
import { Scope } from '../../../shared/api-keys/api-key-record.ts';
import { SCOPE_NAMES } from '../../../shared/api-keys/scopes.ts';

test('every scope is a Scope', () => {
  expect(SCOPE_NAMES.map(scope => Scope.parse(scope))).toEqual(SCOPE_NAMES);
});

test.each(['', 'pets', 'pets:read ', 'pets:read pets:write'])(
  '%j is not a Scope, and the error lists all scopes',
  text => {
    expect(Scope.safeParse(text).error?.issues).toMatchObject([
      { message: 'must be one of pets:read, pets:write, orders:read' },
    ]);
  },
);
