/**
 * A state machine's definition in the Amazon States Language: what of it runs on one machine as it does on AWS. What
 * the interpreter lacks, or does otherwise than AWS, is refused by name.
 */
import * as z from 'zod';
import { type Place, parseProperties, refusal } from '../cloudformation/refusal.ts';
import { checkPaths } from './paths.ts';
import { checkTransitions } from './transitions.ts';

/** The service integration that invokes a function. Its only other form here is the function's ARN. */
export const LAMBDA_INVOKE = 'arn:aws:states:::lambda:invoke';

const path = z.string().startsWith('$');
/** Where a result is put: $, or fields and indexes below it, such as $.certificate.arn. */
const resultPath = z
  .string()
  .regex(/^\$(\.[\w-]+(\.[\w-]+|\[\d+\])*)?$/, 'want a path such as $.certificate.arn')
  .nullable()
  .optional();

const common = { Comment: z.unknown().optional(), QueryLanguage: z.literal('JSONPath').optional() };
const filtered = { InputPath: path.nullable().optional(), OutputPath: path.nullable().optional() };
const transition = { Next: z.string().optional(), End: z.literal(true).optional() };
const errorEquals = { ErrorEquals: z.array(z.string()) };

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
      .regex(/^arn:aws:(states:::lambda:invoke|lambda:.*)$/, `only ${LAMBDA_INVOKE} and functions run`),
    Parameters: z.unknown().optional(),
    ResultSelector: z.unknown().optional(),
    ResultPath: resultPath,
    TimeoutSeconds: z.int().positive().optional(),
    TimeoutSecondsPath: path.optional(),
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
          ResultPath: resultPath,
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
  // No Timestamp: a moment cannot be scaled as a duration can.
  Seconds: z.int().min(0).optional(),
  SecondsPath: path.optional(),
});

const Pass = z.strictObject({
  ...common,
  ...filtered,
  ...transition,
  Type: z.literal('Pass'),
  Parameters: z.unknown().optional(),
  // The interpreter takes these for no result at all.
  Result: z
    .unknown()
    .refine(result => result === undefined || Boolean(result), 'null, false, 0 and "" do not work')
    .optional(),
  ResultPath: resultPath,
});

const Choice = z.strictObject({
  ...common,
  ...filtered,
  Type: z.literal('Choice'),
  Choices: z.array(z.record(z.string(), z.unknown())),
  Default: z.string().optional(),
});

const Succeed = z.strictObject({ ...common, ...filtered, Type: z.literal('Succeed') });

const Fail = z.strictObject({
  ...common,
  Type: z.literal('Fail'),
  Error: z.string().optional(),
  ErrorPath: path.optional(),
  Cause: z.string().optional(),
  CausePath: path.optional(),
});

const State = z.discriminatedUnion('Type', [Task, Choice, Wait, Pass, Succeed, Fail], {
  error: 'only Task, Choice, Wait, Pass, Succeed and Fail run',
});
export type State = z.output<typeof State>;
export type TaskState = z.output<typeof Task>;

const Definition = z.strictObject({
  Comment: z.unknown().optional(),
  Version: z.literal('1.0').optional(),
  QueryLanguage: z.literal('JSONPath').optional(),
  StartAt: z.string(),
  States: z.record(z.string(), State),
  TimeoutSeconds: z.int().positive().optional(),
});
export type Definition = z.output<typeof Definition>;

/** Reads a definition; one that is broken, or that would not run as on AWS, is refused in one line. */
export function readDefinition(text: string, place: Place): Definition {
  const json = parsed(text, place);
  if (usesJsonata(json)) {
    throw refusal(
      place,
      'the definition is in JSONata, which the local runtime does not support: use JSONPath',
    );
  }
  const definition = parseProperties(Definition, json, place);
  checkPaths(definition, what => {
    throw refusal(place, what);
  });
  checkTransitions(definition, what => {
    throw refusal(place, `the definition is not valid: ${what}`);
  });
  return definition;
}

function parsed(text: string, place: Place): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(place, `the definition is not JSON: ${(error as Error).message}`);
  }
}

function usesJsonata(json: unknown): boolean {
  const inside = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  return inside.some(
    ([key, value]) => (key === 'QueryLanguage' && value === 'JSONata') || usesJsonata(value),
  );
}
