/** Runs executions of state machines. The caller provides the clock and runs the tasks. */
import {
  type AwsSdkCall,
  callOf,
  type Definition,
  formatOf,
  LONGEST_WAIT_SECONDS,
  type State,
  type StateOf,
  type Template,
  WaitSeconds,
} from './definition.ts';
import { jsonWithinLimit, runtimeError, StateError } from './state-error.ts';

interface ExecutionOptions {
  readonly definition: Definition;
  /** JSON text. */
  readonly input: string;
  readonly clock: Clock;
  /** Receives the types of the execution's events: ExecutionStarted, TaskStateEntered, … */
  readonly history: string[];
  /** Ends the execution at once, without an outcome. */
  readonly signal: AbortSignal;
  /** Invokes the function of a task and returns its result. Retry and Catch match the name of the error that it throws. */
  runTask(attempt: TaskAttempt): Promise<unknown>;
  /** Runs a task that calls AWS without a function; absent if no state of the definition does. */
  callAws?(call: AwsSdkCall, parameters: unknown): Promise<unknown>;
}

/** The time of an execution. */
export interface Clock {
  /** Waits as a Wait state or before a retry. Returns early when the signal is aborted. */
  sleep(seconds: number, signal: AbortSignal): Promise<void>;
}

/** One attempt to run a task. */
export interface TaskAttempt {
  readonly state: string;
  /** Of the integration lambda:invoke. */
  readonly parameters: { readonly FunctionName: string; readonly Payload: unknown };
}

