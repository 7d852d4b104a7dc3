import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { ReadyKeys } from '../../../infra/start/ready-key.ts';

/** A service with one valid key, and an operator function that returns it. */
async function serviceWith(reply: unknown, { validKey = 'valid', unknownFor = 0 } = {}) {
  const commands: unknown[] = [];
  let refusals = 0;
  const server = createServer(async (request: IncomingMessage, response) => {
    if (request.url?.endsWith('/invocations')) {
      commands.push(await json(request));
      response.end(JSON.stringify(reply));
    } else {
      const isKnown = refusals >= unknownFor;
      refusals += 1;
      response
        .writeHead(isKnown && request.headers.authorization === `Bearer ${validKey}` ? 200 : 401)
        .end('[]');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    commands,
    keyFor: (keys: ReadyKeys) =>
      keys.keyFor('staging', origin, 'operator', {
        awsEndpoint: origin,
        logFolder: 'logs',
        awsCredentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' },
      }),
  };
}

function keyFile(content?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'api-keys.json');
  if (content !== undefined) writeFileSync(file, content);
  return file;
}

const CREATED = { ok: true, result: { key: 'valid' } };

test('the operator function creates the first key, and the file is readable by its owner alone', async () => {
  const { keyFor, commands } = await serviceWith(CREATED);
  const file = keyFile();
  expect(await keyFor(new ReadyKeys(file))).toBe('valid');
  expect(commands).toEqual([{ command: 'keys.create', name: 'npm start' }]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await keyFor(new ReadyKeys(file))).toBe('valid');
  expect(commands).toHaveLength(1);
});

test.each([
  ['does not work any more', '{"staging":"outdated"}'],
  ['is of another environment', '{"production":"valid"}'],
  ['cannot be read, as after a crash', '{"staging":"val'],
  ['was not written at all', ''],
])('a kept key that %s is replaced', async (_title, content) => {
  const { keyFor, commands } = await serviceWith(CREATED);
  const file = keyFile(content);
  expect(await keyFor(new ReadyKeys(file))).toBe('valid');
  expect(commands).toHaveLength(1);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ staging: 'valid' });
});

test.each([
  { errorType: 'Sandbox.Timedout', errorMessage: 'Error: Task timed out after 55.00 seconds' },
  { ok: false, error: { code: 'unavailable', message: "AWS didn't respond in time. Try again." } },
])('a function that ran out of time is to get more of it: %j', async reply => {
  const { keyFor } = await serviceWith(reply);
  await expect(keyFor(new ReadyKeys(undefined))).rejects.toThrow(
    'operator ran out of time. If this machine is busy, give functions four times as long: npm start -- --patience 4',
  );
});

test('a new key is returned when API Gateway knows it', async () => {
  const { keyFor, origin } = await serviceWith(CREATED, { unknownFor: 3 });
  const key = await keyFor(new ReadyKeys(undefined));
  const response = await fetch(origin, { headers: { Authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
});

test('a new key that never works is not kept, and the error says what responds, and where the logs are', async () => {
  const { keyFor, origin } = await serviceWith(CREATED, { validKey: 'another' });
  const file = keyFile('{}');
  await expect(keyFor(new ReadyKeys(file, 0))).rejects.toMatchObject({
    name: 'BrokenFunctionError',
    message: `GET ${origin}/pets responds with 401 to a new API key. The logs are in logs.`,
  });
  expect(readFileSync(file, 'utf8')).toBe('{}');
});

test.each([
  [{ ok: false, error: { code: 'internal_error', message: 'The log says why.' } }, 'The log says why.'],
  [
    { errorType: 'TypeError', errorMessage: 'x is not a function', trace: ['TypeError'] },
    'TypeError: x is not a function.',
  ],
])(
  'an operator function that responds with %j is named in a sentence, with the reason and its log',
  async (reply, why) => {
    const { keyFor } = await serviceWith(reply);
    const message = `operator can't create an API key. ${why} Its log is in logs.`;
    await expect(keyFor(new ReadyKeys(undefined))).rejects.toMatchObject({
      name: 'BrokenFunctionError',
      message,
    });
  },
);
