import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFaultProxy } from '../fault-proxy.ts';
import { petstoreHere } from '../infra/cli/petstore-here.ts';
import { petstore } from '../infra/cli/run-petstore.ts';
import { client, created } from './http-client.ts';
import { keyPropagation } from './operator.ts';
import { PROJECT } from './running-service.ts';
import { sharedService } from './shared-service.ts';

const DEVELOPERS_FILE = join(PROJECT, '.local', 'running.json');
const developersFile = () => existsSync(DEVELOPERS_FILE) && readFileSync(DEVELOPERS_FILE, 'utf8');

const fileBefore = developersFile();
const service = sharedService();

const send = client(() => service.staging);
const status = async (key: string) =>
  (await send('GET /pets', { headers: { Authorization: `Bearer ${key}` } })).status;

const run = (...words: string[]) =>
  petstoreHere(['--local', ...words], { PETSTORE_RUNNING_FILE: service.runningFile });

/** The result of a command that must succeed and print nothing to standard error. */
// biome-ignore lint/suspicious/noExplicitAny: a test reaches into results that it knows.
async function result(...words: string[]): Promise<any> {
  const { stdout, stderr, exitCode } = await run(...words, '--json');
  expect([stderr, exitCode]).toEqual(['', 0]);
  return JSON.parse(stdout);
}

interface AuditEntry {
  readonly input: { readonly id?: string };
  readonly result?: { readonly id?: string };
}

test('0: creates, lists, rotates and revokes a key, and lists the changes in the audit log', async () => {
  // As a process of its own, once: what it does beyond the other commands is the same for all of them.
  const words = ['--local', 'keys', 'create', '--name', 'Acme', '--scopes', 'pets:read'];
  const creation = await petstore(words, { PETSTORE_RUNNING_FILE: service.runningFile });
  expect([creation.stderr, creation.exitCode]).toEqual(['', 0]);
  const [key = ''] = /^pet_test_[0-9A-Za-z]{34}$/m.exec(creation.stdout) ?? [];
  const [id = ''] = /key_[0-9a-f]{24}/.exec(creation.stdout) ?? [];
  expect(creation.stdout).toContain(`curl -H 'Authorization: Bearer ${key}' ${service.staging.url}/pets`);
  expect(await status(key)).toBe(200);

  const listed = await run('keys', 'list');
  expect(listed.stdout).toMatch(new RegExp(`^${id} +Acme .*pets:read .* just now +valid$`, 'm'));
  expect(listed.stdout).not.toContain(key);

  const rotated = await result('keys', 'rotate', id, '--overlap', '30m');
  expect(rotated).toMatchObject({ name: 'Acme', scopes: ['pets:read'], replaces: { id } });
  await keyPropagation();
  expect([await status(key), await status(rotated.key)]).toEqual([200, 200]);

  const revoked = await run('keys', 'revoke', rotated.id);
  expect(revoked.stdout).toBe(
    `Revoked ${rotated.id}, the API key for "Acme" in staging on this machine. Within a minute, every request with it gets 401.\n`,
  );
  expect([await status(key), await status(rotated.key)]).toEqual([200, 401]);

  expect((await result('audit', '--limit', '3')).entries).toHaveLength(3);
  // Other test files ask the same operator.
  const { entries } = await result('audit', '--limit', '500');
  const ids = [id, rotated.id];
  const own = entries.filter((entry: AuditEntry) => ids.includes(entry.input.id ?? entry.result?.id ?? ''));
  // STS of the local AWS has confirmed who it was.
  const author = { by: 'arn:aws:iam::000000000000:user/developer', claimedBy: userInfo().username };
  expect(own).toMatchObject([
    { command: 'keys.revoke', ...author, input: { id: rotated.id } },
    { command: 'keys.rotate', ...author, input: { id, overlapHours: 0.5 } },
    { command: 'keys.create', ...author, input: { name: 'Acme', scopes: ['pets:read'] }, result: { id } },
  ]);
  const audit = await run('audit', '--limit', '500');
  expect(audit.stdout).toMatch(new RegExp(`Revoked the API key ${rotated.id} +–$`, 'm'));
});

