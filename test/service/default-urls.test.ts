import { expect, test } from 'vitest';
import { domainCommands, registrarOf } from './domain-commands.ts';
import { atEdge } from './http-client.ts';
import { done, eventually } from './operator.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();
const { command, deployed, wentLive } = domainCommands('staging');

const hostOf = (project: string) => `${project}.apps.staging.petstore.test`;
const called = (project: string, path = '/v1/pets?limit=1', { apiKey } = service.staging) =>
  atEdge(service.edge, hostOf(project), path, { apiKey });

/** The project as soon as its default URL is in this state. */
const inState = (id: string, defaultUrlState: string) =>
  eventually(async () => {
    const project = await command('projects.show', { id });
    expect(project).toMatchObject({ defaultUrl: `https://${hostOf(id)}`, defaultUrlState });
    return project;
  });

test('two projects have two default URLs; that of a project whose primary domain is live redirects to it', async () => {
  const registrar = await registrarOf('default-urls.dev', service);
  for (const id of ['first-url', 'second-url']) {
    await deployed(id);
    expect(await inState(id, 'serving')).toMatchObject({ url: `https://${hostOf(id)}` });
    expect(await called(id)).toMatchObject({ status: 200 });
  }

  const fields = { project: 'first-url', domain: 'www.default-urls.dev' };
  await wentLive(registrar, fields.domain, fields.project);
  expect(await inState('first-url', 'redirecting')).toMatchObject({ url: `https://${fields.domain}` });
  expect(await called('first-url', '/v1/pets?limit=1&status=sold')).toMatchObject({
    status: 308,
    headers: { location: `https://${fields.domain}/v1/pets?limit=1&status=sold` },
  });
  expect(await called('second-url')).toMatchObject({ status: 200 });

  const choose = (whileLive: string) => command('projects.endpoint', { id: 'first-url', whileLive });
  expect(await choose('closed')).toMatchObject({ defaultUrlState: 'closed' });
  expect(await called('first-url')).toMatchObject({ status: 403 });
  expect(await choose('serve')).toMatchObject({ defaultUrlState: 'serving', defaultUrlReason: null });
  expect(await called('first-url')).toMatchObject({ status: 200 });
  expect(await choose('redirect')).toMatchObject({ defaultUrlState: 'redirecting' });
  expect(await called('first-url')).toMatchObject({ status: 308 });

  await command('domains.remove', fields);
  expect(await called('first-url')).toMatchObject({ status: 200 });
  expect(await inState('first-url', 'serving')).toMatchObject({ url: `https://${hostOf('first-url')}` });
  registrar.close();
});

test('a name gets 404 unless a project that was deployed has it, which is served its own API and never another', async () => {
  const { apiId, stage } = await done(service, 'production', 'projects.show', { id: 'petstore' });
  await command('projects.create', { id: 'elsewhere', apiId, stage });
  expect(await command('projects.show', { id: 'elsewhere' })).toMatchObject({
    defaultUrlState: 'pending',
    defaultUrlReason: expect.stringContaining('no successful deploy'),
  });
  for (const name of ['nobody-has-this', 'paypal-login', 'elsewhere']) {
    await eventually(async () => expect(await called(name)).toMatchObject({ status: 404 }));
  }
  await command('projects.deployed', { id: 'elsewhere' });
  const atAnother: unknown[] = [];
  await eventually(async () => {
    atAnother.push((await called('elsewhere')).status);
    expect(await called('elsewhere', undefined, service.production)).toMatchObject({ status: 200 });
  });
  expect(atAnother).not.toContain(200);
  await inState('elsewhere', 'serving');
});
