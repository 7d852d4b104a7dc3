import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { DeclaredRole } from '../../iam/roles.ts';
import { deployedMachine, INVOKE, lambda, MACHINE_ARN, named } from '../../testing/deployed-machine.ts';

const once = { StartAt: 'Ask', States: { Ask: { ...INVOKE, End: true } } };
const forever = { StartAt: 'Wait', States: { Wait: { Type: 'Wait', SecondsPath: '$.a', End: true } } };
const executionArn = (name: string) => `arn:aws:states:us-east-1:000000000000:execution:Flow:${name}`;
const nothing = lambda(() => ({}));
const start = (name: string, input = '{"a":1000000000}') =>
  new StartExecutionCommand({ stateMachineArn: MACHINE_ARN, name, input });

test('200: describes an execution while it runs and after it has ended', async () => {
  const response = Promise.withResolvers<unknown>();
  const { client, ended } = await deployedMachine(
    once,
    lambda(() => response.promise),
  );
  const started = await client.send(start('first'));
  expect(started.executionArn).toBe(executionArn('first'));
  const describe = new DescribeExecutionCommand({ executionArn: started.executionArn });
  const running = await client.send(describe);
  expect(running).toMatchObject({
    name: 'first',
    stateMachineArn: MACHINE_ARN,
    status: 'RUNNING',
    redriveStatus: 'NOT_REDRIVABLE',
    input: '{"a":1000000000}',
    startDate: started.startDate,
  });
  expect(running.stopDate).toBeUndefined();
  response.resolve({ b: 2 });
  const over = await ended(started.executionArn);
  expect(over).toMatchObject({ status: 'SUCCEEDED', output: '{"b":2}', stopDate: expect.any(Date) });
});

test('200: chooses a name and an empty input by default', async () => {
  const { client, ended } = await deployedMachine(
    once,
    lambda(event => event),
  );
  const started = await client.send(new StartExecutionCommand({ stateMachineArn: MACHINE_ARN }));
  expect(started.executionArn).toMatch(/:execution:Flow:[\w-]{36}$/);
  expect(await ended(started.executionArn)).toMatchObject({ input: '{}', output: '{}' });
});

test('200: returns the running execution for the same name and input', async () => {
  const { client } = await deployedMachine(forever, nothing);
  const first = await client.send(start('one'));
  const again = await client.send(start('one'));
  expect(again.startDate).toEqual(first.startDate);
  expect(again.executionArn).toBe(first.executionArn);
});

test('400 ExecutionAlreadyExists: the name has another input, or its execution has ended', async () => {
  const { client } = await deployedMachine(forever, nothing);
  await client.send(start('one'));
  await expect(client.send(start('one', '{}'))).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  await client.send(new StopExecutionCommand({ executionArn: executionArn('one') }));
  await expect(client.send(start('one'))).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
});

test.each(['a b', 'a.example.com'])('400 InvalidName: %j', async name => {
  const { client } = await deployedMachine(once, nothing);
  await expect(client.send(start(name))).rejects.toMatchObject({ name: 'InvalidName' });
});

test('400 InvalidExecutionInput: the input is not JSON, or has more than 256 KiB in fewer characters', async () => {
  const { client } = await deployedMachine(once, nothing);
  const large = JSON.stringify('é'.repeat(200_000));
  for (const input of ['{', large]) {
    await expect(client.send(start('a', input))).rejects.toMatchObject({ name: 'InvalidExecutionInput' });
  }
});

test.each([
  ['an empty name', '', '{}'],
  ['a name of 81 characters', 'x'.repeat(81), '{}'],
  ['an input of more than 262,144 characters', 'a', JSON.stringify('x'.repeat(262_144))],
])('400 ValidationException: %s', async (_, name, input) => {
  const { client } = await deployedMachine(once, nothing);
  await expect(client.send(start(name, input))).rejects.toMatchObject({ name: 'ValidationException' });
});

