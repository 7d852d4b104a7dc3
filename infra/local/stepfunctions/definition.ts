/**
 * A state machine's definition in the Amazon States Language: the part of it that the stacks use, as AWS interprets it.
 * Everything else is refused by name: further types of states, comparisons, errors and paths, waits of a fixed length,
 * intrinsic functions but States.Format, the context object ($$), time-outs, JSONata.
 */
import * as z from 'zod';
import { parseProperties, type ResourceLocation, refusal } from '../cloudformation/resource-type.ts';

/** $ is the whole data of a state, $.certificate.arn a field of it. */
const Path = z
  .string()
  .regex(/^\$(\.[\w-]+|\['[\w-]+'\])*$/, "only $ and paths of fields such as $.a['b-c'] are supported");

/** Within an intrinsic function AWS reads $.detail-type as $.detail: a name with a hyphen needs brackets. */
const ARGUMENT = /^\$(\.\w+|\['[\w-]+'\])*$/;

/** Where a result is put. */
const FieldPath = z
  .string()
  .regex(/^\$(\.[\w-]+)*$/, 'only $ and paths of fields such as $.a.b are supported');

/** An argument is a path; the text has a {} for each, and no escapes. */
const FORMAT = /^States\.Format\('((?:[^'\\{}]|\{\})*)'((?:, \$[^ ,()]*)*)\)$/;

/** The text and the paths of States.Format; undefined for anything else. */
export function formatOf(expression: string): { text: string; paths: string[] } | undefined {
  const [, text, args = ''] = FORMAT.exec(expression) ?? [];
  if (text === undefined) return undefined;
  const paths = args.split(', ').slice(1);
  const isComplete = text.split('{}').length - 1 === paths.length;
  return isComplete && paths.every(path => ARGUMENT.test(path)) ? { text, paths } : undefined;
}

/** Values by name, of which those whose names end with .$ are paths, or texts with the values at paths. */
const Template = z.record(z.string(), z.unknown()).superRefine((values, context) => {
  for (const [name, value] of Object.entries(values)) {
    if (JSON.stringify(value).includes('.$":')) {
      context.addIssue({ code: 'custom', path: [name], message: 'only paths at the top are supported' });
    } else if (name.endsWith('.$') && !Path.safeParse(value).success && !formatOf(String(value))) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message:
          "only $, paths such as $.a.b and States.Format('… {}', $.a, $['b-c']) with a path for each {} are supported",
      });
    }
  }
});
export type Template = z.output<typeof Template>;

const transition = { Next: z.string().optional(), End: z.literal(true).optional() };

/** Errors of tasks, and of those that AWS names the two that are told apart here. */
const ErrorName = z
  .string()
  .regex(
    /^(?!States\.)|^States\.(TaskFailed|Timeout)$/,
    'of the errors of Step Functions only States.TaskFailed and States.Timeout are supported',
  );
const errorEquals = { ErrorEquals: z.array(ErrorName).min(1) };

const task = {
  ...transition,
  Type: z.literal('Task'),
  // With AWS's defaults.
  Retry: z
    .array(
      z.strictObject({
        ...errorEquals,
        IntervalSeconds: z.int().positive().default(1),
        MaxAttempts: z.int().min(0).default(3),
        BackoffRate: z.number().min(1).default(2),
        MaxDelaySeconds: z.int().positive().default(Number.POSITIVE_INFINITY),
      }),
    )
    .default([]),
  Catch: z
    .array(z.strictObject({ ...errorEquals, Next: z.string(), ResultPath: FieldPath.default('$') }))
    .default([]),
};

const LambdaTask = z.strictObject({
  ...task,
  Resource: z.literal('arn:aws:states:::lambda:invoke'),
  Parameters: z.strictObject({ FunctionName: z.string(), 'Payload.$': Path }),
  OutputPath: Path.default('$'),
});

/** The calls of AWS that a task can make without a function: service and operation, as aws-sdk-task.ts makes them. */
const AWS_SDK_CALLS = ['sns:publish'] as const;
export type AwsSdkCall = (typeof AWS_SDK_CALLS)[number];

const AWS_SDK = 'arn:aws:states:::aws-sdk:';

const AwsSdkTask = z.strictObject({
  ...task,
  Resource: z.literal(AWS_SDK_CALLS.map(call => `${AWS_SDK}${call}` as const)),
  Parameters: Template,
});

