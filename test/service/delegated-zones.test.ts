import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainCommands, type Registrar, registrarOf } from './domain-commands.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();
const { command, deployed, wentLive } = domainCommands('staging');
const project = 'delegating';

let parent: Registrar;
let child: Registrar;
beforeAll(async () => {
  await deployed(project);
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
  const { kind, records } = await wentLive(child, 'shop.dev.delegating.com', project);
  expect(kind).toBe('subdomain');
  expect(records[0]).toMatchObject({ type: 'CNAME', label: 'shop', ttl: 3600 });
});

test('the apex of a delegated sub-zone goes live by an ALIAS that its provider flattens to addresses', async () => {
  const { kind, records } = await wentLive(child, 'dev.delegating.com', project);
  expect(kind).toBe('apex');
  expect(records).toMatchObject([
    { type: 'ALIAS', label: '@' },
    { type: 'TXT', label: '_petstore-challenge' },
    { type: 'CNAME' },
  ]);
});
