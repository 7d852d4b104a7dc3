import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { anyProperties, nameOf, type ResourceType } from '../cloudformation/resource-type.ts';

// The local runtime collects no metrics: alarms and dashboards are accepted and have no effect.

export const alarmType: ResourceType = {
  properties: anyProperties,
  ref: declaration => nameOf(declaration, 'AlarmName'),
  attributes: { Arn: declaration => regionalArn('cloudwatch', `alarm:${nameOf(declaration, 'AlarmName')}`) },
};

export const dashboardType: ResourceType = {
  properties: anyProperties,
  ref: declaration => nameOf(declaration, 'DashboardName'),
};
