import { afterAll, beforeAll, expect, test } from 'vitest';
import { EDGE_ADDRESSES } from '../../infra/local/host/public-addresses.ts';
import { claimed, command, shown } from './domain-commands.ts';
import { type Registrar, registrarOf } from './registrar.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();
const project = 'delegating';

let parent: Registrar;
let child: Registrar;
beforeAll(async () => {
  await command('projects.create', { id: project, plan: 'pro' });
  await command('projects.deployed', { id: project });
  parent = await registrarOf('delegating.com', service);
  child = await registrarOf('dev.delegating.com', service);
  await parent.set('dev.delegating.com', 'NS', child.nameServer);
});
afterAll(() => {
  parent.close();
  child.close();
});

test('a look at a name before it is added says what DNS has and what it will need, and adds nothing', async () => {
  const domain = 'old.dev.delegating.com';
  await child.set(domain, 'A', '192.0.2.1');
  await child.set('dev.delegating.com', 'CAA', '0 issue "letsencrypt.org"');
  expect(await command('domains.check', { domain, project })).toMatchObject({
    zone: 'dev.delegating.com',
    traffic: [{ type: 'A', values: ['192.0.2.1'], ttl: 60 }],
    findings: expect.arrayContaining([
      expect.objectContaining({ kind: 'caa', isTrouble: true, fix: expect.objectContaining({ label: '@' }) }),
    ]),
    records: [{ type: 'TXT' }, { type: 'CNAME' }, { type: 'CNAME', label: 'old' }],
    suggestion: { domain, withWww: false, switchLater: true },
  });
  await child.delete('dev.delegating.com', 'CAA', '0 issue "letsencrypt.org"');
  expect(await command('domains.list', { project })).toMatchObject({ domains: [] });
});

test('a name in a delegated sub-zone goes live', async () => {
  const { kind, records } = await claimed('shop.dev.delegating.com', project);
  expect(kind).toBe('subdomain');
  expect(records[0]).toMatchObject({ type: 'CNAME', label: 'shop', ttl: 3600 });
  for (const { name, type, value } of records) await child.set(name, type, value);
  await command('domains.verify', { domain: 'shop.dev.delegating.com', project });
  await shown('shop.dev.delegating.com', { status: 'live' }, project);
});

test('the apex of a delegated sub-zone goes live by an ALIAS that its provider flattens to addresses', async () => {
  const { kind, records } = await claimed('dev.delegating.com', project);
  expect(kind).toBe('apex');
  expect(records).toMatchObject([
    { type: 'ALIAS', label: '@' },
    { type: 'TXT', label: '_petstore-challenge' },
    { type: 'CNAME' },
  ]);
  for (const { name, type, value } of records) {
    // All addresses of AWS are those of the edge.
    if (type === 'ALIAS') await child.set(name, 'A', EDGE_ADDRESSES.A);
    else await child.set(name, type, value);
  }
  await command('domains.verify', { domain: 'dev.delegating.com', project });
  await shown('dev.delegating.com', { status: 'live' }, project);
});
