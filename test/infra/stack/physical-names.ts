import { nameOf, type Template } from './templates.ts';

/** Names that must be unique in an account and region, as far as a stack chooses them itself. */
const NAME_PROPERTIES = [
  ...['AlarmName', 'BucketName', 'DashboardName', 'FunctionName', 'LogGroupName', 'RoleName', 'TableName'],
];

export function physicalNames({ Resources }: Template): string[] {
  return Object.entries(Resources).flatMap(([logicalId, { Type, Properties }]) => {
    const named = Type === 'AWS::ApiGateway::RestApi' ? ['Name'] : NAME_PROPERTIES;
    // A permission names the function that it is for, a metric filter its log group, which are other resources.
    const isForAnother = ['AWS::Lambda::Permission', 'AWS::Logs::MetricFilter'].includes(Type);
    const chosen = isForAnother ? [] : named.filter(name => Properties?.[name]);
    return chosen.map(name => `${Type} ${JSON.stringify(Properties[name])} ${nameOf(logicalId)}`);
  });
}
