import { expect, test } from 'vitest';
import { joinScopes } from '../../../shared/api-keys/scopes.ts';

test('joinScopes returns the scopes as one text, in their order', () => {
  expect(joinScopes(['pets:write', 'pets:read'])).toBe('pets:write pets:read');
  expect(joinScopes([])).toBe('');
});