interface Outcome {
  readonly status: 'SUCCEEDED' | 'FAILED';
  /** JSON text. */
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

/** Where a state leads: to the next state with its output, or to the end of the execution. */
type Transition = { readonly next: string | undefined; readonly output: unknown } | { readonly end: Outcome };

/** AWS's limit for the events of an execution. The last one is the one that ends it. */
const MAX_EVENTS = 25_000;

function record(type: string, history: string[]): void {
  if (history.length >= MAX_EVENTS - 1) {
    throw runtimeError(`The execution reached the maximum number of history events (${MAX_EVENTS}).`);
  }
  history.push(type);
}

/** Runs an execution to its end; undefined when the signal ended it. */
export async function runExecution(options: ExecutionOptions): Promise<Outcome | undefined> {
  const { history, signal } = options;
  history.push('ExecutionStarted');
  const outcome = await runStates(options).catch(({ name, message }: Error): Outcome | undefined =>
    signal.aborted
      ? undefined
      : { status: 'FAILED', ...(name && { error: name }), ...(message && { cause: message }) },
  );
  if (outcome) history.push(outcome.status === 'SUCCEEDED' ? 'ExecutionSucceeded' : 'ExecutionFailed');
  return outcome;
}

async function runStates(options: ExecutionOptions): Promise<Outcome> {
  const { definition, history, signal } = options;
  let name = definition.StartAt;
  let input = JSON.parse(options.input) as unknown;
  for (;;) {
    signal.throwIfAborted();
    const state = definition.States[name] as State;
    record(`${state.Type}StateEntered`, history);
    const enteredId = history.length;
    try {
      const transition = await visit(name, state, input, options);
      if ('end' in transition) return transition.end;
      const output = jsonWithinLimit(transition.output, `The output of the state '${name}'`);
      record(`${state.Type}StateExited`, history);
      if (transition.next === undefined) return { status: 'SUCCEEDED', output };
      name = transition.next;
      input = transition.output;
    } catch (error) {
      throw located(error as Error, name, enteredId);
    }
  }
}

function located(error: Error, state: string, enteredId: number): Error {
  const where = `An error occurred while executing the state '${state}' (entered at the event id #${enteredId}).`;
  return error.name === 'States.Runtime' ? runtimeError(`${where} ${error.message}`) : error;
}

async function visit(
  name: string,
  state: State,
  input: unknown,
  options: ExecutionOptions,
): Promise<Transition> {
  switch (state.Type) {
    case 'Task':
      return runTaskState(name, state, input, options);
    case 'Choice':
      return { next: chosen(state, input), output: input };
    case 'Wait':
      await sleep(secondsOf(state, input), options);
      return { next: state.Next, output: input };
    case 'Succeed':
      return { next: undefined, output: input };
    case 'Fail': {
      const { Error: error, Cause: cause } = state;
      return {
        end: {
          status: 'FAILED',
          ...(error !== undefined && { error }),
          ...(cause !== undefined && { cause }),
        },
      };
    }
    default:
      return state satisfies never;
  }
}

function chosen({ Choices, Default }: StateOf<'Choice'>, input: unknown): string {
  const matching = Choices.find(choice => {
    const value = findValue(choice.Variable, input);
    if (value !== undefined) return value === choice.StringEquals;
    throw runtimeError(
      `Invalid path '${choice.Variable}': The choice state's condition path references an invalid value.`,
    );
  });
  const next = matching?.Next ?? Default;
  if (next !== undefined) return next;
  throw new StateError('States.NoChoiceMatched', 'No choice rule matched, and there is no Default');
}

function secondsOf({ SecondsPath }: StateOf<'Wait'>, input: unknown): number {
  const seconds = requireValue(SecondsPath, 'SecondsPath', input);
  const { data, success } = WaitSeconds.safeParse(seconds);
  if (success) return data;
  throw runtimeError(
    `The SecondsPath parameter ${SecondsPath} does not reference an integer from 0 to ${LONGEST_WAIT_SECONDS}: ${JSON.stringify(seconds)}`,
  );
}

/** Runs a task until it succeeds, or until its error is not retried any more: then the error is caught or thrown. */
async function runTaskState(
  name: string,
  state: StateOf<'Task'>,
  input: unknown,
  options: ExecutionOptions,
): Promise<Transition> {
  const nextDelaySeconds = retries(state.Retry);
  for (;;) {
    try {
      const output = await attempt(name, state, input, options);
      jsonWithinLimit(output, `The output of the state '${name}'`);
      return { next: state.Next, output };
    } catch (error) {
      options.signal.throwIfAborted();
      const { name: errorName, message } = error as Error;
      const delaySeconds = nextDelaySeconds(errorName);
      if (delaySeconds === undefined) {
        const catcher = state.Catch.find(({ ErrorEquals }) => isNamed(errorName, ErrorEquals));
        if (catcher === undefined) throw error;
        const caught = { Error: errorName, Cause: message };
        return { next: catcher.Next, output: withResult(catcher.ResultPath, input, caught) };
      }
      await sleep(delaySeconds, options);
    }
  }
}

/** Runs the task of a state once and returns the output of the state. */
async function attempt(
  name: string,
  state: StateOf<'Task'>,
  input: unknown,
  { history, runTask, callAws, signal }: ExecutionOptions,
): Promise<unknown> {
  const run = async <Parameters>(parameters: Parameters, task: (given: Parameters) => Promise<unknown>) => {
    jsonWithinLimit(parameters, `The input of the state '${name}'`);
    record('TaskScheduled', history);
    record('TaskStarted', history);
    try {
      const result = await untilAborted(task(parameters), signal);
      jsonWithinLimit(result, `The result of the state '${name}'`);
      record('TaskSucceeded', history);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      record('TaskFailed', history);
      throw error;
    }
  };
  if ('OutputPath' in state) {
    const { FunctionName, 'Payload.$': payloadPath } = state.Parameters;
    const Payload = requireValue(payloadPath, 'Payload.$', input);
    const result = await run({ FunctionName, Payload }, parameters => runTask({ state: name, parameters }));
    return requireValue(state.OutputPath, 'OutputPath', result);
  }
  const call = callOf(state);
  return run(filled(state.Parameters, input), async parameters => {
    if (callAws === undefined) throw runtimeError(`Nothing makes the call ${call}`);
    return callAws(call, parameters);
  });
}

/** A template with the values at its paths. */
function filled(template: Template, data: unknown): unknown {
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) =>
      name.endsWith('.$')
        ? [name.slice(0, -2), evaluated(String(value), `Parameters.${name}`, data)]
        : [name, value],
    ),
  );
}