/** The call of a task. */
export function callOf({ Resource }: z.output<typeof AwsSdkTask>): AwsSdkCall {
  return Resource.slice(AWS_SDK.length) as AwsSdkCall;
}

const Task = z.discriminatedUnion('Resource', [LambdaTask, AwsSdkTask], {
  error: `only arn:aws:states:::lambda:invoke and ${AWS_SDK}… ${AWS_SDK_CALLS.join(', ')} are supported`,
});

const Choice = z.strictObject({
  Type: z.literal('Choice'),
  Choices: z
    .array(
      z.strictObject({
        Variable: Path,
        StringEquals: z.string('only the comparison StringEquals is supported'),
        Next: z.string(),
      }),
    )
    .min(1, 'there are no choices'),
  Default: z.string().optional(),
});

/** 24,855 days. */
export const LONGEST_WAIT_SECONDS = 24_855 * 86_400;
export const WaitSeconds = z.int().min(0).max(LONGEST_WAIT_SECONDS);

const Wait = z.strictObject({
  ...transition,
  Type: z.literal('Wait'),
  SecondsPath: Path,
});

const Succeed = z.strictObject({ Type: z.literal('Succeed') });

const Fail = z.strictObject({
  Type: z.literal('Fail'),
  Error: z.string().optional(),
  Cause: z.string().optional(),
});

const State = z.discriminatedUnion('Type', [Task, Choice, Wait, Succeed, Fail], {
  error: 'only Task, Choice, Wait, Succeed and Fail are supported',
});

export type State = z.output<typeof State>;
export type StateOf<Type extends State['Type']> = Extract<State, { Type: Type }>;

const Definition = z.strictObject({
  StartAt: z.string(),
  States: z.record(z.string(), State),
});
export type Definition = z.output<typeof Definition>;

/** Reads a definition. One that AWS or the local AWS does not accept is refused in one line. */
export function readDefinition(text: string, location: ResourceLocation): Definition {
  const definition = parseProperties(Definition, parsed(text, location), location);
  const fault = transitionFault(definition);
  if (fault !== undefined) throw refusal(location, `the definition is not valid: ${fault}`);
  return definition;
}

function parsed(text: string, location: ResourceLocation): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(location, `the definition is not JSON: ${(error as Error).message}`);
  }
}

/** Why AWS rejects the states of a definition, or how they lead to one another. */
function transitionFault({ StartAt, States }: Definition): string | undefined {
  const exits: [from: string, target: string][] = [['StartAt', StartAt]];
  for (const [name, state] of Object.entries(States)) {
    const fault = faultOf(state);
    if (fault !== undefined) return `${name} ${fault}`;
    exits.push(...targetsOf(state).map((target): [string, string] => [name, target]));
  }
  const broken = exits.find(([, target]) => !Object.hasOwn(States, target));
  if (broken) return `${broken[0]} leads to ${broken[1]}, which is not a state`;
  const reached = new Set([StartAt]);
  for (const name of reached) {
    for (const target of targetsOf(States[name] as State)) reached.add(target);
  }
  const unreached = Object.keys(States).find(name => !reached.has(name));
  if (unreached !== undefined) return `nothing leads to ${unreached}`;
  return Object.values(States).some(isTerminal) ? undefined : 'it has no end';
}

function targetsOf(state: State): string[] {
  switch (state.Type) {
    case 'Task':
      return [...present(state.Next), ...state.Catch.map(({ Next }) => Next)];
    case 'Choice':
      return [...state.Choices.map(({ Next }) => Next), ...present(state.Default)];
    case 'Wait':
      return present(state.Next);
    case 'Succeed':
    case 'Fail':
      return [];
    default:
      return state satisfies never;
  }
}

const present = (target: string | undefined) => (target === undefined ? [] : [target]);

function isTerminal(state: State): boolean {
  return state.Type === 'Succeed' || state.Type === 'Fail' || ('End' in state && state.End === true);
}

/** Why AWS rejects a state, apart from where it leads. */
function faultOf(state: State): string | undefined {
  if (state.Type !== 'Task' && state.Type !== 'Wait') return undefined;
  if (state.End !== undefined && state.Next !== undefined) return 'has Next and End';
  return state.End === undefined && state.Next === undefined ? 'has neither Next nor End' : undefined;
}
