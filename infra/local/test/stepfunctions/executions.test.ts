import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { LambdaError } from '../../lambda/invocation.ts';
import { type LocalAws, startLocalAws } from '../../local-aws.ts';
import { Executions } from '../../stepfunctions/executions.ts';
import {
  declared,
  deployedMachine,
  FUNCTION_ARN,
  INVOKE,
  lambda,
  MACHINE_ARN,
} from '../../testing/deployed-machine.ts';
import { unexpectedReport } from '../../testing/served-endpoint.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { writeCloudAssembly } from '../cloud-assembly-fixture.ts';
import { deployed } from '../lambda/deployed-function.ts';

const ask = { StartAt: 'Ask', States: { Ask: { ...INVOKE, End: true } } };
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
  await expect.poll(() => events).toHaveLength(3);
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

test('of the executions that have ended, the last 200 are kept', async () => {
  const executions = new Executions({ invoke: lambda(() => ({})), waitScale: 1 });
  onTestFinished(() => executions.close());
  const wait = { Wait: { Type: 'Wait', SecondsPath: '$.wait', End: true } };
  executions.deploy(declared({ StartAt: 'Wait', States: wait }));
  const long = executions.start(MACHINE_ARN, 'long', '{"wait":1000}');
  for (let i = 0; i < 200; i += 1) executions.start(MACHINE_ARN, `short-${i}`, '{"wait":0}');
  const statuses = () => executions.list(MACHINE_ARN).map(({ status }) => status);
  await expect.poll(() => statuses().filter(status => status === 'SUCCEEDED')).toHaveLength(200);
  expect(statuses()).toContain('RUNNING');
  executions.stop(long.arn, {});
  expect(executions.find(long.arn).status).toBe('ABORTED');
  expect(statuses()).toHaveLength(200);
  expect(() => executions.find(long.arn.replace('long', 'short-0'))).toThrow('Execution Does Not Exist');
});

test('a task invokes a function, and fails with the type of its error', async () => {
  const { functions } = deployed(`exports.handler = async ({ n = 1, fails }) => {
    if (fails) { const error = new Error('no'); error.name = 'NotYet'; throw error; }
    return { n: n + 1 };
  };`);
  const { run } = await deployedMachine(ask, (arn, event) => functions.invoke(arn, JSON.stringify(event)));
  expect((await run({ n: 1 })).output).toBe('{"n":2}');
  const failed = await run({ fails: true });
  expect(failed).toMatchObject({ status: 'FAILED', error: 'NotYet' });
  expect(JSON.parse(failed.cause ?? '')).toMatchObject({ errorType: 'NotYet', errorMessage: 'no' });
});

test('a task fails with Lambda’s name for an error of Lambda itself', async () => {
  const { run } = await deployedMachine(ask, async () => {
    throw new LambdaError('TooManyRequestsException', 'Rate Exceeded.');
  });
  expect(await run()).toMatchObject({ status: 'FAILED', error: 'Lambda.TooManyRequestsException' });
});

test('a task fails if the state machine’s role may not invoke its function', async () => {
  const { run } = await deployedMachine(
    ask,
    lambda(() => ({})),
    { mayInvoke: [`${FUNCTION_ARN}:*`] },
  );
  expect(await run()).toMatchObject({
    status: 'FAILED',
    error: 'Lambda.AWSLambdaException',
    cause: expect.stringContaining(`lambda:InvokeFunction on resource: ${FUNCTION_ARN} because`),
  });
});

/** Waits as long as its input says. */
const DEFINITION = '{"StartAt":"Wait","States":{"Wait":{"Type":"Wait","SecondsPath":"$.wait","End":true}}}';
const resources = {
  FlowRole: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: {} } },
  Flow: {
    Type: 'AWS::StepFunctions::StateMachine',
    Properties: { DefinitionString: DEFINITION, RoleArn: { 'Fn::GetAtt': ['FlowRole', 'Arn'] } },
  },
};
const outputs = {
  Arn: { Value: { Ref: 'Flow' } },
  Name: { Value: { 'Fn::GetAtt': ['Flow', 'Name'] } },
};

test('a state machine of a stack runs, and its executions survive a restart', async () => {
  const assembly = writeCloudAssembly(temporaryFolder(), {
    Zoo: { Resources: resources, Outputs: outputs },
  });
  const dynamoDbEndpoint = inject('dynamoDbEndpoint');
  const options = {
    assembly,
    port: 0,
    dataFolder: temporaryFolder(),
    dynamoDbEndpoint,
    report: unexpectedReport,
  };
  const clientOf = ({ awsEndpoint: endpoint, awsCredentials: credentials }: LocalAws) => {
    const client = new SFNClient({ endpoint, region: 'us-east-1', credentials });
    onTestFinished(() => client.destroy());
    return client;
  };

  const first = await startLocalAws(options);
  onTestFinished(first.stop);
  const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:Zoo-Flow';
  expect(first.outputs.get('Zoo')).toEqual({ Arn: stateMachineArn, Name: 'Zoo-Flow' });
  const { executionArn } = await clientOf(first).send(
    new StartExecutionCommand({ stateMachineArn, name: 'one', input: '{"wait":100}' }),
  );
  await first.stop();

  const second = await startLocalAws({ ...options, waitScale: 0.001 });
  onTestFinished(second.stop);
  const client = clientOf(second);
  const execution = await vi.waitFor(
    async () => {
      const described = await client.send(new DescribeExecutionCommand({ executionArn }));
      expect(described.status).not.toBe('RUNNING');
      return described;
    },
    { timeout: 120_000 },
  );
  expect(execution).toMatchObject({ status: 'SUCCEEDED', output: '{"wait":100}' });
});
