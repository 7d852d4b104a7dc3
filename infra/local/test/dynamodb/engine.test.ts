import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  paginateScan,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dynamoDbLocal } from '../../dynamodb/dynamodb-local.ts';
import { type Engine, SUPERVISOR, startEngine } from '../../dynamodb/engine.ts';
import { LocalAwsError } from '../../host/local-aws-error.ts';
import { isRunning } from '../../processes.ts';
import { ENGINE_OF_THE_RUN } from '../../testing/engine.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const start = (options: Parameters<typeof startEngine>[0] = {}) => {
  const engine = startEngine({ name: ENGINE_OF_THE_RUN, ...options });
  onTestFinished(engine.stop);
  return engine;
};

test('stop ends an engine that is not ready yet', async () => {
  for (const databaseFolder of [temporaryFolder(), undefined]) {
    const engine = start({ databaseFolder });
    await engine.stop();
    await expect(engine.endpoint).rejects.toThrow(engine.title);
  }
});

test('an engine whose port another server has taken is started again on another port', async () => {
  const other = createServer((_, response) => response.setHeader('x-amzn-requestid', 'other').end());
  onTestFinished(() => void other.close());
  const askedAgain = Promise.withResolvers<string>();
  let asked = 0;
  const engine = start({
    async choosePort(host) {
      asked += 1;
      if (asked > 1) askedAgain.resolve('asked for another port');
      else await once(other.listen(0, host), 'listening');
      return (other.address() as AddressInfo).port;
    },
  });
  expect(await Promise.race([engine.endpoint, askedAgain.promise])).toBe('asked for another port');
});

test('an engine that refuses its options is an error of one line', async () => {
  const engine = start({ choosePort: async () => 65_536 });
  await expect(engine.endpoint).rejects.toThrow(/^\w+( Local)? did not start .*[^\n]*$/);
});

const clientOf = async (engine: Engine, accessKeyId = engine.accessKeyId) => {
  const credentials = { accessKeyId, secretAccessKey: 'x' };
  const client = new DynamoDBClient({ endpoint: await engine.endpoint, region: 'us-east-1', credentials });
  onTestFinished(() => client.destroy());
  return client;
};

test('stop keeps the transactions that the engine has acknowledged, for its owner only, and no temporary file', async () => {
  const databaseFolder = temporaryFolder();
  const temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const engine = start({ databaseFolder });
  const client = await clientOf(engine);
  await createTable(client);
  const ids = Array.from({ length: 20 }, (_, number) => String(number));
  // Large enough that an engine without time to finish would lose some of them.
  const text = { S: 'x'.repeat(50_000) };
  await Promise.all(ids.map(id => put(client, { id: { S: id }, text })));
  expect(readdirSync(temporary)).not.toEqual([]);
  await engine.stop();
  expect(readdirSync(temporary)).toEqual([]);

  expect(statSync(databaseFolder).mode & 0o777).toBe(0o700);
  const modes = readdirSync(databaseFolder).map(name => statSync(join(databaseFolder, name)).mode & 0o777);
  expect(new Set(modes)).toEqual(new Set([0o600]));

  const pages = paginateScan({ client: await clientOf(start({ databaseFolder })) }, { TableName: 'Pets' });
  const kept = (await Array.fromAsync(pages)).flatMap(({ Items = [] }) => Items.map(({ id }) => id?.S));
  expect(kept.toSorted()).toEqual(ids.toSorted());
});

const KEYS = {
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
};

async function createTable(client: DynamoDBClient): Promise<void> {
  await client.send(new CreateTableCommand({ TableName: 'Pets', BillingMode: 'PAY_PER_REQUEST', ...KEYS }));
  const described = () => client.send(new DescribeTableCommand({ TableName: 'Pets' }));
  await expect.poll(async () => (await described()).Table?.TableStatus).toBe('ACTIVE');
}

function put(client: DynamoDBClient, Item: Record<string, { S: string }>) {
  return client.send(
    new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName: 'Pets', Item } }] }),
  );
}

