import * as z from 'zod';
import { regionalArn } from './pseudo-parameters.ts';
import { nameOf, type ResourceType } from './resource-type.ts';

/** What watches and announces has nobody to tell on one machine. All its properties are taken and none is used. */
const properties = z.record(z.string(), z.unknown());

export const alarmType: ResourceType = {
  properties,
  ref: declaration => nameOf(declaration, 'AlarmName'),
  attributes: { Arn: declaration => regionalArn('cloudwatch', `alarm:${nameOf(declaration, 'AlarmName')}`) },
};

export const dashboardType: ResourceType = {
  properties,
  ref: declaration => nameOf(declaration, 'DashboardName'),
};

/** It makes a metric of what is logged, for an alarm or a dashboard. */
export const metricFilterType: ResourceType = {
  properties,
  ref: declaration => nameOf(declaration, 'FilterName'),
};

export const topicType: ResourceType = {
  properties,
  ref: declaration => regionalArn('sns', nameOf(declaration, 'TopicName')),
  attributes: {
    TopicArn: declaration => regionalArn('sns', nameOf(declaration, 'TopicName')),
    TopicName: declaration => nameOf(declaration, 'TopicName'),
  },
};

export const metadataType: ResourceType = {
  properties,
  ref: ({ stack, logicalId }) => `${stack}-${logicalId}`,
};
