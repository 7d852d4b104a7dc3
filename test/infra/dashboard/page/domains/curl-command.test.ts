import { expect, test } from 'vitest';
import { curlCommand } from '../../../../../infra/dashboard/page/domains/curl-command.ts';

test('the command calls the domain at the edge of this machine, with an API key', () => {
  expect(curlCommand('pets.example.com', { https: '127.0.0.1:8443', ca: '.local/ca.pem' })).toBe(
    'curl -i -H "Authorization: Bearer $KEY" --cacert .local/ca.pem --connect-to pets.example.com:443:127.0.0.1:8443 https://pets.example.com/v1/pets',
  );
});
