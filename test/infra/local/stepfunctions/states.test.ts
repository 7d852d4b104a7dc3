import { expect, test } from 'vitest';
import { deployedMachine, FUNCTION_ARN, lambda, MACHINE_ARN } from './deployed-machine.ts';

const machine = (States: Record<string, unknown>, StartAt = Object.keys(States)[0]) => ({ StartAt, States });
const echo = lambda(event => event);
const output = ({ output: text }: { output?: string | undefined }) => JSON.parse(text ?? 'null');

test('a Task state applies parameters, result selector and paths, and reads the context object', async () => {
  const { run } = await deployedMachine(
    machine({
      Ask: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Parameters: {
          FunctionName: FUNCTION_ARN,
          Payload: {
            'domain.$': '$.domain',
            'execution.$': '$$.Execution.Name',
            'id.$': '$$.Execution.Id',
            'since.$': '$$.Execution.StartTime',
            'machine.$': '$$.StateMachine.Id',
            'text.$': "States.Format('{} of {}', $.domain, $$.Execution.Name)",
          },
        },
        ResultSelector: { 'heard.$': '$.Payload' },
        ResultPath: '$.answer',
        Next: 'Done',
      },
      Done: { Type: 'Pass', Result: 'yes', ResultPath: '$.answer.done', End: true },
    }),
    echo,
  );
  const execution = await run({ domain: 'a.example' }, 'one');
  expect(output(execution)).toEqual({
    domain: 'a.example',
    answer: {
      done: 'yes',
      heard: {
        domain: 'a.example',
        execution: 'one',
        id: execution.executionArn,
        since: execution.startDate?.toISOString(),
        machine: MACHINE_ARN,
        text: 'a.example of one',
      },
    },
  });
});

test('an execution times out after the scaled seconds of its state machine', async () => {
  const { run } = await deployedMachine(
    { ...machine({ Wait: { Type: 'Wait', Seconds: 1_000_000, End: true } }), TimeoutSeconds: 20 },
    echo,
  );
  const execution = await run();
  expect(execution.status).toBe('TIMED_OUT');
});

test('a Wait state waits for the seconds at its path, which must be an integer', async () => {
  const { run } = await deployedMachine(
    machine({ Wait: { Type: 'Wait', SecondsPath: '$.wait', Next: 'End' }, End: { Type: 'Succeed' } }),
    echo,
  );
  expect(output(await run({ wait: 2 }))).toEqual({ wait: 2 });
  expect(await run({ wait: 'long' })).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
});

test('a Fail state fails the execution with its error and cause, or with none', async () => {
  const { run } = await deployedMachine(
    machine({
      Choose: {
        Type: 'Choice',
        Choices: [{ Variable: '$.says', BooleanEquals: true, Next: 'Says' }],
        Default: 'Silent',
      },
      Says: { Type: 'Fail', Error: 'Why', Cause: 'because' },
      Silent: { Type: 'Fail' },
    }),
    echo,
  );
  expect(await run({ says: true })).toMatchObject({ status: 'FAILED', error: 'Why', cause: 'because' });
  const silent = await run({ says: false });
  expect([silent.status, silent.error, silent.cause]).toEqual(['FAILED', undefined, undefined]);
});
