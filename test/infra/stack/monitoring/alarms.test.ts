import { describe, expect, test } from 'vitest';
import { listOf, nameOf, operationFunctions, STACKS, type Statement, templateOf } from '../templates.ts';
import { alarmsOf, metricsOf, resourcesOf } from './watched.ts';

describe.each(STACKS)('the alarms of %s', stack => {
  const template = templateOf(stack);
  const alarms = alarmsOf(stack);
  const ids = (type: string) => resourcesOf(template, type).map(([id]) => id);

  /** The ids that alarms watch by this metric and dimension. */
  const watchedBy = (namespace: string, metric: string, dimension: string) =>
    alarms
      .flatMap(([, alarm]) => metricsOf(alarm))
      .filter(({ name, namespace: own }) => name === metric && own === namespace)
      .flatMap(({ dimensions }) => dimensions[dimension] ?? []);

  test('tell the topic when they begin and when they end', () => {
    const [topic] = ids('AWS::SNS::Topic');
    expect(alarms.length).toBeGreaterThan(0);
    for (const [id, { AlarmActions, OKActions, ActionsEnabled = true }] of alarms) {
      expect([AlarmActions, OKActions, ActionsEnabled], id).toEqual([
        [{ Ref: topic }],
        [{ Ref: topic }],
        true,
      ]);
    }
  });

  test.each(['Errors', 'Duration'])('watch the %s of every function, each in one alarm', metric => {
    const watched = watchedBy('AWS/Lambda', metric, 'FunctionName');
    expect(watched.toSorted()).toEqual(ids('AWS::Lambda::Function').toSorted());
  });

  test('watch the throttles of the functions behind the APIs, and the concurrency of the account', () => {
    const throttled = watchedBy('AWS/Lambda', 'Throttles', 'FunctionName').map(nameOf);
    expect(throttled).toEqual(
      expect.arrayContaining([
        'ApiKeysAuthorizeFunction',
        'RedirectsRedirectFunction',
        ...operationFunctions(template),
      ]),
    );
    const metrics = alarms.flatMap(([, alarm]) => metricsOf(alarm));
    expect(metrics.map(({ name }) => name)).toContain('ClaimedAccountConcurrency');
  });

  test.each(['Count', '5XXError', 'Latency'])('watch %s of every API', metric => {
    const names = resourcesOf(template, 'AWS::ApiGateway::RestApi').map(
      ([, { Properties }]) => Properties.Name,
    );
    expect(names).toHaveLength(2);
    expect([...new Set(watchedBy('AWS/ApiGateway', metric, 'ApiName'))].toSorted()).toEqual(names.toSorted());
  });

  test.each(['ExecutionsFailed', 'ExecutionsTimedOut', 'ExecutionsAborted'])(
    'watch %s of every state machine',
    metric => {
      const watched = watchedBy('AWS/States', metric, 'StateMachineArn');
      expect(watched.toSorted()).toEqual(ids('AWS::StepFunctions::StateMachine').toSorted());
    },
  );

  test.each(['ReadThrottleEvents', 'WriteThrottleEvents', 'SystemErrors'])(
    'watch %s of every table',
    metric => {
      const watched = new Set(watchedBy('AWS/DynamoDB', metric, 'TableName'));
      expect([...watched].toSorted()).toEqual(ids('AWS::DynamoDB::Table').toSorted());
    },
  );

  test.each(['ReadThrottleEvents', 'WriteThrottleEvents'])(
    'watch %s of every table and of each of its indexes, once each',
    metric => {
      const places = resourcesOf(template, 'AWS::DynamoDB::Table').flatMap(([id, { Properties }]) => [
        id,
        ...(Properties.GlobalSecondaryIndexes ?? []).map(
          ({ IndexName }: { IndexName: string }) => `${id} ${IndexName}`,
        ),
      ]);
      const watched = alarms
        .flatMap(([, alarm]) => metricsOf(alarm))
        .filter(({ name, namespace }) => name === metric && namespace === 'AWS/DynamoDB')
        .map(({ dimensions: { TableName, GlobalSecondaryIndexName: index } }) =>
          index === undefined ? TableName : `${TableName} ${index}`,
        );
      expect(watched.toSorted()).toEqual(places.toSorted());
    },
  );

  test('watch the system errors of every operation that a function is granted on a table', () => {
    const watched = alarms
      .flatMap(([, alarm]) => metricsOf(alarm))
      .filter(({ name }) => name === 'SystemErrors')
      .map(({ dimensions }) => `${dimensions.Operation} on ${dimensions.TableName}`);
    const statements = resourcesOf(template, 'AWS::IAM::Policy').flatMap(
      ([, { Properties }]): Statement[] => Properties.PolicyDocument.Statement,
    );
    const granted = statements.flatMap(({ Action, Resource }) =>
      listOf(Action).flatMap(action => {
        const [, operation] = /^dynamodb:(\w+)$/.exec(action) ?? [];
        // A condition check exists within transactions only; tables are described and protected by no function.
        if (operation === undefined || /^(ConditionCheckItem|\w+Table)$/.test(operation)) return [];
        const tables = listOf(Resource).flatMap(
          place => /\["(\w+)","Arn"\]/.exec(JSON.stringify(place))?.[1] ?? [],
        );
        return tables.map(table => `${operation} on ${table}`);
      }),
    );
    expect(granted.length).toBeGreaterThan(0);
    expect(granted.filter(operation => !watched.includes(operation))).toEqual([]);
    const written = new Set(
      granted.filter(grant => /^(Put|Update|Delete)/.test(grant)).map(grant => grant.split(' ')[2]),
    );
    for (const table of written) expect(watched).toContain(`TransactWriteItems on ${table}`);
  });

  test('watch the failed deliveries of every rule, and the messages in every queue', () => {
    expect(watchedBy('AWS/Events', 'FailedInvocations', 'RuleName').toSorted()).toEqual(
      ids('AWS::Events::Rule').toSorted(),
    );
    const visible = watchedBy('AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'QueueName');
    expect(visible).toEqual(ids('AWS::SQS::Queue'));
    expect(visible).toHaveLength(1);
  });

  test('watch the events that Lambda drops of every function that a rule invokes', () => {
    const targets = resourcesOf(template, 'AWS::Events::Rule').flatMap(([, { Properties }]) =>
      Properties.Targets.flatMap(
        ({ Arn }: { Arn: { 'Fn::GetAtt'?: [string] } }) => Arn['Fn::GetAtt']?.[0] ?? [],
      ),
    );
    const watched = watchedBy('AWS/Lambda', 'AsyncEventsDropped', 'FunctionName');
    expect(watched.toSorted()).toEqual([...new Set(targets)].toSorted());
  });

  test('have at most ten metrics, of one period', () => {
    for (const [id, alarm] of alarms) {
      const metrics = metricsOf(alarm);
      expect(metrics.length, id).toBeLessThanOrEqual(10);
      expect(new Set(metrics.map(({ period }) => period)).size, id).toBe(1);
      // CloudWatch looks back for a week, and for a day in periods of less than an hour.
      const [{ period } = { period: 0 }] = metrics;
      expect(period * alarm.EvaluationPeriods, id).toBeLessThanOrEqual((period < 3600 ? 1 : 7) * 86_400);
    }
  });

  test('on what clients cause fire after two of three periods, and from several requests on', () => {
    const isOfClients = ({ namespace, name, dimensions }: ReturnType<typeof metricsOf>[number]) =>
      ['AWS/ApiGateway', 'AWS/DynamoDB'].includes(namespace) ||
      (namespace === 'AWS/Lambda' &&
        /^(PublicApi|Pets|Orders|Docs|Redirects|ApiKeysAuthorize)/.test(dimensions.FunctionName ?? '') &&
        name !== 'AsyncEventsDropped');
    const ofClients = alarms.filter(([, alarm]) => metricsOf(alarm).some(isOfClients));
    expect(ofClients.length).toBeGreaterThan(10);
    for (const [id, { DatapointsToAlarm, EvaluationPeriods, Threshold, Metrics = [] }] of ofClients) {
      expect([DatapointsToAlarm, EvaluationPeriods], id).toEqual([2, 3]);
      const hasFloor = Metrics.some(({ Expression = '' }) => /^IF\(\w+ >= \d+, /.test(Expression));
      expect(hasFloor || Threshold >= 5, id).toBe(true);
    }
  });

  test('have names and descriptions that CloudWatch accepts, and a name each', () => {
    const names = alarms.map(([, { AlarmName }]) => AlarmName);
    expect(new Set(names).size).toBe(alarms.length);
    for (const [id, { AlarmName, AlarmDescription }] of alarms) {
      expect(AlarmName, id).toMatch(/^petstore-(production|staging)-[a-z0-9-]+$/);
      expect(AlarmDescription.length, id).toBeLessThanOrEqual(1024);
    }
  });
});
