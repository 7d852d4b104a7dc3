import { expect, test } from 'vitest';
import { zoneFile } from '../../../../shared/domains/dns/zone-file.ts';
import type { DomainRecord } from '../../../../shared/operator/contract.ts';
import { ADDED, TRAFFIC } from '../../../infra/operator/domains/domain-fixture.ts';

test('quotes text, and writes an ALIAS, which zone files do not have, as a comment', () => {
  const records: DomainRecord[] = [
    { ...TRAFFIC, type: 'ALIAS', name: 'example.com' },
    { ...TRAFFIC, type: 'TXT', name: '_petstore-challenge.example.com', value: 'petstore-1 "x" \\' },
  ];
  const lines = zoneFile({ ...ADDED, domain: 'example.com', records }).split('\n');
  expect(lines[1]).toBe('; ALIAS example.com. 3600 1f0c.apps.petstore.example.');
  expect(lines.at(-1)).toBe('_petstore-challenge.example.com. 3600 IN TXT "petstore-1 \\"x\\" \\\\"');
  expect(lines.slice(0, -1).every(line => line.startsWith(';'))).toBe(true);
});
