import { expect, test } from 'vitest';
import type { Definition } from '../../../../infra/local/stepfunctions/definition.ts';
import { declared, deployedMachine, INVOKE, lambda, named } from './deployed-machine.ts';
import { simulateStateMachine } from './simulate-state-machine.ts';

const flow = {
  StartAt: 'Check',
  States: {
    Check: {
      ...INVOKE,
      Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 2, MaxAttempts: 3, MaxDelaySeconds: 5 }],
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Explain' }],
      Next: 'Done?',
    },
    'Done?': {
      Type: 'Choice',
      Choices: [
        {
          And: [
            { Variable: '$.round', NumericGreaterThanEqualsPath: '$.rounds' },
            { Variable: '$.stop', IsPresent: false },
          ],
          Next: 'End',
        },
        { Variable: '$.outcome', StringEquals: 'no', Next: 'No' },
      ],
      Default: 'Wait',
    },
    Wait: { Type: 'Wait', SecondsPath: '$.seconds', Next: 'Check' },
    Explain: { Type: 'Pass', Parameters: { 'why.$': '$.error.Error' }, ResultPath: '$.explained', End: true },
    No: { Type: 'Fail', Error: 'No', CausePath: '$.outcome' },
    End: { Type: 'Succeed', OutputPath: '$.round' },
  },
};
const [machine] = declared(flow);
const definition = machine?.definition as Definition;

interface Round {
  round: number;
  rounds: number;
  seconds: number;
  fails?: string;
}

/** Fails once in the second round if it is told how; goes on until there were as many rounds as wanted. */
function check() {
  let calls = 0;
  return (event: Round) => {
    calls += 1;
    if (event.fails && event.round === 1 && (calls === 2 || event.fails !== 'Busy'))
      throw named(event.fails, 'x');
    return { ...event, round: event.round + 1 };
  };
}

const inputs: object[] = [
  { round: 0, rounds: 1, seconds: 1, outcome: '' },
  { round: 0, rounds: 4, seconds: 3, outcome: '' },
  { round: 0, rounds: 3, seconds: 0, outcome: '', fails: 'Busy' },
  { round: 0, rounds: 3, seconds: 1, outcome: '', fails: 'Broken' },
  { round: 0, rounds: 3, seconds: 'x', outcome: '' },
  { round: 0, rounds: 3, seconds: 1, outcome: 'no' },
  { round: 0, rounds: 'many', seconds: 1, outcome: 'no' },
];

test.each(inputs)('as the local runtime does: %j', async input => {
  const simulated = await simulateStateMachine({ definition, input, tasks: { Check: check() } });
  const { run, executions } = await deployedMachine(flow, lambda(check() as never));
  const { executionArn = '', status, output, error } = await run(input);
  expect(simulated.status).toBe(status);
  expect(simulated.error).toBe(error);
  // The cause of a function's error is all of its answer on AWS, and its message in the simulation.
  const withoutCause = (data: unknown) => JSON.stringify(data)?.replace(/"Cause":"(\\.|[^"])*"/, '');
  expect(withoutCause(simulated.output)).toBe(output && withoutCause(JSON.parse(output)));
  if (error !== 'States.Runtime') expect(simulated.events).toBe(executions.history(executionArn).length);
});

test('waits and retries move the clock by the seconds that AWS would take', async () => {
  const waits: unknown[] = [];
  const busy = () => {
    throw named('Busy');
  };
  const outcome = await simulateStateMachine({
    definition,
    input: { round: 0 },
    tasks: { Check: busy },
    onWait: (seconds, state) => {
      waits.push([state, seconds]);
    },
  });
  expect(waits).toEqual([
    ['Check', 2],
    ['Check', 4],
    ['Check', 5],
  ]);
  expect(outcome).toMatchObject({ status: 'SUCCEEDED', waitedSeconds: 11 });
});

test('stopped, and out of time', async () => {
  const stopping = new AbortController();
  const endless = {
    definition,
    input: { round: 0, rounds: 1e9, seconds: 60, outcome: '' },
    tasks: { Check: check() },
  };
  const stopped = await simulateStateMachine({
    ...endless,
    signal: stopping.signal,
    onWait: () => stopping.abort(),
  });
  expect(stopped.status).toBe('ABORTED');
  const timedOut = await simulateStateMachine({
    ...endless,
    definition: { ...definition, TimeoutSeconds: 172_800 },
  });
  expect(timedOut).toMatchObject({ status: 'TIMED_OUT', waitedSeconds: 172_800 });
});

test('1,000 runs of 150 rounds take a few seconds at most', async () => {
  const start = process.cpuUsage();
  for (let i = 0; i < 1_000; i += 1) {
    const input = { round: 0, rounds: 150, seconds: 1_000, outcome: '' };
    const { events } = await simulateStateMachine({ definition, input, tasks: { Check: check() } });
    expect(events).toBe(1 + 150 * 9 - 2 + 2 + 1);
  }
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(15);
});
