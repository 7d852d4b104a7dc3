/**
 * A state machine's definition in the Amazon States Language: the part of it that the local runtime interprets, as AWS
 * does. Everything else is rejected by name.
 */
import * as z from 'zod';
import { ChoiceRule, Expression, PayloadTemplate, ReferencePath, ResultPath } from './expressions.ts';

/** The service integration that invokes a function. The only other resource of a task is a function's ARN. */
export const LAMBDA_INVOKE = 'arn:aws:states:::lambda:invoke';

const common = { Comment: z.unknown().optional(), QueryLanguage: z.literal('JSONPath').optional() };
const filtered = {
  InputPath: ReferencePath.nullable().optional(),
  OutputPath: ReferencePath.nullable().optional(),
};
const transition = { Next: z.string().optional(), End: z.literal(true).optional() };
const errorEquals = { ErrorEquals: z.array(z.string()).min(1) };

const LambdaInvokeParameters = z.strictObject({
  FunctionName: z.string().optional(),
  'FunctionName.$': z.string().optional(),
  Payload: z.unknown().optional(),
  'Payload.$': z.string().optional(),
  InvocationType: z.literal('RequestResponse').optional(),
});

const Task = z
  .strictObject({
    ...common,
    ...filtered,
    ...transition,
    Type: z.literal('Task'),
    Resource: z
      .string()
      .regex(
        /^arn:aws:(states:::lambda:invoke|lambda:.*)$/,
        `only ${LAMBDA_INVOKE} and functions are supported`,
      ),
    Parameters: PayloadTemplate.optional(),
    ResultSelector: PayloadTemplate.optional(),
    ResultPath: ResultPath.optional(),
    TimeoutSeconds: z.int().positive().optional(),
    TimeoutSecondsPath: ReferencePath.optional(),
    Retry: z
      .array(
        z.strictObject({
          ...errorEquals,
          IntervalSeconds: z.int().positive().default(1),
          MaxAttempts: z.int().min(0).optional(),
          BackoffRate: z.number().min(1).optional(),
          MaxDelaySeconds: z.int().positive().optional(),
          JitterStrategy: z.enum(['NONE', 'FULL']).optional(),
          Comment: z.unknown().optional(),
        }),
      )
      .optional(),
    Catch: z
      .array(
        z.strictObject({
          ...errorEquals,
          Next: z.string(),
          ResultPath: ResultPath.optional(),
          Comment: z.unknown().optional(),
        }),
      )
      .optional(),
  })
  .superRefine(({ Resource, Parameters }, { addIssue }) => {
    if (Resource === LAMBDA_INVOKE) {
      for (const issue of LambdaInvokeParameters.safeParse(Parameters).error?.issues ?? []) {
        addIssue({ ...issue, path: ['Parameters', ...issue.path] });
      }
    }
  });

const Wait = z.strictObject({
  ...common,
  ...filtered,
  ...transition,
  Type: z.literal('Wait'),
  // No Timestamp: waits are scaled, which a moment cannot be.
  Seconds: z.int().min(0).optional(),
  SecondsPath: ReferencePath.optional(),
});

const Pass = z.strictObject({
  ...common,
  ...filtered,
  ...transition,
  Type: z.literal('Pass'),
  Parameters: PayloadTemplate.optional(),
  Result: z.unknown().optional(),
  ResultPath: ResultPath.optional(),
});

const Choice = z.strictObject({
  ...common,
  ...filtered,
  Type: z.literal('Choice'),
  Choices: z.array(ChoiceRule),
  Default: z.string().optional(),
});

const Succeed = z.strictObject({ ...common, ...filtered, Type: z.literal('Succeed') });

const Fail = z.strictObject({
  ...common,
  Type: z.literal('Fail'),
  Error: z.string().optional(),
  ErrorPath: Expression.optional(),
  Cause: z.string().optional(),
  CausePath: Expression.optional(),
});

const State = z.discriminatedUnion('Type', [Task, Choice, Wait, Pass, Succeed, Fail], {
  error: 'only Task, Choice, Wait, Pass, Succeed and Fail are supported',
});
export type State = z.output<typeof State>;
export type TaskState = z.output<typeof Task>;

export const Definition = z.strictObject({
  Comment: z.unknown().optional(),
  Version: z.literal('1.0').optional(),
  QueryLanguage: z.literal('JSONPath').optional(),
  StartAt: z.string(),
  States: z.record(z.string(), State),
  TimeoutSeconds: z.int().positive().optional(),
});
export type Definition = z.output<typeof Definition>;
