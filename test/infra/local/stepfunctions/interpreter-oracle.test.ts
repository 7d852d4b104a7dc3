/**
 * The package aws-local-stepfunctions as an oracle: both interpreters must give the same outcome for the same
 * definition and input, except for the deviations of the package that are listed here. Not listed, because it would take
 * a minute: the package fails a task without a time-out after 60 seconds, where AWS waits.
 */
import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { named } from './deployed-machine.ts';
import { definitions, inputs } from './generated-machines.ts';
import { check, POLLING_FLOW, POLLING_INPUTS } from './polling-flow.ts';
import { read, runVirtually, type VirtualExecution } from './virtual-execution.ts';

type Tasks = NonNullable<VirtualExecution['tasks']>;
type RunOptions = NonNullable<Parameters<StateMachine['run']>[1]>;

interface Outcome {
  readonly output?: unknown;
  readonly error?: string | undefined;
}

async function ours(definition: unknown, input: unknown, tasks: Tasks = {}): Promise<Outcome> {
  const { status, output, error } = await runVirtually({ definition: read(definition), input, tasks });
  return status === 'SUCCEEDED' ? { output } : { error };
}

/** The package does not wait here, and is given tasks by the names of their states. */
async function theirs(
  definition: { States: Readonly<Record<string, object>> },
  input: unknown,
  tasks: Tasks = {},
): Promise<Outcome> {
  const names = Object.keys(definition.States);
  const noDelay = Object.fromEntries(names.map(name => [name, 0]));
  const handlers = Object.entries(tasks).map(([name, task]) => [
    name,
    async ({ Payload }: { Payload: unknown }) => ({
      ExecutedVersion: '$LATEST',
      Payload: (await task(structuredClone(Payload) as never)) ?? null,
      StatusCode: 200,
    }),
  ]);
  const machine = new StateMachine(definition as unknown as StateMachineDefinition, {
    validationOptions: { noValidate: true },
  });
  const overrides = {
    taskResourceLocalHandlers: Object.fromEntries(handlers),
    retryIntervalOverrides: noDelay,
    waitTimeOverrides: noDelay,
  };
  const run = machine.run(input as never, { overrides } as RunOptions);
  return run.result.then(
    output => ({ output }),
    ({ cause }: Error) => ({ error: (cause as Error).name }),
  );
}

/** Without the causes of caught errors, for which the package has its own words. */
const withoutCauses = (outcome: Outcome): Outcome =>
  JSON.parse(JSON.stringify(outcome), (key, value) => (key === 'Cause' ? undefined : value));

/** Fails as its event says, or returns it. */
const obey = (event: { fails?: string } | null) => {
  if (typeof event?.fails === 'string') throw named(event.fails, 'x');
  return event;
};

describe('the package agrees', () => {
  // The package takes any value for the seconds of a wait that is overridden.
  const readable = POLLING_INPUTS.filter(
    input => typeof (input as { seconds: unknown }).seconds === 'number',
  );

  test.each(readable)('about a polling flow with %j', async input => {
    const expected = await theirs(POLLING_FLOW, input, { Check: check() });
    expect(await ours(POLLING_FLOW, input, { Check: check() })).toEqual(expected);
  });

  test('about generated machines and inputs', { timeout: 120_000 }, async () => {
    const counts = { outputs: 0, errors: 0 };
    await fc.assert(
      fc.asyncProperty(definitions, inputs, async (definition, input) => {
        const tasks = Object.fromEntries(Object.keys(definition.States).map(name => [name, obey]));
        const outcome = await ours(definition, input, tasks);
        expect(withoutCauses(outcome)).toEqual(withoutCauses(await theirs(definition, input, tasks)));
        counts[outcome.error === undefined ? 'outputs' : 'errors'] += 1;
      }),
      { numRuns: 1_000, seed: 1 },
    );
    // Machines that always fail, or never, would prove little.
    expect(Math.min(counts.outputs, counts.errors)).toBeGreaterThan(100);
  });
});

const passing = (state: object) => ({ StartAt: 'A', States: { A: { Type: 'Pass', End: true, ...state } } });
const choosing = (rule: object) => ({
  StartAt: 'A',
  States: {
    A: { Type: 'Choice', Choices: [{ ...rule, Next: 'Yes' }], Default: 'No' },
    Yes: { Type: 'Pass', Result: 'yes', End: true },
    No: { Type: 'Pass', Result: 'no', End: true },
  },
});

interface Deviation {
  readonly why: string;
  readonly definition: { States: Readonly<Record<string, object>> };
  readonly input: unknown;
  readonly aws: Outcome;
}

const DEVIATIONS: readonly Deviation[] = [
  {
    why: 'converts a string to a number to compare it; on AWS a value of another type matches nothing',
    definition: choosing({ Variable: '$.a', NumericLessThan: 10 }),
    input: { a: '5' },
    aws: { output: 'no' },
  },
  {
    why: 'converts null to a number to compare it',
    definition: choosing({ Variable: '$.a', NumericLessThan: 10 }),
    input: { a: null },
    aws: { output: 'no' },
  },
  {
    why: 'takes a date without a time for a timestamp',
    definition: choosing({ Variable: '$.a', TimestampLessThan: '2026-01-31T12:00:00Z' }),
    input: { a: '2026-01-31' },
    aws: { output: 'no' },
  },
  {
    why: 'never matches {"IsPresent": false}, nor another type test that is to be false',
    definition: choosing({ Variable: '$.a', IsPresent: false }),
    input: {},
    aws: { output: 'yes' },
  },
  {
    why: 'takes more characters than * for wildcards',
    definition: choosing({ Variable: '$.a', StringMatches: 'a?' }),
    input: { a: 'ab' },
    aws: { output: 'no' },
  },
  {
    why: 'fails with a TypeError when StringMatches is given another type',
    definition: choosing({ Variable: '$.a', StringMatches: 'a*' }),
    input: { a: 5 },
    aws: { output: 'no' },
  },
  {
    why: 'takes a Result of null, false, 0 or "" for none',
    definition: passing({ Result: 0 }),
    input: { a: 1 },
    aws: { output: 0 },
  },
  {
    why: 'takes the ResultPath $ for a field of that name',
    definition: passing({ Result: 1, ResultPath: '$' }),
    input: { a: 1 },
    aws: { output: 1 },
  },
  {
    why: 'replaces what is no object on the way of a ResultPath; on AWS the path cannot be applied',
    definition: passing({ Result: 1, ResultPath: '$.a.b' }),
    input: { a: 'text' },
    aws: { error: 'States.ResultPathMatchFailure' },
  },
  {
    why: 'finds nothing in an input that is 0, false or ""',
    definition: passing({ Parameters: { 'a.$': '$' } }),
    input: 0,
    aws: { output: { a: 0 } },
  },
  {
    why: 'takes the characters of a string for items',
    definition: passing({ OutputPath: '$.a[0]' }),
    input: { a: 'text' },
    aws: { error: 'States.Runtime' },
  },
  {
    why: 'has no $$.State',
    definition: passing({ Parameters: { 'a.$': '$$.State.Name' } }),
    input: {},
    aws: { output: { a: 'A' } },
  },
  {
    why: 'names the error of a Fail state that names none',
    definition: { StartAt: 'A', States: { A: { Type: 'Fail' } } } as Deviation['definition'],
    input: {},
    aws: { error: undefined },
  },
];

describe('the package deviates from AWS', () => {
  test.each(DEVIATIONS)('and $why', async ({ definition, input, aws }) => {
    expect(await ours(definition, input)).toEqual(aws);
    expect(await theirs(definition, input)).not.toStrictEqual(aws);
  });
});
