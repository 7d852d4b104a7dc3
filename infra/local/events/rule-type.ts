import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { nameOf, noEffect, type ResourceType } from '../cloudformation/resource-type.ts';
import { EventPattern } from './event-pattern.ts';
import { RATE } from './rate.ts';

/** AWS::Events::Rule, of the default event bus. */
export const Rule = z
  .strictObject({
    Name: z.string().optional(),
    Description: noEffect,
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    EventPattern: EventPattern.optional(),
    ScheduleExpression: z
      .string()
      .regex(RATE, 'only rate(…) is supported, such as rate(5 minutes)')
      .optional(),
    Targets: z
      .array(
        z.strictObject({
          Id: z.string(),
          Arn: z.string(),
          Input: z.string().optional(),
          // The function that a target names exists, so no event is undeliverable.
          DeadLetterConfig: z.strictObject({ Arn: z.string() }).optional(),
        }),
      )
      .default([]),
  })
  .refine(
    rule => rule.EventPattern !== undefined || rule.ScheduleExpression !== undefined,
    'want EventPattern or ScheduleExpression',
  );

export const ruleType: ResourceType = {
  properties: Rule,
  ref: declaration => nameOf(declaration, 'Name'),
  attributes: { Arn: declaration => regionalArn('events', `rule/${nameOf(declaration, 'Name')}`) },
};