test('400 StateMachineDoesNotExist, ExecutionDoesNotExist, InvalidArn: no such ARN', async () => {
  const { client } = await deployedMachine(once, nothing);
  const other = { stateMachineArn: `${MACHINE_ARN}2` };
  await expect(client.send(new StartExecutionCommand(other))).rejects.toMatchObject({
    name: 'StateMachineDoesNotExist',
  });
  await expect(client.send(new ListExecutionsCommand(other))).rejects.toMatchObject({
    name: 'StateMachineDoesNotExist',
  });
  const none = { executionArn: executionArn('none') };
  const commands = [new DescribeExecutionCommand(none), new StopExecutionCommand(none)];
  for (const command of commands) {
    await expect(client.send(command as DescribeExecutionCommand)).rejects.toMatchObject({
      name: 'ExecutionDoesNotExist',
    });
  }
  const noArn = new DescribeExecutionCommand({ executionArn: 'none' });
  await expect(client.send(noArn)).rejects.toMatchObject({ name: 'InvalidArn' });
});

test('200: stops an execution during a wait; 400 ValidationException: it is over already', async () => {
  const { client } = await deployedMachine(forever, nothing);
  await client.send(start('one'));
  const stop = { executionArn: executionArn('one'), error: 'Removed', cause: 'by an operator' };
  const { stopDate } = await client.send(new StopExecutionCommand(stop));
  const over = await client.send(new DescribeExecutionCommand({ executionArn: stop.executionArn }));
  expect(over).toMatchObject({ status: 'ABORTED', error: 'Removed', cause: 'by an operator', stopDate });
  await expect(client.send(new StopExecutionCommand(stop))).rejects.toMatchObject({
    name: 'ValidationException',
  });
});

test('200: lists executions by status, the latest first, page by page, and state machines', async () => {
  const { client, run } = await deployedMachine(
    once,
    lambda(({ fails }: { fails: boolean }) => {
      if (fails) throw named('Broken');
    }),
  );
  for (const [name, fails] of [
    ['a', false],
    ['b', true],
    ['c', true],
  ] as const) {
    await run({ fails }, name);
  }
  const failed = await client.send(
    new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN, statusFilter: 'FAILED' }),
  );
  expect(failed.executions?.map(({ name }) => name).toSorted()).toEqual(['b', 'c']);
  const first = await client.send(new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN, maxResults: 2 }));
  expect(first.executions).toHaveLength(2);
  const { nextToken } = first;
  const second = await client.send(new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN, nextToken }));
  expect(second.executions).toHaveLength(1);
  expect(second.nextToken).toBeUndefined();

  const { stateMachines } = await client.send(new ListStateMachinesCommand({}));
  expect(stateMachines).toMatchObject([{ stateMachineArn: MACHINE_ARN, name: 'Flow', type: 'STANDARD' }]);
});

test('400 AccessDeniedException: the role lacks the action on the state machine or execution', async () => {
  const role = new DeclaredRole('Operator', [
    { Effect: 'Allow', Action: ['states:StartExecution'], Resource: [MACHINE_ARN] },
    { Effect: 'Allow', Action: ['states:StopExecution'], Resource: [executionArn('*')] },
  ] as never);
  const { client } = await deployedMachine(forever, nothing, { principal: role.assumedBy('operate') });
  const { executionArn: arn } = await client.send(start('one'));
  await expect(client.send(new DescribeExecutionCommand({ executionArn: arn }))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringContaining(`states:DescribeExecution on resource: ${executionArn('one')}`),
  });
  await expect(client.send(new ListStateMachinesCommand({}))).rejects.toMatchObject({
    name: 'AccessDeniedException',
  });
  await client.send(new StopExecutionCommand({ executionArn: arn }));
});

test('400: throttles an operation above its rate until time has passed', async () => {
  let nowMs = Date.now();
  const { client } = await deployedMachine(forever, nothing, { waitScale: 1, now: () => nowMs });
  const list = () => client.send(new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN }));
  await Promise.all(Array.from({ length: 100 }, list));
  await expect(list()).rejects.toMatchObject({ name: 'ThrottlingException' });
  await client.send(new ListStateMachinesCommand({}));
  nowMs += 1000;
  await Promise.all([list(), list()]);
  await expect(list()).rejects.toMatchObject({ name: 'ThrottlingException' });
});
