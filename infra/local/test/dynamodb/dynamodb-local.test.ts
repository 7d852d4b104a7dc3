import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  CreateTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  dynamoDbLocalCommand,
  SUPERVISOR,
  startDynamoDbLocal,
  startFailure,
} from '../../dynamodb/dynamodb-local.ts';
import { LocalAwsError } from '../../host/local-aws-error.ts';
import { isRunning } from '../../host/processes.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('stop ends an engine that is not ready yet', async () => {
  const folder = temporaryFolder();
  const first = startDynamoDbLocal(folder, () => {});
  const second = startDynamoDbLocal(undefined, () => {});
  await Promise.all([first.stop(), second.stop()]);
  await expect(first.endpoint).rejects.toThrow('DynamoDB Local');
  await expect(second.endpoint).rejects.toThrow('DynamoDB Local');
});

test('an engine whose port another server has taken is started again on another port', async () => {
  const other = createServer((_, response) => response.setHeader('x-amzn-requestid', 'other').end());
  onTestFinished(() => void other.close());
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const askedAgain = Promise.withResolvers<string>();
  let asked = 0;
  const engine = startDynamoDbLocal(
    undefined,
    () => {},
    async () => {
      asked += 1;
      if (asked > 1) askedAgain.resolve('asked for another port');
      return port;
    },
  );
  onTestFinished(engine.stop);
  expect(await Promise.race([engine.endpoint, askedAgain.promise])).toBe('asked for another port');
});

test('an engine that refuses its options is an error of one line', async () => {
  const engine = startDynamoDbLocal(
    undefined,
    () => {},
    async () => 65_536,
  );
  onTestFinished(engine.stop);
  await expect(engine.endpoint).rejects.toThrow(/^DynamoDB Local did not start .*[^\n]*$/);
});

test('a folder keeps its access key, which nobody can guess, and gives it the database of an earlier version', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'shared-local-instance.db'), 'database');
  writeFileSync(join(folder, 'shared-local-instance.db-journal'), 'journal');
  const notStarted = async () => {
    throw new Error('not started');
  };
  const { endpoint, accessKeyId } = startDynamoDbLocal(folder, () => {}, notStarted);
  await expect(endpoint).rejects.toThrow('not started');
  expect(accessKeyId).toMatch(/^[0-9a-f]{40}$/);
  expect(readdirSync(folder).toSorted()).toEqual(
    [`${accessKeyId}_us-east-1.db`, `${accessKeyId}_us-east-1.db-journal`, 'access-key.json'].toSorted(),
  );
  expect(startDynamoDbLocal(folder, () => {}, notStarted).accessKeyId).toBe(accessKeyId);
  expect(startDynamoDbLocal(undefined, () => {}, notStarted).accessKeyId).not.toBe(accessKeyId);
});

test('stop keeps the transactions that the engine has acknowledged, and no temporary file; strangers see no table', async () => {
  const folder = temporaryFolder();
  const temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const engine = startDynamoDbLocal(folder, () => {});
  onTestFinished(engine.stop);
  const endpoint = await engine.endpoint;
  const clientWith = (accessKeyId: string) => {
    const credentials = { accessKeyId, secretAccessKey: 'x' };
    const opened = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
    onTestFinished(() => opened.destroy());
    return opened;
  };
  const client = clientWith(engine.accessKeyId);
  await client.send(
    new CreateTableCommand({
      TableName: 'Pets',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  const ids = Array.from({ length: 20 }, (_, number) => String(number));
  // Large enough that an engine without time to finish would lose some of them.
  const text = { S: 'x'.repeat(50_000) };
  await Promise.all(
    ids.map(id => {
      const Put = { TableName: 'Pets', Item: { id: { S: id }, text } };
      return client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] }));
    }),
  );
  const tables = (asked: DynamoDBClient) => asked.send(new ListTablesCommand({}));
  expect((await tables(client)).TableNames).toEqual(['Pets']);
  expect((await tables(clientWith('stranger'))).TableNames).toEqual([]);
  const fromPage = await fetch(endpoint, { method: 'OPTIONS', headers: { origin: 'http://a.example' } });
  expect(fromPage.headers.get('access-control-allow-origin')).toBeNull();
  expect(readdirSync(temporary, { recursive: true })).toContainEqual(expect.stringContaining('sqlite'));
  await engine.stop();
  expect(readdirSync(temporary)).toEqual([]);

  // Read without another engine, whose start takes seconds.
  const database = new DatabaseSync(join(folder, `${engine.accessKeyId}_us-east-1.db`));
  const kept = database.prepare('SELECT CAST(ObjectJSON AS TEXT) AS item FROM "Pets"').all();
  database.close();
  expect(kept.map(({ item }) => JSON.parse(String(item)).id.S).toSorted()).toEqual(ids.toSorted());
});

test('after a crash the engine is killed and its temporary folder removed, although nothing reads what is written', async () => {
  const folder = temporaryFolder();
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const pidFile = join(folder, 'engine.pid');
  const untilWritten = `until [ -s '${pidFile}' ]; do sleep 0.01; done`;
  const engine = ['/bin/sh', '-c', `${untilWritten}; echo started; exec sleep 600`];
  const supervisor = spawn('/bin/sh', ['-c', SUPERVISOR, 'dynamodb-local', pidFile, temporary, ...engine]);
  await once(supervisor.stdout, 'data');
  const pid = Number(readFileSync(pidFile, 'utf8'));
  // What the end of this process would close.
  for (const stream of [supervisor.stdin, supervisor.stdout, supervisor.stderr]) stream.destroy();
  await once(supervisor, 'exit');
  expect(isRunning(pid)).toBe(false);
  expect(readdirSync(folder)).toEqual(['engine.pid']);
});

test('the command runs the jar of the package', () => {
  const { folder, command } = dynamoDbLocalCommand(8000, '/data/dynamodb', '/tmp');
  expect(existsSync(join(folder, 'DynamoDBLocal.jar'))).toBe(true);
  expect(command.join(' ')).toContain('-disableTelemetry -cors none -port 8000 -dbPath /data/dynamodb');
  expect(dynamoDbLocalCommand(8000, undefined, '/tmp').command).toContain('-inMemory');
});

test.each([
  [127, 'sh: 1: java: not found'],
  [1, 'java.lang.UnsupportedClassVersionError: … has been compiled by a more recent version'],
  [1, 'The operation couldn’t be completed. Unable to locate a Java Runtime.'],
])('the error without a suitable Java says what to install: %i %s', (exitCode, output) => {
  const failure = startFailure(exitCode, output);
  expect(failure).toBeInstanceOf(LocalAwsError);
  expect(failure.message).toMatch(/Java 17 .*openjdk-17-jre-headless.*--dynamodb <url>/);
});

test('the error of any other failure has the engine’s last lines without stack traces', () => {
  const output = 'a\nb\nException: no\n\tat x.y(Z.java:1)\nCaused by: it\n\t... 16 more\n';
  expect(startFailure(1, output).message).toBe(
    'DynamoDB Local did not start (exit code 1): b | Exception: no | Caused by: it',
  );
});
