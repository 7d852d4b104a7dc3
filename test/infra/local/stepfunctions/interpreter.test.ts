import { describe, expect, test } from 'vitest';
import { deployedMachine, FUNCTION_ARN, INVOKE, lambda, named } from './deployed-machine.ts';
import { check, POLLING_FLOW, POLLING_INPUTS } from './polling-flow.ts';
import { read, runVirtually } from './virtual-execution.ts';

const definition = read(POLLING_FLOW);
const only = (state: Record<string, unknown>) =>
  read({ StartAt: 'A', States: { A: { End: true, ...state } } });

describe('virtual time', () => {
  test.each(POLLING_INPUTS)('gives the outcome and the events of real time: %j', async input => {
    const virtual = await runVirtually({ definition, input, tasks: { Check: check() } });
    const { run, executions } = await deployedMachine(POLLING_FLOW, lambda(check() as never));
    const { executionArn = '', status, output, error } = await run(input);
    expect(virtual.status).toBe(status);
    expect(virtual.error).toBe(error);
    // The cause of a function's error is the whole answer of Lambda; here it is the message.
    const withoutCause = (data: unknown) => JSON.stringify(data)?.replace(/"Cause":"(\\.|[^"])*"/, '');
    expect(withoutCause(virtual.output)).toBe(output && withoutCause(JSON.parse(output)));
    const types = executions.history(executionArn).map(({ type }) => type);
    expect(virtual.events.map(({ type }) => type)).toEqual(types);
  });

  test('writes nine events for a round: five of the task, two of the choice, two of the wait', async () => {
    const input = { round: 0, rounds: 150, seconds: 1_000, outcome: '' };
    const { events } = await runVirtually({ definition, input, tasks: { Check: check() } });
    // The last round has no wait (2), but the Succeed state (2). And the start and the end.
    expect(events).toHaveLength(1 + 150 * 9 - 2 + 2 + 1);
  });
});

describe('the end of an execution', () => {
  const endless = {
    input: { round: 0, rounds: 1e9, seconds: 60, outcome: '' },
    tasks: { Check: check() },
  };

  test('comes without an outcome when it is stopped in a wait', async () => {
    const stopping = new AbortController();
    const stopped = await runVirtually({
      ...endless,
      definition,
      signal: stopping.signal,
      onSleep: () => queueMicrotask(() => stopping.abort()),
    });
    expect(stopped.status).toBeUndefined();
    expect(stopped.events.at(-1)?.type).toBe('WaitStateEntered');
  });

  test('does not wait for the function that a stopped execution has invoked', async () => {
    const stopping = new AbortController();
    const stopped = await runVirtually({
      definition: only(INVOKE),
      input: {},
      signal: stopping.signal,
      tasks: {
        A: () => {
          queueMicrotask(() => stopping.abort());
          return new Promise(() => {});
        },
      },
    });
    expect(stopped.events.at(-1)?.type).toBe('TaskStarted');
  });

  test('cancels the time-out of a task that is stopped', async () => {
    const stopping = new AbortController();
    const stopped = await runVirtually({
      definition: only({ ...INVOKE, TimeoutSeconds: 600 }),
      input: {},
      signal: stopping.signal,
      tasks: {
        A: () => {
          queueMicrotask(() => stopping.abort());
          return new Promise(() => {});
        },
      },
    });
    expect(stopped).toMatchObject({ status: undefined, elapsedSeconds: 0 });
  });

  test('is States.Timeout when a task takes longer than its time-out, whose seconds may be in the input', async () => {
    const timedOut = await runVirtually({
      definition: only({ ...INVOKE, TimeoutSecondsPath: '$.limit' }),
      input: { limit: 30 },
      tasks: { A: () => new Promise(() => {}) },
    });
    expect(timedOut).toMatchObject({ status: 'FAILED', error: 'States.Timeout', elapsedSeconds: 30 });
    expect(timedOut.events.at(-2)?.type).toBe('TaskTimedOut');
    const invalid = await runVirtually({
      definition: only({ ...INVOKE, TimeoutSecondsPath: '$.limit' }),
      input: { limit: '30' },
    });
    expect(invalid).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  });

  test('comes at the deadline of the state machine, even in a wait', async () => {
    const timedOut = await runVirtually({
      ...endless,
      input: { ...endless.input, seconds: 70 },
      definition: { ...definition, TimeoutSeconds: 172_800 },
    });
    expect(timedOut).toMatchObject({ status: 'TIMED_OUT', elapsedSeconds: 172_800 });
    expect(timedOut.events.at(-1)?.type).toBe('ExecutionTimedOut');
  });

  test('is the failure at 25,000 events', async () => {
    const failed = await runVirtually({ ...endless, definition });
    expect(failed).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: expect.stringContaining('reached the maximum number of history events (25000)'),
    });
    expect(failed.events).toHaveLength(25_000);
    expect(failed.events.at(-1)?.type).toBe('ExecutionFailed');
  });

  test.each([
    ['a choice without a match and a Default', { Type: 'Choice' }, 'States.NoChoiceMatched'],
    ['a choice by a variable that is not there', { Type: 'Choice', Variable: '$.b' }, 'States.Runtime'],
  ])(
    'is a failure for %s',
    async (_, { Type, Variable = '$.a' }: { Type: string; Variable?: string }, error) => {
      const failed = await runVirtually({
        definition: read({
          StartAt: 'A',
          States: {
            A: { Type, Choices: [{ Variable, NumericEquals: 1, Next: 'B' }] },
            B: { Type: 'Succeed' },
          },
        }),
        input: { a: 2 },
      });
      expect(failed).toMatchObject({ status: 'FAILED', error });
      expect(failed.events.map(({ type }) => type)).toEqual([
        'ExecutionStarted',
        'ChoiceStateEntered',
        'ExecutionFailed',
      ]);
    },
  );
});