// Dynoxide has neither protection: it is where nobody finds it.
if (ENGINE_OF_THE_RUN === 'dynamodb-local') {
  test('strangers see no table, and no web page may read a response', async () => {
    const engine = start();
    await createTable(await clientOf(engine));
    const { TableNames } = await (await clientOf(engine, 'stranger')).send(new ListTablesCommand({}));
    expect(TableNames).toEqual([]);
    const fromPage = await fetch(await engine.endpoint, {
      method: 'OPTIONS',
      headers: { origin: 'http://a.example' },
    });
    expect(fromPage.headers.get('access-control-allow-origin')).toBeNull();
  });
}

test.each([
  ['dynoxide', 'access-key.json', 'DynamoDB Local', 'dynamodb-local'],
  ['dynamodb-local', 'dynoxide.db', 'Dynoxide', 'dynoxide'],
] as const)(
  '%s refuses the folder of another engine, by its name, and leaves it as it is',
  (name, file, title, owner) => {
    const databaseFolder = join(temporaryFolder(), 'data', 'dynamodb');
    mkdirSync(databaseFolder, { recursive: true });
    writeFileSync(join(databaseFolder, file), 'data');
    const refused = () => startEngine({ name, databaseFolder });
    expect(refused).toThrow(LocalAwsError);
    expect(refused).toThrow(`was written by ${title}, not by `);
    expect(refused).toThrow(new RegExp(`--engine ${owner}.* mv '(.*/data)' '\\1-${owner}'$`));
    expect(readdirSync(databaseFolder)).toEqual([file]);
  },
);

test('after a crash the engine is killed and its temporary folder removed, although nothing reads what is written', async () => {
  const folder = temporaryFolder();
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const pidFile = join(folder, 'engine.pid');
  const untilWritten = `until [ -s '${pidFile}' ]; do sleep 0.01; done`;
  const engine = ['/bin/sh', '-c', `${untilWritten}; echo started; exec sleep 600`];
  const supervisor = spawn('/bin/sh', ['-c', SUPERVISOR, 'engine', pidFile, temporary, '0', ...engine]);
  await once(supervisor.stdout, 'data');
  const pid = Number(readFileSync(pidFile, 'utf8'));
  // What the end of this process would close.
  for (const stream of [supervisor.stdin, supervisor.stdout, supervisor.stderr]) stream.destroy();
  await once(supervisor, 'exit');
  expect(isRunning(pid)).toBe(false);
  expect(readdirSync(folder)).toEqual(['engine.pid']);
});

test('DynamoDB Local is the jar of the package, with an access key that nobody can guess and the folder keeps', () => {
  const databaseFolder = temporaryFolder();
  const place = { host: '127.0.0.1', port: 8000, databaseFolder, temporaryFolder: '/tmp' };
  const { folder, command } = dynamoDbLocal.command(place);
  expect(existsSync(join(folder, 'DynamoDBLocal.jar'))).toBe(true);
  expect(command.join(' ')).toContain(`-disableTelemetry -cors none -port 8000 -dbPath ${databaseFolder}`);
  expect(dynamoDbLocal.command({ ...place, databaseFolder: undefined }).command).toContain('-inMemory');
  const accessKeyId = dynamoDbLocal.accessKeyId(databaseFolder);
  expect(accessKeyId).toMatch(/^[0-9a-f]{40}$/);
  expect(dynamoDbLocal.accessKeyId(databaseFolder)).toBe(accessKeyId);
  expect(dynamoDbLocal.accessKeyId(undefined)).not.toBe(accessKeyId);
});

test.each([
  [127, 'sh: 1: java: not found'],
  [1, 'java.lang.UnsupportedClassVersionError: … has been compiled by a more recent version'],
  [1, 'The operation couldn’t be completed. Unable to locate a Java Runtime.'],
])('the error without a suitable Java says what to install: %i %s', (exitCode, output) => {
  const error = dynamoDbLocal.startError?.(exitCode, output);
  expect(error).toBeInstanceOf(LocalAwsError);
  expect(error?.message).toMatch(/Java 17 .*openjdk-17-jre-headless.*--dynamodb <url>/);
});
