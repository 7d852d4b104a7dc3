import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { done, operate } from './operator.ts';
import { type RunningService, startService } from './running-service.ts';

let service: RunningService;
let route53: Route53Client;

/** A hundredth of every wait: what takes minutes on AWS takes seconds here. */
beforeAll(async () => {
  service = await startService(['--memory', '--wait-scale', '0.01']);
  const credentials = { accessKeyId: 'registrar', secretAccessKey: 'x' };
  route53 = new Route53Client({ endpoint: service.awsEndpoint, region: 'us-east-1', credentials });
});
afterAll(() => service.stop());

const command = (name: string, fields: object) => done(service.awsEndpoint, 'staging', name, fields);

async function zoneOf(name: string): Promise<string> {
  const { HostedZone } = await route53.send(
    new CreateHostedZoneCommand({ Name: name, CallerReference: name }),
  );
  return HostedZone?.Id ?? '';
}

async function change(
  zone: string,
  Action: 'CREATE' | 'DELETE',
  Name: string,
  Type: 'A' | 'CNAME' | 'TXT',
  value: string,
) {
  const Value = Type === 'TXT' ? `"${value}"` : value;
  const ResourceRecordSet = { Name, Type, TTL: 60, ResourceRecords: [{ Value }] };
  await route53.send(
    new ChangeResourceRecordSetsCommand({
      HostedZoneId: zone,
      ChangeBatch: { Changes: [{ Action, ResourceRecordSet }] },
    }),
  );
}

/** What the domain's host answers through the edge, with a certificate that only the local authority can have signed. */
async function atEdge(host: string, path: string): Promise<{ status: number | undefined; body: string }> {
  const [address, port] = service.edge.https.split(':');
  const headers = { Host: host, Authorization: `Bearer ${service.staging.apiKey}` };
  const ca = readFileSync(service.edge.ca);
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  get({ host: address, port, path, servername: host, ca, headers, agent: false }, resolve).on(
    'error',
    reject,
  );
  const answer = await promise;
  return { status: answer.statusCode, body: await text(answer) };
}

const shown = (domain: string, expected: object) =>
  vi.waitFor(async () => expect(await command('domains.show', { domain })).toMatchObject(expected), {
    // Domains take turns at API Gateway, 31 s of real time each, and the removal of the one before takes a turn too.
    timeout: 150_000,
    interval: 300,
  });

test('a subdomain: from add to live, served with its own certificate, until it is removed', {
  timeout: 200_000,
}, async () => {
  const domain = 'www.example.com';
  const zone = await zoneOf('example.com');
  expect(await command('domains.add', { domain })).toMatchObject({
    kind: 'subdomain',
    status: 'pending_dns',
  });
  await shown(domain, { records: [{ purpose: 'traffic' }, { purpose: 'certificate' }] });
  const { records } = await command('domains.show', { domain });
  for (const { name, type, value } of records) await change(zone, 'CREATE', name, type, value);
  expect(await command('domains.verify', { domain })).toMatchObject({ status: 'verifying' });

  await shown(domain, { status: 'live', primary: true, certificate: { status: 'ISSUED' } });
  expect(await atEdge(domain, '/v1/pets')).toEqual({ status: 200, body: '[]' });

  expect(await command('domains.remove', { domain })).toMatchObject({ status: 'removing' });
  expect((await atEdge(domain, '/v1/pets')).status).toBe(403);
});

test('an A record in the way: says what to do, and leads to live once it is put right', {
  timeout: 200_000,
}, async () => {
  const domain = 'shop.example.org';
  const zone = await zoneOf('example.org');
  await change(zone, 'CREATE', domain, 'A', '192.0.2.1');
  await command('domains.add', { domain });
  await shown(domain, { records: [{ purpose: 'traffic' }, { purpose: 'certificate' }] });
  const { records } = await command('domains.show', { domain });
  await command('domains.verify', { domain });
  await shown(domain, {
    status: 'verifying',
    reason: 'traffic_record_conflict',
    records: [{ observed: ['192.0.2.1'] }, {}],
  });

  await change(zone, 'DELETE', domain, 'A', '192.0.2.1');
  for (const { name, type, value } of records) await change(zone, 'CREATE', name, type, value);
  await shown(domain, { status: 'live' });
});

test.each([
  ['a plan below pro', {}, 'plan free'],
  ['no successful deploy', { plan: 'pro' }, 'no successful deploy'],
])('conflict: %s; nothing is claimed', async (_, fields, why) => {
  const project = `p${crypto.randomUUID()}`;
  await command('projects.create', { id: project, ...fields });
  const reply = await operate(service.awsEndpoint, 'staging', {
    command: 'domains.add',
    project,
    domain: 'a.example.net',
  });
  expect(reply).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: expect.stringContaining(why) },
  });
  expect(await command('domains.list', { project })).toEqual({ domains: [] });
});

test('conflict: a name that another project has', async () => {
  const [mine, theirs] = ['mine-one', 'theirs-one'];
  for (const id of [mine, theirs]) {
    await command('projects.create', { id, plan: 'pro' });
    await command('projects.deployed', { id });
  }
  await command('domains.add', { project: theirs, domain: 'taken.example.net' });
  const reply = await operate(service.awsEndpoint, 'staging', {
    command: 'domains.add',
    project: mine,
    domain: 'taken.example.net',
  });
  expect(reply).toMatchObject({ ok: false, error: { code: 'conflict' } });
});