/** The value of a path, or the text of a States.Format. */
function evaluated(expression: string, field: string, data: unknown): unknown {
  const format = formatOf(expression);
  if (format === undefined) return requireValue(expression, field, data);
  const values = format.paths.map(path => formatted(requireValue(path, field, data)));
  const [start = '', ...parts] = format.text.split('{}');
  return start + parts.map((part, index) => `${values[index]}${part}`).join('');
}

/** As States.Format writes a value: an object is {a=1, b=2}. */
function formatted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatted).join(', ')}]`;
  if (!isObject(value)) return String(value);
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}=${formatted(inner)}`)
    .join(', ')}}`;
}

/** The errors that States.TaskFailed doesn't stand for. */
const NO_TASK_FAILURES = ['States.Runtime', 'States.DataLimitExceeded', 'States.Timeout'];

/** Whether an error is one of those that a retrier or catcher names. */
function isNamed(error: string, errorEquals: readonly string[]): boolean {
  if (errorEquals.includes(error)) return true;
  return errorEquals.includes('States.TaskFailed') && !NO_TASK_FAILURES.includes(error);
}

/** Returns the seconds until the next retry of an error; undefined when it is not retried (any more). */
function retries(retriers: StateOf<'Task'>['Retry']): (error: string) => number | undefined {
  // Each retrier counts its own attempts.
  const attemptsBy = new Map<object, number>();
  return error => {
    const retrier = retriers.find(({ ErrorEquals }) => isNamed(error, ErrorEquals));
    if (retrier === undefined) return undefined;
    const { IntervalSeconds, MaxAttempts, BackoffRate, MaxDelaySeconds } = retrier;
    const attempts = attemptsBy.get(retrier) ?? 0;
    if (attempts >= MaxAttempts) return undefined;
    attemptsBy.set(retrier, attempts + 1);
    return Math.min(IntervalSeconds * BackoffRate ** attempts, MaxDelaySeconds);
  };
}

async function sleep(seconds: number, { clock, signal }: ExecutionOptions): Promise<void> {
  await untilAborted(clock.sleep(seconds, signal), signal);
}

/** Settles as the promise does, or rejects as soon as the signal is aborted. A task is not stopped by it, as on AWS. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const value = await Promise.race([aborted, promise]);
    // A sleep also ends by the signal, and may have ended first.
    signal.throwIfAborted();
    return value;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The value at a path; undefined when there is none. */
function findValue(path: string, data: unknown): unknown {
  return fieldsOf(path).reduce<unknown>((value, field) => {
    return hasField(value, field) ? value[field] : undefined;
  }, data);
}

/** The value at a path; a path without one fails the execution. The definition has the path in this field. */
function requireValue(path: string, field: string, data: unknown): unknown {
  if (data === null) throw runtimeError('Unable to apply Path transformation to null or empty input.');
  const value = findValue(path, data);
  if (value !== undefined) return value;
  throw runtimeError(
    `The JSONPath '${path}' specified for the field '${field}' could not be found in the input '${JSON.stringify(data)}'`,
  );
}

/** ResultPath: puts a result into the input. */
function withResult(path: string, input: unknown, result: unknown): unknown {
  const put = (target: unknown, [field, ...rest]: readonly string[]): unknown => {
    if (field === undefined) return result;
    if (target !== undefined && !isObject(target)) {
      throw new StateError(
        'States.ResultPathMatchFailure',
        `Unable to apply ReferencePath ${path} to input ${JSON.stringify(target)}`,
      );
    }
    return { ...target, [field]: put(hasField(target, field) ? target[field] : undefined, rest) };
  };
  return put(input, fieldsOf(path));
}

/** $.a['b-c'] has the fields a and b-c. */
function fieldsOf(path: string): string[] {
  return path.match(/[\w-]+/g) ?? [];
}

function hasField(value: unknown, field: string): value is Readonly<Record<string, unknown>> {
  return isObject(value) && Object.hasOwn(value, field);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