describe('the data of a state', () => {
  test('is limited to 256 KiB: parameters, result and output', async () => {
    const large = 'x'.repeat(200_000);
    const limited = { status: 'FAILED', error: 'States.DataLimitExceeded' };
    const twice = { 'a.$': '$.a', 'b.$': '$.a' };
    const invoke = { Type: 'Task', Resource: FUNCTION_ARN };
    const input = { a: large };
    expect(
      await runVirtually({ definition: only({ Type: 'Pass', Parameters: twice }), input }),
    ).toMatchObject(limited);
    expect(await runVirtually({ definition: only({ ...invoke, Parameters: twice }), input })).toMatchObject(
      limited,
    );
    const result = await runVirtually({
      definition: only(invoke),
      input: {},
      tasks: { A: () => large + large },
    });
    expect(result).toMatchObject(limited);
    expect(result.events.at(-2)?.type).toBe('LambdaFunctionFailed');
    const output = await runVirtually({
      definition: only({ ...invoke, ResultPath: '$.b' }),
      input,
      tasks: { A: () => large },
    });
    expect(output).toMatchObject(limited);
  });

  test.each([null, false, 0, '', [], {}])('may be the Result %j of a Pass state', async Result => {
    const { output } = await runVirtually({ definition: only({ Type: 'Pass', Result }), input: { a: 1 } });
    expect(output).toEqual(Result);
  });

  test('is an empty object for a path of null', async () => {
    const through = only({ Type: 'Pass', InputPath: null, ResultPath: '$.a' });
    expect((await runVirtually({ definition: through, input: { b: 1 } })).output).toEqual({ a: {}, b: 1 });
    const nothing = only({ Type: 'Pass', OutputPath: null });
    expect((await runVirtually({ definition: nothing, input: { b: 1 } })).output).toEqual({});
  });

  test('fails the execution where a path is applied to null', async () => {
    const failed = { status: 'FAILED', error: 'States.Runtime', cause: expect.stringContaining('to null') };
    for (const state of [{ InputPath: '$' }, { OutputPath: '$' }, { Parameters: { 'a.$': '$' } }]) {
      expect(await runVirtually({ definition: only({ Type: 'Pass', ...state }), input: null })).toMatchObject(
        failed,
      );
    }
    expect(await runVirtually({ definition: only({ Type: 'Pass' }), input: null })).toMatchObject({
      status: 'SUCCEEDED',
      output: null,
    });
  });

  test('can be the state of the context object', async () => {
    const definition = only({
      ...INVOKE,
      Parameters: {
        FunctionName: FUNCTION_ARN,
        Payload: {
          'name.$': '$$.State.Name',
          'retries.$': '$$.State.RetryCount',
          'input.$': '$$.Execution.Input',
        },
      },
      Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1 }],
    });
    const heard: unknown[] = [];
    const tell = (event: object) => {
      heard.push(event);
      if (heard.length === 1) throw named('Busy');
      return event;
    };
    await runVirtually({ definition, input: { a: 1 }, tasks: { A: tell } });
    expect(heard).toEqual([
      { name: 'A', retries: 0, input: { a: 1 } },
      { name: 'A', retries: 1, input: { a: 1 } },
    ]);
  });
});
