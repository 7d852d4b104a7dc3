import { GetExecutionHistoryCommand } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { deployedMachine, INVOKE, lambda, named } from './deployed-machine.ts';

test('200: gives a history with AWS’s number of events: a function 5, a choice 2, a wait 2', async () => {
  let calls = 0;
  const { client, run } = await deployedMachine(
    {
      StartAt: 'Ask',
      States: {
        Ask: {
          ...INVOKE,
          Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 1 }],
          Next: 'Enough?',
        },
        'Enough?': {
          Type: 'Choice',
          Choices: [{ Variable: '$.rounds', NumericGreaterThan: 1, Next: 'End' }],
          Default: 'Wait',
        },
        Wait: { Type: 'Wait', Seconds: 1, Next: 'Ask' },
        End: { Type: 'Succeed' },
      },
    },
    lambda(({ rounds }: { rounds: number }) => {
      calls += 1;
      if (calls === 2) throw named('Busy', 'later');
      return { rounds: rounds + 1 };
    }),
  );
  const { executionArn: arn } = await run({ rounds: 0 });
  const history = await client.send(new GetExecutionHistoryCommand({ executionArn: arn, maxResults: 1000 }));
  const round = ['TaskStateEntered', 'TaskScheduled', 'TaskStarted'];
  const choice = ['ChoiceStateEntered', 'ChoiceStateExited'];
  expect(history.events?.map(({ type }) => type)).toEqual([
    'ExecutionStarted',
    ...round,
    'TaskSucceeded',
    'TaskStateExited',
    ...choice,
    'WaitStateEntered',
    'WaitStateExited',
    ...round,
    'TaskFailed',
    'TaskScheduled',
    'TaskStarted',
    'TaskSucceeded',
    'TaskStateExited',
    ...choice,
    'SucceedStateEntered',
    'SucceedStateExited',
    'ExecutionSucceeded',
  ]);
  expect(history.events?.map(({ id }) => id)).toEqual(history.events?.map((_, index) => index + 1));
  expect(history.events?.[1]).toMatchObject({
    previousEventId: 0,
    stateEnteredEventDetails: { name: 'Ask', input: '{"rounds":0}' },
  });
  expect(history.events?.[13]).toMatchObject({
    previousEventId: 13,
    taskFailedEventDetails: { resourceType: 'lambda', resource: 'invoke', error: 'Busy' },
  });
  const last = new GetExecutionHistoryCommand({ executionArn: arn, maxResults: 1, reverseOrder: true });
  expect((await client.send(last)).events).toMatchObject([
    { type: 'ExecutionSucceeded', executionSucceededEventDetails: { output: '{"rounds":2}' } },
  ]);
});
