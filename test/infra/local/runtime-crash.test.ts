import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../../infra/local/processes.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { writeZooAssembly } from './zoo-assembly.ts';

const RUN_RUNTIME = new URL('./run-runtime.ts', import.meta.url);

interface Started {
  readonly child: ChildProcess;
  readonly awsEndpoint: string;
  readonly refusal?: string;
}

async function started(assembly: string, dataFolder: string): Promise<Started> {
  const child = fork(RUN_RUNTIME, [assembly, dataFolder], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [message] = await once(child, 'message');
  return { child, ...message };
}

async function send<Output>(
  endpoint: string,
  act: (client: DynamoDBClient) => Promise<Output>,
): Promise<Output> {
  const credentials = { accessKeyId: 'developer', secretAccessKey: 'x' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  try {
    return await act(client);
  } finally {
    client.destroy();
  }
}

test('keeps acknowledged writes over SIGKILL, starts again at once, and refuses a second instance', async () => {
  const assembly = writeZooAssembly(temporaryFolder());
  const dataFolder = temporaryFolder();
  const first = await started(assembly, dataFolder);
  const second = await started(assembly, dataFolder);
  expect(second.refusal).toContain(`is in use by another running instance (pid ${first.child.pid})`);

  const item = (id: number) => ({ id: { S: String(id) } });
  await send(first.awsEndpoint, client =>
    Promise.all(
      Array.from({ length: 20 }, (_, id) =>
        client.send(new PutItemCommand({ TableName: 'Zoo-Table', Item: item(id) })),
      ),
    ),
  );
  const enginePid = Number(readFileSync(join(dataFolder, 'dynamodb', 'engine.pid'), 'utf8'));
  first.child.kill('SIGKILL');

  const third = await started(assembly, dataFolder);
  expect(isRunning(enginePid)).toBe(false);
  const found = await send(third.awsEndpoint, client =>
    Promise.all(
      Array.from({ length: 20 }, (_, id) =>
        client.send(new GetItemCommand({ TableName: 'Zoo-Table', Key: item(id) })),
      ),
    ),
  );
  expect(found.map(({ Item }) => Item)).toEqual(Array.from({ length: 20 }, (_, id) => item(id)));

  third.child.kill('SIGTERM');
  // The process exits by itself: nothing that was started keeps it alive.
  expect(await once(third.child, 'exit')).toEqual([0, null]);
  expect(existsSync(join(dataFolder, 'lock'))).toBe(false);
}, 60_000);
