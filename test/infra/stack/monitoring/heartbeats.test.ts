import { describe, expect, test } from 'vitest';
import { RUN_COMPLETED } from '../../../../shared/scheduled-run.ts';
import { STACKS, templateOf } from '../templates.ts';
import { alarmsOf, metricsOf, resourcesOf } from './watched.ts';

describe.each(STACKS)('the heartbeats of %s', stack => {
  const template = templateOf(stack);
  const scheduled = resourcesOf(template, 'AWS::Events::Rule').filter(
    ([, { Properties }]) => Properties.ScheduleExpression,
  );

  test.each(scheduled)('%s: its function is missed when it completes no run', (_, { Properties }) => {
    const [{ Arn }] = Properties.Targets;
    const fn = template.Resources[Arn['Fn::GetAtt'][0]];
    const logGroup = fn?.Properties.LoggingConfig.LogGroup.Ref;
    const filters = resourcesOf(template, 'AWS::Logs::MetricFilter').map(([, filter]) => filter.Properties);
    const runs = filters.find(
      ({ LogGroupName, FilterPattern }) =>
        LogGroupName.Ref === logGroup && FilterPattern === `{ $.message = "${RUN_COMPLETED}" }`,
    );
    const [transformation] = runs?.MetricTransformations ?? [];
    // With a default value, other lines of the log would count as runs of value zero.
    expect(transformation).toEqual({
      MetricNamespace: `Petstore/${stack.replace('Petstore-', '').toLowerCase()}`,
      MetricName: expect.any(String),
      MetricValue: '1',
    });

    const [alarm] = alarmsOf(stack).flatMap(([, alarm]) =>
      alarm.MetricName === transformation.MetricName ? alarm : [],
    );
    expect(alarm).toMatchObject({
      TreatMissingData: 'breaching',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      Statistic: 'Sum',
    });
    expect(alarm?.DatapointsToAlarm).toBe(alarm?.EvaluationPeriods);
    const everySeconds = { 'rate(1 day)': 86_400, 'rate(5 minutes)': 300 }[
      Properties.ScheduleExpression as string
    ];
    const missedAfter = alarm?.EvaluationPeriods * alarm?.Period;
    expect(missedAfter).toBeGreaterThan(everySeconds ?? Number.NaN);
    expect(missedAfter).toBeLessThanOrEqual(3 * (everySeconds ?? Number.NaN));
  });

  test('are the only alarms for which missing data is breaching', () => {
    const breaching = alarmsOf(stack).filter(([, { TreatMissingData }]) => TreatMissingData === 'breaching');
    expect(breaching).toHaveLength(scheduled.length);
    for (const [, alarm] of breaching) expect(metricsOf(alarm)[0]?.namespace).toMatch(/^Petstore\//);
    for (const [id, { TreatMissingData }] of alarmsOf(stack)) {
      expect(['breaching', 'notBreaching'], id).toContain(TreatMissingData);
    }
  });
});
