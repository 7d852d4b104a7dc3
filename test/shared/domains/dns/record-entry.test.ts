import { expect, test } from 'vitest';
import { providerHint } from '../../../../shared/domains/dns/dns-provider.ts';
import { recordEntry } from '../../../../shared/domains/dns/record-entry.ts';

const at = (server: string) =>
  providerHint({
    domain: 'example.com',
    zone: 'example.com',
    kind: 'apex',
    nameServers: [`a.${server}`, `b.${server}`],
  });
const ALIAS = { type: 'ALIAS', label: '@', value: '1f0c.apps.example', ttl: 3600 } as const;
const TXT = { type: 'TXT', label: '_petstore-challenge', value: 'petstore-1', ttl: 3600 } as const;

test.each([
  ['ns.cloudflare.com', { type: 'CNAME', name: '@', value: '1f0c.apps.example', ttl: 3600 }, 'petstore-1'],
  ['awsdns.com', { type: 'A and AAAA alias', name: '', value: '1f0c.apps.example' }, '"petstore-1"'],
  ['gandi.net', { type: 'ALIAS', name: '@', value: '1f0c.apps.example.', ttl: 3600 }, 'petstore-1'],
  ['porkbun.com', { type: 'ALIAS', name: '', value: '1f0c.apps.example', ttl: 3600 }, 'petstore-1'],
  [
    'unknown.example',
    { type: 'ALIAS or ANAME', name: '@', value: '1f0c.apps.example', ttl: 3600 },
    'petstore-1',
  ],
])('at %s an apex and a text are entered as its fields take them', (server, entry, text) => {
  expect(recordEntry(ALIAS, at(server))).toEqual({ ttl: undefined, ...entry });
  expect(recordEntry(TXT, at(server))).toMatchObject({ name: '_petstore-challenge', value: text });
});
