import { describe, expect, test } from 'vitest';
import { VirtualTime, virtualWait } from '../../simulation/virtual-time.ts';
import type { Definition } from '../../stepfunctions/definition.ts';
import { runExecution } from '../../stepfunctions/interpreter.ts';
import { declared, INVOKE, named } from '../../testing/deployed-machine.ts';

/** What the function of each state does with its event. */
type Tasks = Readonly<Record<string, (event: never) => unknown>>;

/** Runs an execution to its end in virtual time, in which waits take no time. */
async function run(
  states: Readonly<Record<string, unknown>>,
  input: unknown,
  tasks: Tasks = {},
  { signal = new AbortController().signal, onSleep = (_: number) => {} } = {},
) {
  const [machine] = declared({ StartAt: Object.keys(states)[0], States: states });
  const time = new VirtualTime();
  const wait = virtualWait(time);
  const events: string[] = [];
  const startMs = time.nowMs;
  const text = JSON.stringify(input);
  let isOver = false;
  const running = runExecution({
    definition: machine?.definition as Definition,
    input: text,
    clock: {
      sleep: (seconds, ended) => {
        onSleep(seconds);
        return wait(seconds * 1000, ended);
      },
    },
    history: events,
    signal,
    runTask: async ({ state, parameters: { Payload } }) => {
      const result = (await tasks[state]?.(JSON.parse(JSON.stringify(Payload)) as never)) ?? null;
      return { ExecutedVersion: '$LATEST', Payload: result, StatusCode: 200 };
    },
  }).finally(() => {
    isOver = true;
  });
  await time.run(
    () => isOver,
    Infinity,
    () => {},
  );
  const outcome = await running;
  return {
    status: outcome?.status,
    error: outcome?.error,
    cause: outcome?.cause,
    output: outcome?.output === undefined ? undefined : JSON.parse(outcome.output),
    events,
    elapsedSeconds: (time.nowMs - startMs) / 1000,
  };
}

/** Checks and waits in rounds until the function says that it is done. */
const POLLING = {
  Check: { ...INVOKE, Next: 'Done?' },
  'Done?': {
    Type: 'Choice',
    Choices: [
      { Variable: '$.outcome', StringEquals: 'done', Next: 'End' },
      { Variable: '$.outcome', StringEquals: 'failed', Next: 'Failed' },
    ],
    Default: 'Wait',
  },
  Wait: { Type: 'Wait', SecondsPath: '$.seconds', Next: 'Check' },
  Failed: { Type: 'Fail', Error: 'No', Cause: 'because' },
  End: { Type: 'Succeed' },
};
const END = { End: { Type: 'Succeed' } };
const ask = (state: object) => ({ Ask: { ...INVOKE, Next: 'End', ...state }, ...END });

function throwing(name: () => string) {
  return () => {
    throw named(name(), 'full');
  };
}

