import { expect, test } from 'vitest';
import { answeringZone } from '../../../../shared/domains/dns/platform-delegation.ts';
import { served } from '../../../infra/local/dns/served-zones.ts';

test('returns the zone that a resolver is led to for a name that does not exist', async () => {
  const { dns, zones } = await served({ 'apps.zoo.dev.': [] });
  const zoneFor = answeringZone(dns.resolvers[0].address);
  expect(await zoneFor('one.apps.zoo.dev')).toBe('apps.zoo.dev');
  // A parent that delegates nothing answers for all names in it.
  zones.add({ name: 'zoo.dev.', callerReference: 'parent' });
  expect(await zoneFor('two.apps.zoo.dev')).toBe('zoo.dev');
});

test('returns nothing for a name that exists, or if the resolver does not answer', async () => {
  const { dns } = await served({ 'zoo.dev.': [['www.zoo.dev.', 'TXT', '"here"']] });
  expect(await answeringZone(dns.resolvers[0].address)('www.zoo.dev')).toBeUndefined();
  expect(await answeringZone('127.0.0.1:1')('www.zoo.dev')).toBeUndefined();
});
