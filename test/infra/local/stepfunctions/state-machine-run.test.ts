import { expect, test } from 'vitest';
import { LambdaError } from '../../../../infra/local/lambda/lambda-error.ts';
import { deployed } from '../lambda/deployed-function.ts';
import { deployedMachine, FUNCTION_ARN, INVOKE, lambda, MACHINE_ARN, named } from './deployed-machine.ts';

const machine = (States: Record<string, unknown>, StartAt = Object.keys(States)[0]) => ({ StartAt, States });
const echo = lambda(event => event);
const output = ({ output: text }: { output?: string | undefined }) => JSON.parse(text ?? 'null');

test('a real function is invoked by the integration and by its ARN', async () => {
  const { functions } = deployed(`exports.handler = async ({ n = 1, fails }) => {
    if (fails) { const error = new Error('no'); error.name = 'NotYet'; throw error; }
    return { n: n + 1 };
  };`);
  const { run } = await deployedMachine(
    machine({
      Integration: { ...INVOKE, Next: 'Direct' },
      Direct: { Type: 'Task', Resource: FUNCTION_ARN, End: true },
    }),
    (arn, event) => functions.invoke(arn, JSON.stringify(event)),
  );
  expect(output(await run({ n: 1 }))).toEqual({ n: 3 });
  const failed = await run({ fails: true });
  expect(failed).toMatchObject({ status: 'FAILED', error: 'NotYet' });
  expect(JSON.parse(failed.cause ?? '')).toMatchObject({ errorType: 'NotYet', errorMessage: 'no' });
});

test('parameters, result selector and paths; the context object', async () => {
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

test('errors are retried by name, with the interval scaled, and then caught by name', async () => {
  const events: unknown[] = [];
  const { run } = await deployedMachine(
    machine({
      Ask: {
        ...INVOKE,
        Retry: [
          { ErrorEquals: ['Other'], MaxAttempts: 9 },
          {
            ErrorEquals: ['Busy'],
            IntervalSeconds: 1,
            MaxAttempts: 2,
            MaxDelaySeconds: 2,
            JitterStrategy: 'FULL',
          },
        ],
        Catch: [
          { ErrorEquals: ['Never'], Next: 'Fail' },
          { ErrorEquals: ['Busy'], ResultPath: '$.error', Next: 'Explain' },
        ],
        Next: 'Fail',
      },
      Explain: { Type: 'Pass', End: true },
      Fail: { Type: 'Fail' },
    }),
    lambda(event => {
      events.push(event);
      throw named('Busy', 'full');
    }),
  );
  const result = output(await run({ a: 1 }));
  expect(events).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
  expect(result).toEqual({ a: 1, error: { Error: 'Busy', Cause: expect.stringContaining('full') } });
});

test('what Lambda refuses is an error by Lambda’s name', async () => {
  const { run } = await deployedMachine(machine({ Ask: { ...INVOKE, End: true } }), async () => {
    throw new LambdaError('TooManyRequestsException', 'Rate Exceeded.');
  });
  expect(await run()).toMatchObject({ status: 'FAILED', error: 'Lambda.TooManyRequestsException' });
});

test('States.ALL does not catch States.Runtime', async () => {
  const { run } = await deployedMachine(
    machine({
      Ask: {
        ...INVOKE,
        OutputPath: '$.Payload.missing',
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }],
        Next: 'Caught',
      },
      Caught: { Type: 'Succeed' },
    }),
    echo,
  );
  expect(await run()).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
});

test('a task’s time-out is States.Timeout, which States.TaskFailed does not catch', async () => {
  const { run } = await deployedMachine(
    machine({
      Ask: {
        ...INVOKE,
        TimeoutSeconds: 1,
        Catch: [
          { ErrorEquals: ['States.TaskFailed'], Next: 'Wrong' },
          { ErrorEquals: ['States.Timeout'], Next: 'Right' },
        ],
        Next: 'Wrong',
      },
      Wrong: { Type: 'Fail' },
      Right: { Type: 'Succeed' },
    }),
    () => new Promise(() => {}),
  );
  expect(await run()).toMatchObject({ status: 'SUCCEEDED' });
});

test('the time-out of the state machine, scaled', async () => {
  const { run } = await deployedMachine(
    { ...machine({ Wait: { Type: 'Wait', Seconds: 1_000_000, End: true } }), TimeoutSeconds: 20 },
    echo,
  );
  const execution = await run();
  expect(execution.status).toBe('TIMED_OUT');
});

test('a wait of so many seconds as the input says', async () => {
  const { run } = await deployedMachine(
    machine({ Wait: { Type: 'Wait', SecondsPath: '$.wait', Next: 'End' }, End: { Type: 'Succeed' } }),
    echo,
  );
  expect(output(await run({ wait: 2 }))).toEqual({ wait: 2 });
  expect(await run({ wait: 'long' })).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
});

test.each([
  [{ Variable: '$.a', IsPresent: false }, { b: 1 }, true],
  [{ Variable: '$.a', IsPresent: false }, { a: 1 }, false],
  [{ Not: { Variable: '$.a', IsNull: true } }, { a: 1 }, true],
  [{ Variable: '$.a', NumericLessThan: 10 }, { a: null }, false],
  [{ Variable: '$.a', NumericLessThan: 10 }, { a: '5' }, false],
  [{ Variable: '$.a', NumericLessThan: 10 }, { a: 5 }, true],
  [{ Variable: '$.a', StringMatches: '*.example' }, { a: 'www.example' }, true],
  [{ Variable: '$.a', StringMatches: '*.example' }, { a: 5 }, false],
])('the choice %j of %j is %j', async (rule, input, expected) => {
  const { run } = await deployedMachine(
    machine({
      Choose: { Type: 'Choice', Choices: [{ ...rule, Next: 'Yes' }], Default: 'No' },
      Yes: { Type: 'Succeed' },
      No: { Type: 'Fail', Error: 'No' },
    }),
    echo,
  );
  expect((await run(input)).status).toBe(expected ? 'SUCCEEDED' : 'FAILED');
});

test('a Fail state gives its error and cause, or none', async () => {
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