describe('an execution', () => {
  test('runs rounds of tasks, choices and waits', async () => {
    let rounds = 0;
    const check = (event: object) => {
      rounds += 1;
      return { ...event, outcome: rounds === 150 ? 'done' : 'waiting' };
    };
    const { status, output, events, elapsedSeconds } = await run(
      POLLING,
      { seconds: 1_000 },
      { Check: check },
    );
    expect({ status, output }).toEqual({ status: 'SUCCEEDED', output: { seconds: 1_000, outcome: 'done' } });
    expect(elapsedSeconds).toBe(149_000);
    // Five events for a task, two for a choice, two for a wait. The last round has no wait, but the Succeed state.
    expect(events).toHaveLength(1 + 150 * 9 + 1);
  });

  test('fails with the error and cause of a Fail state, or with none', async () => {
    const failed = await run(POLLING, {}, { Check: () => ({ outcome: 'failed' }) });
    expect(failed).toMatchObject({ status: 'FAILED', error: 'No', cause: 'because' });
    const silent = await run({ No: { Type: 'Fail' } }, {});
    expect([silent.status, silent.error, silent.cause]).toEqual(['FAILED', undefined, undefined]);
  });

  test('ends without an outcome when it is stopped in a wait', async () => {
    const stopping = new AbortController();
    const stopped = await run(
      POLLING,
      {},
      { Check: () => ({ outcome: '', seconds: 60 }) },
      { signal: stopping.signal, onSleep: () => queueMicrotask(() => stopping.abort()) },
    );
    expect(stopped).toMatchObject({ status: undefined, elapsedSeconds: 0 });
    expect(stopped.events.at(-1)).toBe('WaitStateEntered');
  });

  test('does not wait for its function when it is stopped', async () => {
    const stopping = new AbortController();
    const Ask = () => {
      queueMicrotask(() => stopping.abort());
      return new Promise(() => {});
    };
    const stopped = await run(ask({}), {}, { Ask }, { signal: stopping.signal });
    expect(stopped.events.at(-1)).toBe('TaskStarted');
  });

  test('fails at 25,000 events', async () => {
    const failed = await run(POLLING, {}, { Check: () => ({ outcome: '', seconds: 60 }) });
    expect(failed).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: expect.stringContaining('reached the maximum number of history events (25000)'),
    });
    expect(failed.events).toHaveLength(25_000);
    expect(failed.events.at(-1)).toBe('ExecutionFailed');
  });

  test.each([
    ['no choice matches and there is no Default', '$.a', 'States.NoChoiceMatched'],
    ['the variable of a choice is missing', '$.b', 'States.Runtime'],
  ])('fails when %s', async (_, Variable, error) => {
    const choose = { A: { Type: 'Choice', Choices: [{ Variable, StringEquals: '1', Next: 'End' }] }, ...END };
    const failed = await run(choose, { a: 1 });
    expect(failed).toMatchObject({ status: 'FAILED', error });
    expect(failed.events).toEqual(['ExecutionStarted', 'ChoiceStateEntered', 'ExecutionFailed']);
  });

  test.each(['long', -1, 1.5, null, 24_855 * 86_400 + 1])(
    'fails when a Wait state reads %j as its seconds',
    async seconds => {
      const wait = { Wait: { Type: 'Wait', SecondsPath: '$.seconds', Next: 'End' }, ...END };
      expect(await run(wait, { seconds })).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
    },
  );
});

describe('a path', () => {
  const paths = (Payload: string, OutputPath: string) =>
    ask({ Parameters: { ...INVOKE.Parameters, 'Payload.$': Payload }, OutputPath });

  test('selects the event of the function and the output of the state', async () => {
    const Ask = (event: unknown) => ({ heard: event });
    const { output } = await run(paths('$.a.b', '$.Payload.heard'), { a: { b: [1] } }, { Ask });
    expect(output).toEqual([1]);
  });

  test.each(['$.missing', '$.a.length', '$.list.length', '$.toString'])(
    'that leads nowhere fails the execution in AWS’s words: %s',
    async path => {
      const input = { a: 'text', list: [] };
      const { status, error, cause } = await run(paths(path, '$'), input);
      const message = `The JSONPath '${path}' specified for the field 'Payload.$' could not be found in the input '${JSON.stringify(input)}'`;
      expect({ status, error, cause }).toEqual({
        status: 'FAILED',
        error: 'States.Runtime',
        cause: `An error occurred while executing the state 'Ask' (entered at the event id #2). ${message}`,
      });
    },
  );

  test('fails the execution when the input is null', async () => {
    expect(await run(paths('$', '$'), null)).toMatchObject({
      error: 'States.Runtime',
      cause: expect.stringContaining('to null'),
    });
  });
});

