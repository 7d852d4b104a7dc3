import { App, Duration, Stack } from 'aws-cdk-lib';
import { LambdaIntegration } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { DefinitionBody, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { describe, expect, test, vi } from 'vitest';
import { environmentNamed } from '../../../../infra/stack/environments.ts';
import { functionAlarms } from '../../../../infra/stack/monitoring/function-alarms.ts';
import { tableAlarms } from '../../../../infra/stack/monitoring/resource-alarms.ts';
import { StackParts } from '../../../../infra/stack/monitoring/stack-parts.ts';
import { ServiceApi } from '../../../../infra/stack/service-api.ts';
import { ServiceFunction } from '../../../../infra/stack/service-function.ts';
import { ServiceTable } from '../../../../infra/stack/service-table.ts';

// What the functions do does not matter here, and bundling them takes seconds.
vi.mock('../../../../infra/stack/function-bundles.ts', async () => {
  const { Code } = await import('aws-cdk-lib/aws-lambda');
  return { functionCode: () => Code.fromInline('nothing') };
});

const environment = environmentNamed('sandbox');

/** A stack that the monitoring does not know, with what these functions add to it. */
function stackWith(...additions: ((scope: Construct, fn: (id: string) => ServiceFunction) => unknown)[]) {
  const stack = new Stack(new App(), 'Zoo');
  const scope = new Construct(stack, 'Aviary');
  for (const add of additions) add(scope, id => new ServiceFunction(scope, id, 'any', { environment }));
  return new StackParts(stack);
}

const titlesOf = (parts: StackParts) => functionAlarms(parts).map(({ title }) => title);

const addRule = (schedule: Schedule | undefined) => (scope: Construct, fn: (id: string) => ServiceFunction) =>
  new Rule(scope, 'Rule', {
    ...(schedule ? { schedule } : { eventPattern: { source: ['zoo'] } }),
    targets: [new LambdaFunction(fn('Feed').lambda)],
  });

describe('what is new in a stack is watched', () => {
  test('a function that nothing invokes, as one that operators call', () => {
    const parts = stackWith((_, fn) => fn('Feed'));
    expect(titlesOf(parts)).toEqual(['Operator function errors', 'Operator function near time-outs']);
  });

  test('a function on a schedule of minutes', () => {
    const parts = stackWith(addRule(Schedule.rate(Duration.minutes(2))));
    expect(titlesOf(parts)).toEqual([
      'Scheduled function errors',
      'Scheduled function near time-outs',
      'Dropped events',
    ]);
    expect(parts.scheduled()).toMatchObject([{ everyMinutes: 2 }]);
  });

  test.each([Schedule.rate(Duration.days(1)), undefined])('a function of rare events', schedule => {
    const parts = stackWith(addRule(schedule));
    expect(titlesOf(parts)).toEqual([
      'Event function errors',
      'Event function near time-outs',
      'Dropped events',
    ]);
    expect(parts.scheduled()).toHaveLength(schedule ? 1 : 0);
  });

  test('a schedule that is no rate is refused', () => {
    const parts = stackWith(addRule(Schedule.cron({ hour: '3' })));
    expect(() => parts.scheduled()).toThrow('A schedule has to be a rate, not cron(');
  });

  test('the steps of a state machine', () => {
    const parts = stackWith((scope, fn) => {
      const step = new LambdaInvoke(scope, 'Step', { lambdaFunction: fn('Feed').lambda });
      return new StateMachine(scope, 'Machine', { definitionBody: DefinitionBody.fromChainable(step) });
    });
    expect(titlesOf(parts)).toEqual(['Flow step errors', 'Flow step near time-outs']);
  });

  test('eleven functions behind an API, in as many alarms as CloudWatch’s limit of ten metrics asks for', () => {
    const parts = stackWith((scope, fn) => {
      const api = new ServiceApi(scope, 'Api', environment, {
        restApiName: 'zoo',
        stageName: 'zoo',
        allow: 'GET',
      });
      for (let index = 0; index < 11; index += 1) {
        const resource = api.root.addResource(`path${index}`);
        resource.addMethod('GET', new LambdaIntegration(fn(`Get${index}`).lambda));
      }
    });
    expect(titlesOf(parts)).toEqual([
      'Aviary function errors',
      'Aviary function errors 2',
      'Aviary function near time-outs',
      'Aviary function near time-outs 2',
      'Throttled functions',
      'Throttled functions 2',
    ]);
  });

  test('a table, by the operations that functions are granted', () => {
    const parts = stackWith((scope, fn) => {
      const table = new ServiceTable(scope, 'Table', environment, {
        name: 'pets',
        partitionKey: { name: 'id', type: AttributeType.STRING },
      });
      fn('Feed').grantTable(table, 'TABLE', ['GetItem', 'PutItem', 'ConditionCheckItem']);
    });
    const [throttles, errors] = parts.tables.flatMap(tableAlarms);
    expect([throttles?.title, errors?.title]).toEqual(['Pets table throttles', 'Pets table system errors']);
    const { usingMetrics } = errors?.metric.toMetricConfig().mathExpression ?? {};
    const operations = Object.values(usingMetrics ?? {}).map(
      metric =>
        metric.toMetricConfig().metricStat?.dimensions?.find(({ name }) => name === 'Operation')?.value,
    );
    expect(operations).toEqual(['GetItem', 'PutItem', 'TransactWriteItems']);
  });
});
