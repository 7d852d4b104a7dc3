import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { shortId } from '../cloudformation/resource-type.ts';
import { LocalAwsError } from '../host/local-aws-error.ts';
import { type LocalAws, startLocalAws } from '../local-aws.ts';
import { reachableElsewhere } from '../testing/other-addresses.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { KEYED, writeZooAssembly, type ZooOptions } from './cloud-assembly-fixture.ts';

/** The engine of the run; only the test of an engine's death starts its own. */
const dynamoDbEndpoint = inject('dynamoDbEndpoint');

const clientOptions = ({ awsEndpoint: endpoint, awsCredentials: credentials }: LocalAws) => ({
  endpoint,
  region: 'us-east-1',
  credentials,
});

async function ask(origin: string, query: string): Promise<string> {
  const response = await fetch(`${origin}/staging/pets?${query}`);
  return `${response.status} ${await response.text()}`;
}

describe('a running assembly', () => {
  const folder = mkdtempSync(join(tmpdir(), 'local-test-'));
  const reports: string[] = [];
  let runtime: LocalAws;

  beforeAll(async () => {
    const assembly = writeZooAssembly(join(folder, 'first'));
    runtime = await startLocalAws({
      assembly,
      port: 0,
      dynamoDbEndpoint,
      report: line => reports.push(line),
    });
  });

  afterAll(async () => {
    await runtime.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function deployed(options: ZooOptions): Promise<void> {
    const assembly = writeZooAssembly(mkdtempSync(join(folder, 'next-')), options);
    await runtime.deploy(assembly);
  }

  test('serves its API, with data and secrets, where the outputs say', async () => {
    expect(runtime.outputs.get('Zoo')).toEqual({ BaseUrl: `${runtime.origin}/staging/` });
    expect(await ask(runtime.origin, 'put=lion')).toBe('200 hello 24');
    const client = new DynamoDBClient(clientOptions(runtime));
    const { Item } = await client.send(
      new GetItemCommand({ TableName: 'Zoo-Table', Key: { id: { S: 'lion' } } }),
    );
    client.destroy();
    expect(Item).toEqual({ id: { S: 'lion' } });
  });

  test('is reachable from this machine alone', async () => {
    const { origin, awsEndpoint, edge, dnsResolvers } = runtime;
    const resolvers = dnsResolvers.map(({ address }) => address);
    for (const where of [origin, awsEndpoint, edge.https, ...resolvers]) {
      const [, port] = /:(\d+)$/.exec(where) ?? [];
      expect(await reachableElsewhere(Number(port)), where).toEqual([]);
    }
  });

  test('applies a changed grant, also to a function that goes on running', async () => {
    expect(await ask(runtime.origin, 'delete=lion')).toBe('500 AccessDeniedException');
    await deployed({ actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'] });
    expect(await ask(runtime.origin, 'delete=lion')).toBe('200 hello 24');
    await deployed({ actions: ['dynamodb:PutItem'] });
    expect(await ask(runtime.origin, 'delete=lion')).toBe('500 AccessDeniedException');
  });

  test('replaces the running assembly without dropping a request', async () => {
    const gate = createHttpServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      gate.close();
    });
    await once(gate, 'listening');
    const { port } = gate.address() as AddressInfo;
    const before = ask(runtime.origin, `until=http://127.0.0.1:${port}`);
    const [, held]: ServerResponse[] = await once(gate, 'request');
    await deployed({ greeting: 'welcome' });
    expect(await ask(runtime.origin, 'now=1')).toBe('200 welcome 24');
    held?.end();
    expect(await before).toBe('200 hello 24');
  });

  test('goes on with the running assembly when a new one cannot be deployed', async () => {
    await deployed({ greeting: 'still here' });
    const unknown = { Stream: { Type: 'AWS::Kinesis::Stream' } };
    await expect(deployed({ more: unknown })).rejects.toThrow(LocalAwsError);
    const badMethod = { Other: { Type: 'AWS::ApiGateway::Method', Properties: { Nonsense: true } } };
    await expect(deployed({ more: badMethod })).rejects.toThrow(LocalAwsError);
    expect(await ask(runtime.origin, 'now=1')).toBe('200 still here 24');
  });

  test('serves all of many simultaneous requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ask(runtime.origin, `put=${i}`)),
    );
    expect(responses.filter(response => !response.startsWith('200'))).toEqual([]);
    expect(reports).toEqual([]);
  });
});