describe('Retry', () => {
  /** The delays before the retries of a task that always fails. */
  async function delays(Retry: unknown, error: () => string) {
    const slept: number[] = [];
    await run(ask({ Retry }), {}, { Ask: throwing(error) }, { onSleep: seconds => slept.push(seconds) });
    return slept;
  }

  test('waits for the interval times the backoff rate, up to the maximum', async () => {
    const retriers = [{ ErrorEquals: ['Busy'], IntervalSeconds: 2, MaxAttempts: 3, MaxDelaySeconds: 5 }];
    expect(await delays(retriers, () => 'Busy')).toEqual([2, 4, 5]);
  });

  test('makes 3 attempts from 1 second on, doubling, by default', async () => {
    expect(await delays([{ ErrorEquals: ['States.TaskFailed'] }], () => 'Busy')).toEqual([1, 2, 4]);
    expect(await delays([{ ErrorEquals: ['States.TaskFailed'], MaxAttempts: 0 }], () => 'Busy')).toEqual([]);
  });

  test('counts the attempts of each retrier separately', async () => {
    const retriers = [
      { ErrorEquals: ['Busy'], IntervalSeconds: 10, MaxAttempts: 2 },
      { ErrorEquals: ['States.TaskFailed'], IntervalSeconds: 3, MaxAttempts: 2, BackoffRate: 1 },
    ];
    const errors = ['Busy', 'Other', 'Busy', 'Other', 'Busy'];
    expect(await delays(retriers, () => errors.shift() ?? '')).toEqual([10, 3, 20, 3]);
  });

  test('sends the same event again', async () => {
    const events: unknown[] = [];
    const Ask = (event: unknown) => {
      events.push(event);
      if (events.length < 3) throw named('Busy');
      return 'fine';
    };
    const { output } = await run(ask({ Retry: [{ ErrorEquals: ['Busy'] }] }), { a: 1 }, { Ask });
    expect({ output, events }).toEqual({ output: 'fine', events: [{ a: 1 }, { a: 1 }, { a: 1 }] });
  });
});

describe('Catch', () => {
  const busy = { Ask: throwing(() => 'Busy') };
  const error = { Error: 'Busy', Cause: 'full' };

  test('puts the error into the input of the state, without the OutputPath of the state', async () => {
    const caught = async (ResultPath: unknown) =>
      (
        await run(
          ask({ Catch: [{ ErrorEquals: ['States.TaskFailed'], ResultPath, Next: 'End' }] }),
          { a: 1 },
          busy,
        )
      ).output;
    expect(await caught(undefined)).toEqual(error);
    expect(await caught('$')).toEqual(error);
    expect(await caught('$.why.exactly')).toEqual({ a: 1, why: { exactly: error } });
  });

  test('takes the first catcher that names the error', async () => {
    const states = {
      ...ask({
        Catch: [
          { ErrorEquals: ['Never'], Next: 'No' },
          { ErrorEquals: ['Other', 'Busy'], Next: 'End' },
          { ErrorEquals: ['States.TaskFailed'], Next: 'No' },
        ],
      }),
      No: { Type: 'Fail' },
    };
    expect((await run(states, {}, busy)).status).toBe('SUCCEEDED');
  });

  test.each([
    ['States.TaskFailed', 'FAILED'],
    ['States.Timeout', 'SUCCEEDED'],
  ])('of %s for a task that timed out: %s', async (name, status) => {
    const states = ask({ Catch: [{ ErrorEquals: [name], Next: 'End' }] });
    expect((await run(states, {}, { Ask: throwing(() => 'States.Timeout') })).status).toBe(status);
  });

  test('fails the execution if its ResultPath cannot be applied', async () => {
    const states = ask({ Catch: [{ ErrorEquals: ['States.TaskFailed'], ResultPath: '$.a.b', Next: 'End' }] });
    expect(await run(states, { a: 'text' }, busy)).toMatchObject({
      status: 'FAILED',
      error: 'States.ResultPathMatchFailure',
    });
  });

  test('does not handle States.Runtime by States.TaskFailed', async () => {
    const states = ask({
      OutputPath: '$.missing',
      Catch: [{ ErrorEquals: ['States.TaskFailed'], Next: 'End' }],
    });
    expect(await run(states, {})).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  });

  test('of States.TaskFailed does not handle a result that is too large', async () => {
    const states = ask({ Catch: [{ ErrorEquals: ['States.TaskFailed'], Next: 'End' }] });
    const { status: ended, events } = await run(states, {}, { Ask: () => 'x'.repeat(262_144) });
    expect(ended).toBe('FAILED');
    expect(events).toContain('TaskFailed');
  });
});

test('data is limited to 256 KiB: parameters, result and output', async () => {
  const large = 'x'.repeat(200_000);
  const limited = { status: 'FAILED', error: 'States.DataLimitExceeded' };
  expect(await run(ask({}), { large, more: large })).toMatchObject(limited);
  expect(await run(ask({}), {}, { Ask: () => large + large })).toMatchObject(limited);
  const caught = ask({ Catch: [{ ErrorEquals: ['States.TaskFailed'], ResultPath: '$.why', Next: 'End' }] });
  const Ask = () => {
    throw named('Busy', large);
  };
  expect(await run(caught, { large }, { Ask })).toMatchObject(limited);
});
