/** The schemas of the expressions that the local runtime evaluates. All others are rejected. */
import * as z from 'zod';
import { parseProperties, type ResourceLocation, refusal } from '../cloudformation/refusal.ts';
import { isOperatorFor, operatorOf } from './choice-rules.ts';
import { isIntrinsicFunction, isResultPath, pathFault, unsupportedIntrinsic } from './expressions.ts';

export const ReferencePath = z.string().superRefine((path, { addIssue }) => {
  const fault = pathFault(path);
  if (fault !== undefined) addIssue({ code: 'custom', message: fault });
});

export const ResultPath = z
  .string()
  .refine(isResultPath, 'only fields below $ such as $.certificate.arn are supported')
  .nullable();

/** A reference path, or the call of an intrinsic function. */
export const Expression = z.string().superRefine((expression, { addIssue }) => {
  const fault = expressionFault(expression);
  if (fault !== undefined) addIssue({ code: 'custom', message: fault });
});

/** Parameters and ResultSelector: an object in which the fields whose names end with .$ are expressions. */
export const PayloadTemplate = z.record(z.string(), z.unknown()).superRefine((template, { addIssue }) => {
  for (const { path, fault } of templateFaults(template, [])) {
    addIssue({ code: 'custom', path, message: fault });
  }
});

type ChoiceRule = z.output<typeof ChoiceRule>;
export const ChoiceRule = z.record(z.string(), z.unknown()).superRefine((rule, { addIssue }) => {
  const fault = ruleFault(rule);
  if (fault !== undefined) addIssue({ code: 'custom', message: fault });
});

function expressionFault(expression: string): string | undefined {
  return isIntrinsicFunction(expression) ? unsupportedIntrinsic(expression) : pathFault(expression);
}

interface TemplateFault {
  readonly path: string[];
  readonly fault: string;
}

function templateFaults(template: unknown, path: readonly string[]): TemplateFault[] {
  if (typeof template !== 'object' || template === null) return [];
  return Object.entries(template).flatMap(([key, value]) => {
    const inner = [...path, key];
    if (Array.isArray(template) || !key.endsWith('.$')) return templateFaults(value, inner);
    const fault = typeof value === 'string' ? expressionFault(value) : 'it is not a string';
    return fault === undefined ? [] : [{ path: inner, fault }];
  });
}

function ruleFault(rule: unknown): string | undefined {
  if (typeof rule !== 'object' || rule === null) return 'a rule must be an object';
  const { And, Or, Not, Variable } = rule as ChoiceRule;
  const inner = And ?? Or ?? (Not === undefined ? undefined : [Not]);
  if (Array.isArray(inner)) {
    return inner.length === 0 ? 'And and Or need rules' : inner.map(ruleFault).find(fault => fault);
  }
  if (typeof Variable !== 'string') return 'a rule needs a Variable';
  const [operator, operand] = operatorOf(rule as ChoiceRule);
  if (!isOperatorFor(operator, operand)) {
    return `a rule needs one operator with an operand of its type, in ${JSON.stringify(rule)}`;
  }
  return pathFault(Variable) ?? (operator.endsWith('Path') ? pathFault(String(operand)) : undefined);
}

/**
 * A state machine's definition in the Amazon States Language: the part of it that the local runtime interprets, as AWS
 * does. Everything else is rejected by name.
 */
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

/** Reads a definition. One that AWS or the local runtime does not accept is rejected in one line. */
export function readDefinition(text: string, location: ResourceLocation): Definition {
  const json = parsed(text, location);
  if (usesJsonata(json)) {
    throw refusal(
      location,
      'the definition is in JSONata, which the local runtime does not support: use JSONPath',
    );
  }
  const definition = parseProperties(Definition, json, location);
  checkTransitions(definition, what => {
    throw refusal(location, `the definition is not valid: ${what}`);
  });
  return definition;
}

function parsed(text: string, location: ResourceLocation): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(location, `the definition is not JSON: ${(error as Error).message}`);
  }
}

function usesJsonata(json: unknown): boolean {
  const inside = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  return inside.some(
    ([key, value]) => (key === 'QueryLanguage' && value === 'JSONata') || usesJsonata(value),
  );
}

/** How the states of a definition lead to one another. */
type Refuse = (what: string) => never;

/** Rejects a definition with a transition to a state that does not exist, or with a state that cannot be reached. */
export function checkTransitions({ StartAt, States }: Definition, refuse: Refuse): void {
  const requireState = (name: string, from: string) => {
    if (!Object.hasOwn(States, name)) refuse(`${from} leads to ${name}, which is not a state`);
  };
  requireState(StartAt, 'StartAt');
  for (const [name, state] of Object.entries(States)) {
    for (const target of targetsOf(state)) requireState(target, name);
    const fault = faultOf(state);
    if (fault) refuse(`${name} ${fault}`);
  }
  const reached = new Set([StartAt]);
  for (const name of reached) {
    for (const target of targetsOf(States[name] as State)) reached.add(target);
  }
  const unreached = Object.keys(States).find(name => !reached.has(name));
  if (unreached !== undefined) refuse(`nothing leads to ${unreached}`);
  if (!Object.values(States).some(isTerminal)) refuse('it has no end');
}

function targetsOf(state: State): string[] {
  const chosen = 'Choices' in state ? state.Choices.map(({ Next }) => String(Next)) : [];
  const fallback = 'Default' in state && state.Default !== undefined ? [state.Default] : [];
  const next = 'Next' in state && state.Next !== undefined ? [state.Next] : [];
  const caught = 'Catch' in state ? (state.Catch ?? []).map(({ Next }) => Next) : [];
  return [...chosen, ...fallback, ...next, ...caught];
}

function isTerminal(state: State): boolean {
  return state.Type === 'Succeed' || state.Type === 'Fail' || ('End' in state && state.End === true);
}

/** Why AWS rejects a state, apart from where it leads. */
function faultOf(state: State): string | undefined {
  if (state.Type === 'Choice' && state.Choices.length === 0) return 'has no choices';
  if ('End' in state && state.End !== undefined && state.Next !== undefined) return 'has Next and End';
  const isLinear = state.Type === 'Task' || state.Type === 'Pass' || state.Type === 'Wait';
  if (isLinear && state.End === undefined && state.Next === undefined) return 'has neither Next nor End';
  if (state.Type === 'Wait' && (state.Seconds === undefined) === (state.SecondsPath === undefined)) {
    return 'needs either Seconds or SecondsPath';
  }
  if (state.Type === 'Task' && state.TimeoutSeconds !== undefined && state.TimeoutSecondsPath !== undefined) {
    return 'has TimeoutSeconds and TimeoutSecondsPath';
  }
  if (state.Type === 'Task') return errorEqualsFault(state.Retry) ?? errorEqualsFault(state.Catch);
  if (state.Type !== 'Fail') return undefined;
  if (state.Error !== undefined && state.ErrorPath !== undefined) return 'has Error and ErrorPath';
  return state.Cause !== undefined && state.CausePath !== undefined ? 'has Cause and CausePath' : undefined;
}

function errorEqualsFault(handlers: readonly { ErrorEquals: string[] }[] = []): string | undefined {
  const index = handlers.findIndex(({ ErrorEquals }) => ErrorEquals.includes('States.ALL'));
  if (index === -1) return undefined;
  if (handlers[index]?.ErrorEquals.length !== 1) return 'has States.ALL together with other errors';
  return index === handlers.length - 1 ? undefined : 'has States.ALL before other errors';
}
