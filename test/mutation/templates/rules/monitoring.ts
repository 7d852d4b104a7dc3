import { type Change, type Data, type Rules, without, withValue } from '../template-mutant.ts';

/** The metrics of an alarm, alone or within an expression. */
function metricChanges({ Metrics = [], Statistic, Threshold }: Data): Change[] {
  const expressions = Metrics.map(({ Expression }: Data, index: number) => [index, Expression] as const);
  return [
    ...(Statistic ? [withValue('another statistic', 'SampleCount', 'Properties', 'Statistic')] : []),
    ...Metrics.flatMap(({ Id, MetricStat }: Data, index: number) =>
      MetricStat
        ? [
            without(`no metric (${Id})`, 'Properties', 'Metrics', index),
            withValue(
              `another statistic (${Id})`,
              'Minimum',
              'Properties',
              'Metrics',
              index,
              'MetricStat',
              'Stat',
            ),
          ]
        : [],
    ).slice(0, 2),
    ...expressions
      .filter(([, expression]: [number, string]) => expression !== undefined)
      .map(([index, expression]: [number, string]) =>
        withValue(
          'an expression that is zero',
          `0 * (${expression})`,
          'Properties',
          'Metrics',
          index,
          'Expression',
        ),
      ),
    withValue('10 times the threshold', Threshold * 10, 'Properties', 'Threshold'),
  ];
}

/** Alarms, the topic that they are sent to, metrics made of logs, the dashboard and the saved queries. */
export const monitoringChanges: Rules = {
  'AWS::CloudWatch::Alarm': ({ Properties }) => [
    { what: 'removed', edits: [{ path: [] }] },
    without('nobody is told', 'Properties', 'AlarmActions'),
    without('nobody is told of the end', 'Properties', 'OKActions'),
    withValue('actions disabled', false, 'Properties', 'ActionsEnabled'),
    withValue(
      'the other way round',
      'LessThanLowerOrGreaterThanUpperThreshold',
      'Properties',
      'ComparisonOperator',
    ),
    withValue('missing data ignored', 'ignore', 'Properties', 'TreatMissingData'),
    withValue('10 times as late', Properties.EvaluationPeriods * 10, 'Properties', 'EvaluationPeriods'),
    withValue('no description', 'An alarm.', 'Properties', 'AlarmDescription'),
    ...metricChanges(Properties),
  ],
  'AWS::SNS::Topic': () => [without('not encrypted', 'Properties', 'KmsMasterKeyId')],
  'AWS::Logs::MetricFilter': ({ Properties }) => [
    { what: 'removed', edits: [{ path: [] }] },
    withValue('counts every line', '{ $.status = "*" }', 'Properties', 'FilterPattern'),
    withValue('counts nothing', '0', 'Properties', 'MetricTransformations', 0, 'MetricValue'),
    withValue('another namespace', 'Petstore', 'Properties', 'MetricTransformations', 0, 'MetricNamespace'),
    withValue(
      'a dimension',
      [{ Key: 'keyId', Value: '$.keyId' }],
      ...['Properties', 'MetricTransformations', 0, 'Dimensions'],
    ),
    ...(Properties.MetricTransformations[0].DefaultValue === undefined
      ? [withValue('a default value', 0, 'Properties', 'MetricTransformations', 0, 'DefaultValue')]
      : [without('no default value', 'Properties', 'MetricTransformations', 0, 'DefaultValue')]),
  ],
  'AWS::CloudWatch::Dashboard': () => [
    { what: 'removed', edits: [{ path: [] }] },
    withValue('nothing on it', '{"widgets":[]}', 'Properties', 'DashboardBody'),
    withValue('another name', 'petstore', 'Properties', 'DashboardName'),
  ],
  'AWS::Logs::QueryDefinition': () => [
    { what: 'removed', edits: [{ path: [] }] },
    withValue('over no log', [], 'Properties', 'LogGroupNames'),
    withValue('another query', 'display @message', 'Properties', 'QueryString'),
    withValue('another folder', 'queries', 'Properties', 'Name'),
  ],
};
