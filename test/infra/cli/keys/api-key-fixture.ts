import type { ApiKey } from '../../../../shared/operator/contract.ts';

export const KEY = 'pet_test_0123456789abcdefghijABCDEFGH012345';

export const apiKey: ApiKey = {
  id: 'key_1f0c9d8e7b6a5f4e3d2c1b0a',
  name: 'Acme',
  hint: 'pet_test_…2345',
  scopes: ['pets:read', 'pets:write', 'orders:read'],
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};

export const newApiKey = { ...apiKey, key: KEY, note: 'It may take some seconds.' };
