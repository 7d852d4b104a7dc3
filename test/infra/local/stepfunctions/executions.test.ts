import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartExecutionCommand } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { Executions } from '../../../../infra/local/stepfunctions/executions.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { declared, deployedMachine, INVOKE, lambda, MACHINE_ARN } from './deployed-machine.ts';

const askTwice = {
  StartAt: 'Ask',
  States: {
    Ask: { ...INVOKE, Next: 'Wait' },
    Wait: { Type: 'Wait', SecondsPath: '$.wait', Next: 'Ask again' },
    'Ask again': { ...INVOKE, End: true },
  },
};

test('a restart begins running executions again with their name, input and start, and keeps ended ones', async () => {
  const file = join(temporaryFolder(), 'executions.json');
  const events: unknown[] = [];
  const fn = lambda(event => {
    events.push(event);
    return event;
  });
  const first = new Executions({ file, invoke: fn, waitScale: 1 });
  first.deploy(declared(askTwice));
  const over = first.start(MACHINE_ARN, 'over', '{"wait":0}');
  await expect.poll(() => first.find(over.arn).status).toBe('SUCCEEDED');
  const running = first.start(MACHINE_ARN, 'running', '{"wait":1000}');
  await expect.poll(() => first.history(running.arn).at(-1)?.type).toBe('WaitStateEntered');
  first.close();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([
    { status: 'SUCCEEDED' },
    { status: 'RUNNING' },
  ]);

  events.length = 0;
  const second = new Executions({ file, invoke: fn, waitScale: 0.000_01 });
  second.deploy(declared(askTwice));
  expect(second.find(over.arn)).toMatchObject({ status: 'SUCCEEDED', output: '{"wait":0}' });
  await expect.poll(() => second.find(running.arn).status).toBe('SUCCEEDED');
  expect(second.find(running.arn)).toMatchObject({ name: 'running', startMs: running.startMs });
  expect(events).toEqual([{ wait: 1000 }, { wait: 1000 }]);

  const third = new Executions({ file, invoke: fn, waitScale: 1 });
  third.deploy([]);
  expect(third.find(running.arn).status).toBe('SUCCEEDED');
});

test('a restart aborts an execution whose state machine is no longer declared', () => {
  const file = join(temporaryFolder(), 'executions.json');
  const options = { file, invoke: lambda(() => ({})), waitScale: 1 };
  const first = new Executions(options);
  first.deploy(declared(askTwice));
  const { arn } = first.start(MACHINE_ARN, 'one', '{"wait":1000}');
  first.close();
  const second = new Executions(options);
  second.deploy([]);
  expect(second.find(arn)).toMatchObject({ status: 'ABORTED', cause: expect.stringContaining('declared') });
});

test('a deployment changes the permissions of a running execution, but not its definition', async () => {
  const asked = Promise.withResolvers<unknown>();
  const { client, executions, ended } = await deployedMachine(
    askTwice,
    lambda(() => asked.promise),
  );
  const { executionArn } = await client.send(
    new StartExecutionCommand({ stateMachineArn: MACHINE_ARN, input: '{}' }),
  );
  executions.deploy(declared({ StartAt: 'No', States: { No: { Type: 'Fail' } } }, ['none']));
  asked.resolve({ wait: 0 });
  expect(await ended(executionArn)).toMatchObject({ status: 'FAILED', error: 'Lambda.AWSLambdaException' });
});

test('the last 200 ended executions are kept', async () => {
  const executions = new Executions({ invoke: lambda(() => ({})), waitScale: 1 });
  executions.deploy(declared({ StartAt: 'A', States: { A: { Type: 'Succeed' } } }));
  for (let i = 0; i < 203; i += 1) {
    executions.start(MACHINE_ARN, `e${i}`, '{}');
  }
  await expect
    .poll(() => executions.list(MACHINE_ARN).map(({ status }) => status))
    .toEqual(Array.from({ length: 200 }, () => 'SUCCEEDED'));
});
