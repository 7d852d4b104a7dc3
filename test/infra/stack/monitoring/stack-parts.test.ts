import { App, Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { expect, test, vi } from 'vitest';
import { environmentNamed } from '../../../../infra/stack/environments.ts';
import { StackParts } from '../../../../infra/stack/monitoring/stack-parts.ts';
import { ServiceFunction } from '../../../../infra/stack/service-function.ts';

// What the functions do does not matter here, and bundling them takes seconds.
vi.mock('../../../../infra/stack/function-bundles.ts', async () => {
  const { Code } = await import('aws-cdk-lib/aws-lambda');
  return { functionCode: () => Code.fromInline('nothing') };
});

/** The schedules of a stack that the monitoring does not know, whose function these rules invoke. */
function scheduledBy(...schedules: (Schedule | undefined)[]) {
  const stack = new Stack(new App(), 'Zoo');
  const fn = new ServiceFunction(stack, 'Feed', 'any', { environment: environmentNamed('sandbox') });
  for (const [index, schedule] of schedules.entries()) {
    new Rule(stack, `Rule${index}`, {
      ...(schedule ? { schedule } : { eventPattern: { source: ['zoo'] } }),
      targets: [new LambdaFunction(fn.lambda)],
    });
  }
  return new StackParts(stack).scheduled();
}

const OFTEN = Schedule.rate(Duration.minutes(2));

test('a new function on a schedule is found, with its rate and whether other rules invoke it', () => {
  expect(scheduledBy(OFTEN)).toMatchObject([{ everyMinutes: 2, hasOtherRules: false }]);
  expect(scheduledBy(Schedule.rate(Duration.days(1)), undefined)).toMatchObject([
    { everyMinutes: 24 * 60, hasOtherRules: true },
  ]);
  expect(scheduledBy(undefined)).toEqual([]);
});

test('a schedule other than a rate is refused', () => {
  expect(() => scheduledBy(Schedule.cron({ hour: '3' }))).toThrow('A schedule has to be a rate, not cron(');
});
