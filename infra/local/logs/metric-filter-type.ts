import { anyProperties, nameOf, type ResourceType } from '../cloudformation/resource-type.ts';

/** AWS::Logs::MetricFilter. The local runtime collects no metrics: it is accepted and has no effect. */
export const metricFilterType: ResourceType = {
  properties: anyProperties,
  ref: declaration => nameOf(declaration, 'FilterName'),
};
