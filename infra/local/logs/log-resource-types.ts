import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { nameOf, noEffect, type ResourceType, shortId } from '../cloudformation/resource-type.ts';
import { filterPattern } from './filter-pattern.ts';

/** AWS::Logs::LogGroup. Log files are kept until their folder is deleted. */
const LogGroup = z.strictObject({
  LogGroupName: z.string().optional(),
  DataProtectionPolicy: noEffect,
  DeletionProtectionEnabled: noEffect,
  FieldIndexPolicies: noEffect,
  KmsKeyId: noEffect,
  LogGroupClass: noEffect,
  /** Shown by DescribeLogGroups; no event expires. */
  RetentionInDays: z.int().optional(),
  Tags: noEffect,
});

/** The ARN of a log group and its streams. */
export function logGroupArn(name: string): string {
  return regionalArn('logs', `log-group:${name}:*`);
}

export const logGroupType: ResourceType = {
  properties: LogGroup,
  ref: declaration => nameOf(declaration, 'LogGroupName'),
  attributes: {
    Arn: declaration => logGroupArn(nameOf(declaration, 'LogGroupName')),
  },
};

/** A pattern that the search of the logs can also read. */
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

/** AWS::Logs::MetricFilter. The local AWS collects no metrics: it is checked and has no effect. */
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

/** AWS::Logs::QueryDefinition. The local AWS has no console in which a saved query is used: it has no effect. */
const QueryDefinition = z.strictObject({
  Name: z.string().min(1).max(255),
  QueryString: z.string().min(1).max(10_000),
  LogGroupNames: z.array(z.string()).max(50).optional(),
});

export const queryDefinitionType: ResourceType = {
  properties: QueryDefinition,
  ref: declaration => shortId(declaration, 32),
};
