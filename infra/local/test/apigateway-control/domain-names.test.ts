import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DomainNames } from '../../apigateway-control/domain-names.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const newName = (domainName: string) => ({
  domainName,
  certificateArn: `certificate of ${domainName}`,
  securityPolicy: 'TLS_1_2' as const,
  ipAddressType: 'ipv4' as const,
  tags: {},
});

test('keeps names, mappings and certificates in use over a restart', () => {
  const file = join(temporaryFolder(), 'domain-names.json');
  const before = new DomainNames({ file });
  before.add(newName('lion.example'));
  before.map('lion.example', { restApiId: 'api', stage: 'test' });
  before.add(newName('zebra.example'));
  before.remove('zebra.example');
  const after = new DomainNames({ file });
  expect(after.list()).toEqual(before.list());
  expect(after.find('lion.example')?.mapping).toEqual({ restApiId: 'api', stage: 'test' });
  expect(after.usesOf('certificate of lion.example')).toHaveLength(1);
  expect(after.usesOf('certificate of zebra.example')).toHaveLength(1);
});
