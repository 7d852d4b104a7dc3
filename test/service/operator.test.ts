import { expect, test } from 'vitest';
import { client } from './http-client.ts';
import { done, operate } from './operator.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

const command = (name: string, fields = {}) => done(service, 'staging', name, fields);

test('projects.list: lists the project of the service itself', async () => {
  const { projects } = await command('projects.list');
  expect(projects).toContainEqual(expect.objectContaining({ id: 'petstore' }));
});

test('keys.reconcile: leaves the keys that are in use as they are', async () => {
  await command('keys.reconcile');
  const send = client(() => service.staging);
  expect((await send('GET /pets?limit=1')).status).toBe(200);
});

test('keys.create: is refused by the function for checks', async () => {
  const payload = { command: 'keys.create', name: `Key ${crypto.randomUUID()}` };
  expect(await operate(service, 'staging', payload, 'petstore-staging-checks')).toMatchObject({
    ok: false,
    error: { code: 'forbidden', reason: 'not_a_check' },
  });
  const { keys } = await command('keys.list');
  expect(keys).not.toContainEqual(expect.objectContaining({ name: payload.name }));
});

test('projects.create: publishes a project at another API of the account, which has to exist', async () => {
  const { apiId, stage } = await done(service, 'production', 'projects.show', { id: 'petstore' });
  const id = `p${crypto.randomUUID()}`;
  expect(await command('projects.create', { id, apiId, stage })).toMatchObject({ id, apiId, stage });
  const nowhere = { command: 'projects.create', id: `p${crypto.randomUUID()}`, apiId: 'nowhere001', stage };
  expect(await operate(service, 'staging', nowhere)).toMatchObject({
    ok: false,
    error: { code: 'conflict', reason: 'api_unknown' },
  });
});

test('projects.endpoint: leaves the default endpoint open', async () => {
  const id = `p${crypto.randomUUID()}`;
  await command('projects.create', { id });
  const shown = await command('projects.endpoint', { id, whileLive: 'open' });
  expect(shown).toMatchObject({ id, whileLive: 'serve', defaultEndpoint: 'open' });
});