test('keeps API keys and their usage plans over a deployment and a restart', async () => {
  const dataFolder = temporaryFolder();
  const assembly = writeZooAssembly(temporaryFolder(), { more: KEYED });
  const value = 'aValueOfTwentyLetter';
  // A new key is known at once, not after the two seconds that it takes to spread.
  const options = { assembly, port: 0, dataFolder, dynamoDbEndpoint, waitScale: 0, report: () => {} };
  const withKey = async ({ origin }: LocalAws) => {
    const response = await fetch(`${origin}/staging/pets?now=1`, { headers: { authorization: value } });
    return response.status;
  };

  const first = await startLocalAws(options);
  onTestFinished(first.stop);
  expect(await withKey(first)).toBe(403);
  const client = new APIGatewayClient(clientOptions(first));
  const usagePlanId = shortId({ stack: 'Zoo', logicalId: 'Plan', property: () => undefined }, 6);
  const { id: keyId } = await client.send(new CreateApiKeyCommand({ value, enabled: true }));
  await client.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId, keyType: 'API_KEY' }));
  client.destroy();
  expect(await withKey(first)).toBe(200);
  await first.deploy(writeZooAssembly(temporaryFolder(), { more: KEYED, greeting: 'welcome' }));
  expect(await withKey(first)).toBe(200);
  await first.stop();

  const second = await startLocalAws(options);
  onTestFinished(second.stop);
  expect(await withKey(second)).toBe(200);
});

test('refuses a port in use and says what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => {
    other.close();
  });
  const { port } = other.address() as AddressInfo;
  const assembly = writeZooAssembly(temporaryFolder());
  await expect(startLocalAws({ assembly, port, dynamoDbEndpoint, report: () => {} })).rejects.toThrow(
    new LocalAwsError(`Port ${port} is in use: choose another with --port.`),
  );
});

test('refuses an engine that is not running and stops what was started', async () => {
  const assembly = writeZooAssembly(temporaryFolder());
  const dataFolder = temporaryFolder();
  const nowhere = 'http://127.0.0.1:1';
  await expect(
    startLocalAws({ assembly, port: 0, dataFolder, dynamoDbEndpoint: nowhere, report: () => {} }),
  ).rejects.toThrow(LocalAwsError);
  expect(existsSync(join(dataFolder, 'lock'))).toBe(false);
});

const RUN_LOCAL_AWS = new URL('./run-local-aws.ts', import.meta.url);

/** The next message of the process that has this field. */
async function messageOf(child: ChildProcess, name: 'awsEndpoint' | 'line'): Promise<string> {
  for await (const [message] of on(child, 'message', { close: ['exit'] })) {
    if (name in message) return message[name];
  }
  throw new Error(`The process ended without its ${name}.`);
}

test('the death of the engine is reported, and the process still stops by itself', async () => {
  const dataFolder = temporaryFolder();
  const child = fork(RUN_LOCAL_AWS, [writeZooAssembly(temporaryFolder()), dataFolder], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await messageOf(child, 'awsEndpoint');
  const reported = messageOf(child, 'line');
  process.kill(Number(readFileSync(join(dataFolder, 'dynamodb/engine.pid'), 'utf8')), 'SIGKILL');
  expect(await reported).toBe('The DynamoDB engine stopped: start again.');
  child.kill('SIGTERM');
  // The process exits by itself: nothing that was started keeps it alive.
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(existsSync(join(dataFolder, 'lock'))).toBe(false);
});
