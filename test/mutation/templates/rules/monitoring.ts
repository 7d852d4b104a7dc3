import { type Change, type Data, REMOVED, type Rules, without, withValue } from '../template-mutant.ts';

/** The metrics of an alarm, alone or within an expression. */
function metricChanges({ Metrics = [], Statistic, Threshold }: Data): Change[] {
  const expressions = Metrics.map(({ Expression }: Data, index: number) => [index, Expression] as const);
  return [
    ...(Statistic ? [withValue('another statistic', 'SampleCount', 'Statistic')] : []),
    ...Metrics.flatMap(({ Id, MetricStat }: Data, index: number) =>
      MetricStat
        ? [
            without(`no metric (${Id})`, 'Metrics', index),
            withValue(`another statistic (${Id})`, 'Minimum', 'Metrics', index, 'MetricStat', 'Stat'),
          ]
        : [],
    ).slice(0, 2),
    ...expressions
      // The metric of a rule refers to the rule: without it the alarm has no value, as without a metric.
      .filter(([, expression]: [number, unknown]) => typeof expression === 'string')
      .map(([index, expression]: [number, string]) =>
        withValue('an expression that is zero', `0 * (${expression})`, 'Metrics', index, 'Expression'),
      ),
    withValue('10 times the threshold', Threshold * 10, 'Threshold'),
  ];
}

const ALARM_CHANGES = [
  REMOVED,
  without('nobody is told', 'AlarmActions'),
  without('nobody is told of the end', 'OKActions'),
  withValue('actions disabled', false, 'ActionsEnabled'),
  withValue('no description', 'An alarm.', 'AlarmDescription'),
];

/** Alarms, the topic that they are sent to, metrics made of logs, the dashboard and the saved queries. */
export const monitoringChanges: Rules = {
  'AWS::CloudWatch::CompositeAlarm': () => [
    ...ALARM_CHANGES,
    withValue('on no condition', 'TRUE', 'AlarmRule'),
  ],
  'AWS::CloudWatch::Alarm': ({ Properties }) => [
    ...ALARM_CHANGES,
    withValue('the other way round', 'LessThanLowerOrGreaterThanUpperThreshold', 'ComparisonOperator'),
    withValue('missing data ignored', 'ignore', 'TreatMissingData'),
    withValue('10 times as late', Properties.EvaluationPeriods * 10, 'EvaluationPeriods'),
    ...(Properties.WarmUpConfiguration ? [without('no warm-up', 'WarmUpConfiguration')] : []),
    ...metricChanges(Properties),
  ],
  'AWS::CloudWatch::InsightRule': () => [withValue('disabled', 'DISABLED', 'RuleState')],
  'AWS::Budgets::Budget': () => [REMOVED, without('nobody is told', 'NotificationsWithSubscribers')],
  'AWS::SNS::Subscription': () => [REMOVED],
  'AWS::SNS::Topic': () => [without('not encrypted', 'KmsMasterKeyId')],
  'AWS::Logs::MetricFilter': ({ Properties }) => [
    REMOVED,
    withValue('counts every line', '{ $.status = "*" }', 'FilterPattern'),
    withValue('counts nothing', '0', 'MetricTransformations', 0, 'MetricValue'),
    withValue('another namespace', 'Petstore', 'MetricTransformations', 0, 'MetricNamespace'),
    withValue('a dimension', [{ Key: 'keyId', Value: '$.keyId' }], 'MetricTransformations', 0, 'Dimensions'),
    ...(Properties.MetricTransformations[0].DefaultValue === undefined
      ? [withValue('a default value', 0, 'MetricTransformations', 0, 'DefaultValue')]
      : [without('no default value', 'MetricTransformations', 0, 'DefaultValue')]),
  ],
  'AWS::CloudWatch::Dashboard': () => [
    REMOVED,
    withValue('nothing on it', '{"widgets":[]}', 'DashboardBody'),
    withValue('another name', 'petstore', 'DashboardName'),
  ],
  'AWS::Logs::QueryDefinition': () => [
    REMOVED,
    withValue('over no log', [], 'LogGroupNames'),
    withValue('another query', 'display @message', 'QueryString'),
    withValue('another folder', 'queries', 'Name'),
  ],
};
