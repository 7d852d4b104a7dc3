import { expect, test } from 'vitest';
import { SERVERS } from '../../../infra/openapi/servers.ts';
import { withOwnServerFirst } from '../../../shared/docs/servers.ts';

test('an environment’s own address comes first and the other one stays a template', () => {
  const document = { openapi: '3.1.1', servers: SERVERS };
  const [production] = SERVERS;
  expect(withOwnServerFirst(document, 'staging', 'https://pets.example.com/v1')).toEqual({
    openapi: '3.1.1',
    servers: [{ url: 'https://pets.example.com/v1', description: 'Staging' }, production],
  });
});