test('0: places, approves and delivers an order, and cancels another; 1: refuses a pet that is ordered', async () => {
  const [rex, max] = [
    await created(send, { name: 'Rex', categoryId: 1 }),
    await created(send, { name: 'Max', categoryId: 1 }),
  ];
  const { id } = await result('orders', 'place', String(rex.id));
  const again = await run('orders', 'place', String(rex.id));
  expect(again).toMatchObject({
    stderr: `Error: Pet ${rex.id} is pending, not available.\n`,
    exitCode: 1,
  });
  await result('orders', 'approve', String(id));
  const delivered = await run('orders', 'deliver', String(id));
  expect(delivered.stdout).toBe(
    `Delivered order ${id} in staging on this machine. Pet ${rex.id} is now sold.\n`,
  );
  const cancelled = await result('orders', 'place', String(max.id));
  await result('orders', 'cancel', String(cancelled.id));
  expect((await send('GET /store/orders')).json()).toMatchObject([{ id, status: 'delivered' }]);
});

test('the service leaves the running.json of a developer alone', () => {
  expect(developersFile()).toBe(fileBefore);
  expect(JSON.parse(readFileSync(service.runningFile, 'utf8'))).toMatchObject({
    awsEndpoint: service.awsEndpoint,
    pid: service.pid,
  });
});

const REFUSED = {
  status: 503,
  headers: { 'x-amzn-errortype': 'ServiceUnavailable', 'content-type': 'application/json' },
  body: JSON.stringify({ message: 'Not now' }),
};

test('1, then 0: a change whose response is lost before an outage is made once, by the line that is printed', async () => {
  const changes: string[] = [];
  const proxy = await startFaultProxy({
    upstream: () => service.awsEndpoint,
    choose({ path, body }) {
      if (!path.includes('-operator/') || !body.includes('"requestId"')) return undefined;
      changes.push(path);
      return changes.length === 1
        ? { name: 'lost', lost: 'after' }
        : { name: 'refused', lost: 'before', instead: REFUSED };
    },
  });
  onTestFinished(() => proxy.stop());
  const running = JSON.parse(readFileSync(service.runningFile, 'utf8'));
  const PETSTORE_RUNNING_FILE = join(mkdtempSync(join(tmpdir(), 'petstore-lost-')), 'running.json');
  writeFileSync(PETSTORE_RUNNING_FILE, JSON.stringify({ ...running, awsEndpoint: proxy.endpoint }));
  const lost = await petstoreHere(['keys', 'create', '--name', 'Lost', '--expires', '90d', '--local'], {
    PETSTORE_RUNNING_FILE,
  });
  expect([lost.stderr, lost.exitCode]).toEqual([expect.stringContaining('may or may not have been made'), 1]);
  const [, line = ''] = /(keys create .*)$/m.exec(lost.stderr) ?? [];
  const printed = line.split(' ').filter(word => word !== '--local');
  // Without the outage; what waits for the repetition lies beside the file.
  writeFileSync(PETSTORE_RUNNING_FILE, JSON.stringify(running));
  const repeat = () => petstoreHere(['--local', '--json', ...printed], { PETSTORE_RUNNING_FILE });
  const again = JSON.parse((await repeat()).stdout);
  const onceMore = await repeat();
  expect([onceMore.stderr, onceMore.exitCode]).toEqual([expect.stringContaining(again.id), 1]);
  await keyPropagation();
  expect(await status(again.key)).toBe(200);
  const { keys } = await result('keys', 'list');
  expect(keys.filter(({ name }: { name: string }) => name === 'Lost')).toMatchObject([{ id: again.id }]);
});
