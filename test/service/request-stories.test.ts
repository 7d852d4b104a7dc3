import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { client } from './http-client.ts';
import { done, eventually } from './operator.ts';
import { printedBy, storyOf } from './request-story.ts';
import { PROJECT } from './running-service.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();
const send = client(() => service.staging);

test('201: the story of a created animal', async () => {
  const response = await send('POST /pets', { body: { name: 'Luna', categoryId: 2 } });
  const story = await storyOf(service, response);
  expect(story).toMatchObject({
    requestId: response.headers['x-request-id'],
    method: 'POST',
    resource: '/v1/pets',
    operation: 'createPet',
    status: 201,
    keyId: expect.stringMatching(/^key_[0-9a-f]{24}$/),
    sourceIp: '127.0.0.1',
    latencyMs: expect.any(Number),
    functionLatencyMs: expect.any(Number),
    responseBytes: Buffer.byteLength(response.text),
    answeredBy: 'function',
  });
  expect(story).not.toHaveProperty('why');
});

test('401: the story of a request without a key, and of one with a revoked key', async () => {
  const without = await send('GET /pets', { headers: { Authorization: undefined } });
  expect(await storyOf(service, without)).toMatchObject({
    status: 401,
    operation: 'listPets',
    answeredBy: 'gateway',
    why: expect.stringContaining('The Authorization header is missing'),
  });
  const { key, id } = await done(service, 'staging', 'keys.create', { name: 'Leaked' });
  await done(service, 'staging', 'keys.revoke', { id });
  // The second request is refused by what API Gateway has cached.
  for (let request = 0; request < 2; request += 1) {
    const revoked = await send('GET /pets', { headers: { Authorization: `Bearer ${key}` } });
    const story = await storyOf(service, revoked);
    expect(story).toMatchObject({
      status: 401,
      keyId: id,
      answeredBy: 'authorizer',
      why: 'The API key was revoked.',
    });
    expect(JSON.stringify(story)).not.toContain(key.slice('pet_test_'.length));
  }
});

test('130: petstore logs --follow shows a request that is made while it runs, until Ctrl-C', async () => {
  const words = ['logs', '--local', '--follow', '--json', '--group', 'access', '--since', '1m'];
  const child = spawn('infra/bin/petstore', words, {
    cwd: PROJECT,
    env: { ...process.env, PETSTORE_RUNNING_FILE: service.runningFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // The first request is there when the command starts, the second comes while it runs.
  for (let requests = 0; requests < 2; requests += 1) {
    const { headers } = await send('GET /pets?limit=1');
    for (;;) {
      const { value = '' } = await lines.next();
      if (JSON.parse(value).message.requestId === headers['x-request-id']) break;
    }
  }
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
});

test('0: petstore usage counts what a key has sent, by operation', async () => {
  const { id, key } = await done(service, 'staging', 'keys.create', { name: 'Zoo', scopes: ['pets:read'] });
  const headers = { Authorization: `Bearer ${key}` };
  const reads = ['GET /pets?limit=1', 'HEAD /pets?limit=1', ...Array(3).fill('GET /pets/1')];
  await Promise.all(reads.map(request => send(request, { headers })));
  await send('POST /pets', { headers, body: { name: 'Luna', categoryId: 2 } });
  const row = (operation: string, requests: number, refused: number) => ({
    keyId: id,
    name: 'Zoo',
    operation,
    requests,
    refused,
    throttled: 0,
    failed: 0,
  });
  // The log is a second behind.
  await eventually(async () => {
    const words = ['usage', '--local', '--json', '--since', '1h', '--key', id];
    const { usage } = await printedBy(service, words);
    expect(usage).toEqual([row('getPet', 3, 3), row('listPets', 2, 0), row('createPet', 1, 1)]);
  });
});
