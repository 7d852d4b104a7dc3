import { describe, expect, test } from 'vitest';
import { deployedMachine, INVOKE, lambda, named } from './deployed-machine.ts';
import { POLLING_FLOW } from './polling-flow.ts';
import { read, runVirtually } from './virtual-execution.ts';

const machine = (States: Record<string, unknown>, StartAt = Object.keys(States)[0]) => ({ StartAt, States });
const echo = lambda(event => event);
const output = ({ output: text }: { output?: string | undefined }) => JSON.parse(text ?? 'null');

/** Runs a task that always fails and returns the delays before its retries. */
async function delays(Retry: unknown, errors: () => string, random?: () => number) {
  const slept: number[] = [];
  await runVirtually({
    definition: read(machine({ A: { ...INVOKE, Retry, End: true } })),
    input: {},
    ...(random && { random }),
    onSleep: seconds => {
      slept.push(seconds);
    },
    tasks: {
      A: () => {
        throw named(errors());
      },
    },
  });
  return slept;
}

describe('Retry', () => {
  test('waits for the interval times the backoff rate, up to the maximum', async () => {
    const { status, elapsedSeconds } = await runVirtually({
      definition: read(POLLING_FLOW),
      input: { round: 0 },
      tasks: {
        Check: () => {
          throw named('Busy');
        },
      },
    });
    expect({ status, elapsedSeconds }).toEqual({ status: 'SUCCEEDED', elapsedSeconds: 2 + 4 + 5 });
    const retriers = [{ ErrorEquals: ['Busy'], IntervalSeconds: 2, MaxAttempts: 3, MaxDelaySeconds: 5 }];
    expect(await delays(retriers, () => 'Busy')).toEqual([2, 4, 5]);
  });

  test('makes 3 attempts from 1 second on, doubling, by default', async () => {
    expect(await delays([{ ErrorEquals: ['States.ALL'] }], () => 'Busy')).toEqual([1, 2, 4]);
    expect(await delays([{ ErrorEquals: ['States.ALL'], MaxAttempts: 0 }], () => 'Busy')).toEqual([]);
  });

  test('takes a random part of the delay for full jitter, after the maximum is applied', async () => {
    const retriers = [{ ErrorEquals: ['States.ALL'], MaxDelaySeconds: 2, JitterStrategy: 'FULL' }];
    expect(
      await delays(
        retriers,
        () => 'Busy',
        () => 0.25,
      ),
    ).toEqual([0.25, 0.5, 0.5]);
  });

  test('counts the attempts of each retrier by itself', async () => {
    const retriers = [
      { ErrorEquals: ['Busy'], IntervalSeconds: 10, MaxAttempts: 2 },
      { ErrorEquals: ['States.ALL'], IntervalSeconds: 3, MaxAttempts: 2, BackoffRate: 1 },
    ];
    const errors = ['Busy', 'Other', 'Busy', 'Other', 'Busy'];
    expect(await delays(retriers, () => errors.shift() ?? '')).toEqual([10, 3, 20, 3]);
  });

  test('is by name, with the interval scaled, and is followed by Catch by name', async () => {
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
});

describe('Catch', () => {
  test('does not handle States.Runtime by States.ALL', async () => {
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

  test.each([
    ['States.ALL', 'FAILED'],
    ['States.TaskFailed', 'FAILED'],
    ['States.DataLimitExceeded', 'SUCCEEDED'],
  ])('of %s for a result that is too large: %s', async (error, status) => {
    const { run } = await deployedMachine(
      machine({
        Ask: { ...INVOKE, Catch: [{ ErrorEquals: [error], Next: 'Caught' }], Next: 'Caught' },
        Caught: { Type: 'Succeed' },
      }),
      lambda(() => 'x'.repeat(262_144)),
    );
    expect((await run()).status).toBe(status);
  });

  test('handles States.Timeout of a task, but not as States.TaskFailed', async () => {
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

  test('puts the error into the input of the state, without the OutputPath of the state', async () => {
    const caught = (ResultPath: unknown) =>
      runVirtually({
        definition: read(
          machine({
            A: { ...INVOKE, Catch: [{ ErrorEquals: ['States.ALL'], ResultPath, Next: 'B' }], Next: 'B' },
            B: { Type: 'Succeed' },
          }),
        ),
        input: { a: 1 },
        tasks: {
          A: () => {
            throw named('Busy', 'full');
          },
        },
      });
    const error = { Error: 'Busy', Cause: 'full' };
    expect((await caught(undefined)).output).toEqual(error);
    expect((await caught('$')).output).toEqual(error);
    expect((await caught(null)).output).toEqual({ a: 1 });
    expect((await caught('$.why.exactly')).output).toEqual({ a: 1, why: { exactly: error } });
  });

  test('handles a ResultPath that cannot be applied', async () => {
    const { output: result } = await runVirtually({
      definition: read(
        machine({
          A: {
            ...INVOKE,
            OutputPath: undefined,
            ResultPath: '$.a.b',
            Catch: [{ ErrorEquals: ['States.ResultPathMatchFailure'], ResultPath: null, Next: 'B' }],
            Next: 'B',
          },
          B: { Type: 'Pass', Result: 'caught', End: true },
        }),
      ),
      input: { a: 'text' },
    });
    expect(result).toBe('caught');
  });
});
