import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rateMs } from '../../../../infra/local/events/rules.ts';
import { RUN_COMPLETED } from '../../../../shared/log.ts';
import { assetOf, nameOf, STACKS, templateOf } from '../templates.ts';
import { alarmsOf, metricsOf, resourcesOf } from './watched.ts';

describe.each(STACKS)('the heartbeats of %s', stack => {
  const template = templateOf(stack);
  const scheduled = resourcesOf(template, 'AWS::Events::Rule').filter(
    // A state machine that fails to start or to succeed has alarms of its own.
    ([, { Properties }]) => Properties.ScheduleExpression && Properties.Targets[0].Arn['Fn::GetAtt'],
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
    const everySeconds = rateMs(Properties.ScheduleExpression) / 1000;
    const missedAfter = alarm?.EvaluationPeriods * alarm?.Period;
    expect(missedAfter).toBeGreaterThan(everySeconds);
    expect(missedAfter).toBeLessThanOrEqual(Math.max(3 * everySeconds, 15 * 60));
  });

  test.each(scheduled)('%s: its function logs that a run is complete', (_, { Properties }) => {
    const code = readFileSync(
      join(assetOf(nameOf(Properties.Targets[0].Arn['Fn::GetAtt'][0])), 'index.cjs'),
      'utf8',
    );
    // The code in a message would be half a megabyte.
    expect(code.includes(RUN_COMPLETED)).toBe(true);
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
