import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CommandError } from '../../../../infra/operator/connection/command-error.ts';
import { KEYS } from '../shown-data.ts';
import { standInEnvironment, type TestDashboard, testDashboard } from '../test-dashboard.ts';

const staging = standInEnvironment('staging');
const local = standInEnvironment('production', { isLocal: true });
let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await testDashboard(staging, local);
});
afterAll(() => dashboard.close());
beforeEach(() => {
  staging.sent.length = 0;
  staging.respond = undefined;
});

async function responseTo(path: string, body: unknown) {
  const { status, body: text } = await dashboard.post(path, body);
  return { status, ...JSON.parse(text) };
}
const send = (command: string, input: object, requestId?: string) =>
  responseTo(`/api/staging/commands/${command}`, { input, requestId });

test('200: a read is sent to the operator function, and what the page has already not again to the page', async () => {
  const { revision, result } = await send('keys.list', {});
  expect([result.keys, staging.sent]).toEqual([KEYS, [{ command: 'keys.list', input: {} }]]);
  const again = () => responseTo('/api/staging/commands/keys.list', { input: {}, known: revision });
  expect(await again()).toEqual({ status: 200, ok: true, isUnchanged: true });
  staging.respond = () => ({ keys: [], next: null });
  expect(await again()).toMatchObject({ ok: true, result: { keys: [] } });
});

test('200: a list is searched, filtered and sorted, and sent a page at a time', async () => {
  const list = async (input: object) => {
    const { result } = await responseTo('/api/staging/lists/keys', { input });
    return { ...result, rows: result.rows.map(({ name }: { name: string }) => name) };
  };
  const all = { total: 4, page: 1, pages: 1, first: 1, isPartial: false, isCut: false };
  const names = ['Reporting job', 'Acme', 'Old partner', 'Lost laptop'];
  expect(await list({})).toEqual({ ...all, rows: names, matching: 4 });
  expect(await list({ search: 'JOB report' })).toEqual({ ...all, rows: ['Reporting job'], matching: 1 });
  expect(await list({ filter: 'revoked' })).toMatchObject({ rows: ['Lost laptop'], matching: 1 });
  expect(await list({ sort: 'name' })).toMatchObject({ rows: names.toSorted() });
  expect(await list({ filter: 'toString', sort: 'constructor', page: 'x' })).toMatchObject({ rows: names });
});

test('200: a refusal has the code, the reason, the message and the advice', async () => {
  const refusal = { reason: 'plan_required', advice: ['Change the plan.'] } as const;
  staging.respond = () => {
    throw new CommandError('conflict', 'The project is on the plan free.', refusal);
  };
  expect(await send('domains.add', { domain: 'a.example.com' }, randomUUID())).toEqual({
    status: 200,
    ok: false,
    error: { code: 'conflict', message: 'The project is on the plan free.', ...refusal },
  });
});

test('400: a change without a request id, or with one that is not a UUID', async () => {
  expect(await send('keys.revoke', { id: 'key_1' })).toMatchObject({ status: 400, ok: false });
  expect(await send('keys.revoke', { id: 'key_1' }, 'again')).toMatchObject({ status: 400, ok: false });
  expect(staging.sent).toEqual([]);
});

test.each([
  [{ id: 'key_1', days: 7 }],
  [{ id: `key_${'a'.repeat(24)}`, days: 365 }],
  [{ id: `key_${'a'.repeat(24)}` }],
])('400: the usage of %o', async input => {
  expect(await responseTo('/api/staging/usage', { input })).toMatchObject({ status: 400, ok: false });
});

test.each(['command', 'requestId', 'by', 'proof', 'known', 'seed'])(
  '400: the page cannot choose the field %s',
  async field => {
    expect(await send('keys.list', { [field]: 'keys.create' })).toMatchObject({ status: 400, ok: false });
    expect(staging.sent).toEqual([]);
  },
);

test.each(['', 'text', '[]', '{"input":[]}', '{"input":null}', '{}'])('400: the body %j', async body => {
  expect(await responseTo('/api/staging/commands/keys.list', body)).toMatchObject({ status: 400, ok: false });
});

test.each(['environment.inspect', 'keys.forget', 'keys.withdraw', 'pets.rehearse', 'projects.withdraw'])(
  '404: the page cannot send %s',
  async command => {
    expect(await send(command, {}, randomUUID())).toMatchObject({ status: 404, ok: false });
    expect(staging.sent).toEqual([]);
  },
);

test('404: a command, an environment or a URL that does not exist', async () => {
  for (const path of [
    '/api/staging/commands/keys.steal',
    '/api/staging/commands/toString',
    '/api/staging/commands/constructor',
    '/api/staging/commands/keys.list/more',
    '/api/elsewhere/commands/keys.list',
    '/api/staging/other',
    '/api/',
  ]) {
    expect(await responseTo(path, { input: {} }), path).toMatchObject({ status: 404, ok: false });
  }
  expect(staging.sent).toEqual([]);
});

test('404: nobody plays the DNS provider of an environment on AWS', async () => {
  const input = { project: 'petstore', domains: ['www.example.com'], confirmed: [] };
  expect(await responseTo('/api/staging/dns-records', { input })).toMatchObject({ status: 404 });
  const records = '/api/production/dns-records';
  expect(await responseTo(records, { input })).toMatchObject({ ok: true, result: { inTheWay: [] } });
  expect(await responseTo(records, { input: { project: 'petstore' } })).toMatchObject({ status: 400 });
});

test('413: a body that is too large', async () => {
  const body = { input: { name: 'a'.repeat(70_000) } };
  expect(await responseTo('/api/staging/commands/keys.list', body)).toMatchObject({ status: 413, ok: false });
});

test('415: a body that is not JSON by its type', async () => {
  const { status } = await dashboard.post('/api/staging/commands/keys.list', '{"input":{}}', {
    'Content-Type': 'text/plain',
  });
  expect(status).toBe(415);
});
