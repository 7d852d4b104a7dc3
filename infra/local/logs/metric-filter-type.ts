import * as z from 'zod';
import { nameOf, noEffect, type ResourceType } from '../cloudformation/resource-type.ts';
import { filterPattern } from './filter-pattern.ts';

/** A pattern that the search of the logs can read, too. */
const FilterPattern = z
  .string()
  .max(1024)
  .superRefine((text, context) => {
    try {
      filterPattern(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: `is not a filter pattern: ${(error as Error).message}` });
    }
  });

const MetricTransformation = z.strictObject({
  MetricName: z.string(),
  MetricNamespace: z.string(),
  /** A number, or the field of the event that has it: $.checked */
  MetricValue: z.string().regex(/^(\d+(\.\d+)?|\$(\.[\w-]+|\[\d+\])+)$/),
  DefaultValue: noEffect,
  Dimensions: noEffect,
  Unit: noEffect,
});

/** AWS::Logs::MetricFilter. The local runtime collects no metrics: it is checked and has no effect. */
export const metricFilterType: ResourceType = {
  properties: z.strictObject({
    FilterName: z.string().optional(),
    FilterPattern,
    LogGroupName: z.string(),
    MetricTransformations: z.array(MetricTransformation).length(1),
    ApplyOnTransformedLogs: noEffect,
  }),
  ref: declaration => nameOf(declaration, 'FilterName'),
};
