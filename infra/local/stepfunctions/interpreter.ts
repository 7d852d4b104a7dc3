import { wait } from '../host/wait.ts';
import { matchesRule } from './choice-rules.ts';
import type { Definition, State, TaskState } from './definition.ts';
import {
  evaluateExpression,
  fillTemplate,
  filter,
  requireValue,
  type Scope,
  withResult,
} from './expressions.ts';
import type { History } from './history.ts';
import { isNamed, Retries } from './retry.ts';
import { Interrupted, interruptible, jsonWithinLimit, runtimeError, StateError } from './state-error.ts';

/** The time of an execution. Both ways of waiting return early when the signal is aborted. */
export interface Clock {
  nowMs(): number;
  /** Waits as a Wait state, before a retry, or until the deadline of an execution. */
  sleep(seconds: number, signal: AbortSignal): Promise<void>;
  /** Waits for the time-out of a task, which is never scaled: a function runs no faster than it does. */
  taskTimeout(seconds: number, signal: AbortSignal): Promise<void>;
}

/** Real time, in which every sleep takes the given fraction of its seconds. */
export function realClock(waitScale: number): Clock {
  return {
    nowMs: Date.now,
    sleep: (seconds, signal) => wait(seconds * 1000 * waitScale, signal),
    taskTimeout: (seconds, signal) => wait(seconds * 1000, signal),
  };
}

/** What the context object tells about an execution. */
export interface ExecutionIdentity {
  readonly arn: string;
  readonly name: string;
  readonly roleArn: string;
  readonly startMs: number;
  /** JSON text. */
  readonly input: string;
  readonly stateMachineArn: string;
  readonly stateMachineName: string;
}

/** The context object, which definitions read as $$. It has no Task and no Map, which readDefinition rejects. */
export interface ContextObject extends ReturnType<typeof executionContext> {
  readonly State: { readonly EnteredTime: string; readonly Name: string; readonly RetryCount: number };
}

/** The part of the context object that is the same in all states. */
export function executionContext(execution: ExecutionIdentity, input: unknown) {
  return {
    Execution: {
      Id: execution.arn,
      Input: input,
      Name: execution.name,
      RoleArn: execution.roleArn,
      StartTime: new Date(execution.startMs).toISOString(),
      RedriveCount: 0,
    },
    StateMachine: { Id: execution.stateMachineArn, Name: execution.stateMachineName },
  };
}

/**
 * Runs executions of state machines: the part of the Amazon States Language that readDefinition accepts. The caller
 * gives the time and the tasks, and records the start and the end of the execution in its history.
 */
export interface Outcome {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT';
  /** JSON text. */
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

export interface ExecutionOptions {
  readonly definition: Definition;
  readonly execution: ExecutionIdentity;
  readonly clock: Clock;
  readonly history: History;
  /** Ends the execution at once, without an outcome. */
  readonly signal: AbortSignal;
  readonly runTask: RunTask;
  /** Between 0 and 1, for the jitter of retries. */
  readonly random?: () => number;
}

/** Where a state leads: to the next state with its output, or to the end of the execution. */
type Transition = { readonly next: string | undefined; readonly output: unknown } | { readonly end: Outcome };

type StateOf<Type extends State['Type']> = Extract<State, { Type: Type }>;

/** Runs an execution to its end; undefined when the signal ended it. */
export async function runExecution(options: ExecutionOptions): Promise<Outcome | undefined> {
  const { definition, clock, signal } = options;
  const ending = new AbortController();
  const end = () => ending.abort();
  let isTimedOut = false;
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  if (definition.TimeoutSeconds !== undefined) {
    void clock.sleep(definition.TimeoutSeconds, ending.signal).then(() => {
      isTimedOut = !ending.signal.aborted;
      end();
    });
  }
  try {
    return await runStates(options, ending.signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    if (isTimedOut) return { status: 'TIMED_OUT' };
    const { name, message } = error as Error;
    return { status: 'FAILED', error: name, cause: message };
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

async function runStates(options: ExecutionOptions, ended: AbortSignal): Promise<Outcome> {
  const { definition, execution, clock, history } = options;
  let name = definition.StartAt;
  let input = JSON.parse(execution.input) as unknown;
  const constant = executionContext(execution, input);
  for (;;) {
    if (ended.aborted) throw new Interrupted();
    const state = definition.States[name] as State;
    const enteredId = history.entered(state.Type, name, JSON.stringify(input));
    const EnteredTime = new Date(clock.nowMs()).toISOString();
    const context = { ...constant, State: { EnteredTime, Name: name, RetryCount: 0 } };
    try {
      const transition = await visit(state, { input, context }, options, ended);
      if ('end' in transition) return transition.end;
      const output = jsonWithinLimit(transition.output, `The output of the state '${name}'`);
      history.exited(state.Type, name, output);
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
  state: State,
  raw: { readonly input: unknown; readonly context: ContextObject },
  options: ExecutionOptions,
  ended: AbortSignal,
): Promise<Transition> {
  const { clock, history, runTask, random = Math.random } = options;
  const { input, context } = raw;
  if (state.Type === 'Fail') return { end: failure(state, raw) };
  if (state.Type === 'Task') return runTaskState(state, raw, { clock, history, runTask, random, ended });
  const scope = { input: filter(state.InputPath, 'InputPath', raw), context };
  if (state.Type === 'Pass') {
    const parameters = fillTemplate(state.Parameters, scope);
    const result = state.Result === undefined ? parameters : state.Result;
    const output = withResult(state.ResultPath, input, result);
    return { next: state.Next, output: filter(state.OutputPath, 'OutputPath', { input: output, context }) };
  }
  if (state.Type === 'Wait') await interruptible(clock.sleep(secondsOf(state, scope), ended), ended);
  return { next: nextOf(state, scope), output: filter(state.OutputPath, 'OutputPath', scope) };
}

function nextOf(state: StateOf<'Choice'> | StateOf<'Wait'> | StateOf<'Succeed'>, scope: Scope) {
  if (state.Type === 'Succeed') return undefined;
  if (state.Type === 'Wait') return state.Next;
  const matching = state.Choices.find(rule => matchesRule(rule, scope));
  const next = (matching?.Next as string | undefined) ?? state.Default;
  if (next === undefined) {
    throw new StateError('States.NoChoiceMatched', 'No choice rule matched, and there is no Default');
  }
  return next;
}

function secondsOf({ Seconds, SecondsPath }: StateOf<'Wait'>, scope: Scope): number {
  const seconds = SecondsPath === undefined ? Seconds : requireValue(SecondsPath, 'SecondsPath', scope);
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0) {
    throw runtimeError(
      `The SecondsPath parameter ${SecondsPath} does not reference an integer of 0 or more: ${JSON.stringify(seconds)}`,
    );
  }
  return seconds;
}

function failure({ Error: error, ErrorPath, Cause, CausePath }: StateOf<'Fail'>, scope: Scope): Outcome {
  const text = (constant: string | undefined, path: string | undefined, field: string) => {
    if (path === undefined) return constant;
    const value = evaluateExpression(path, field, scope);
    if (typeof value !== 'string') {
      throw runtimeError(
        `The ${field} parameter ${path} does not reference a string: ${JSON.stringify(value)}`,
      );
    }
    return value;
  };
  const errorText = text(error, ErrorPath, 'ErrorPath');
  const causeText = text(Cause, CausePath, 'CausePath');
  return {
    status: 'FAILED',
    ...(errorText !== undefined && { error: errorText }),
    ...(causeText !== undefined && { cause: causeText }),
  };
}

/** One attempt to run a task. */
export interface TaskAttempt {
  readonly state: string;
  /** The integration lambda:invoke, or a function's ARN. */
  readonly resource: string;
  readonly parameters: unknown;
}

/** Runs the resource of a task and returns its result. Retry and Catch match the name of the error that it throws. */
export type RunTask = (attempt: TaskAttempt) => Promise<unknown>;

export interface TaskOptions {
  readonly clock: Clock;
  readonly history: History;
  readonly runTask: RunTask;
  readonly random: () => number;
  /** Aborted when the execution is over. */
  readonly ended: AbortSignal;
}

interface TaskScope {
  readonly input: unknown;
  readonly context: ContextObject;
}

interface TaskTransition {
  readonly next: string | undefined;
  readonly output: unknown;
}

/** Runs a task until it succeeds, or until its error is not retried any more: then it is caught or thrown. */
export async function runTaskState(
  state: TaskState,
  { input, context }: TaskScope,
  options: TaskOptions,
): Promise<TaskTransition> {
  const { clock, random, ended } = options;
  const { Name: name } = context.State;
  const retries = new Retries(state.Retry, random);
  for (;;) {
    const scope = { input, context: { ...context, State: { ...context.State, RetryCount: retries.count } } };
    try {
      const result = await attempt(state, scope, options);
      const output = outputOf(state, scope, result);
      jsonWithinLimit(output, `The output of the state '${name}'`);
      return { next: state.Next, output };
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      const { name: errorName, message } = error as Error;
      const delaySeconds = retries.nextDelaySeconds(errorName);
      if (delaySeconds === undefined) {
        const catcher = state.Catch?.find(({ ErrorEquals }) => isNamed(errorName, ErrorEquals));
        if (catcher === undefined) throw error;
        const caught = { Error: errorName, Cause: message };
        return { next: catcher.Next, output: withResult(catcher.ResultPath, input, caught) };
      }
      await interruptible(clock.sleep(delaySeconds, ended), ended);
    }
  }
}

async function attempt(state: TaskState, raw: TaskScope, options: TaskOptions): Promise<unknown> {
  const { history, runTask, ended } = options;
  const { Name: name } = raw.context.State;
  const scope = { input: filter(state.InputPath, 'InputPath', raw), context: raw.context };
  const timeoutSeconds = timeoutSecondsOf(state, scope);
  const parameters = fillTemplate(state.Parameters, scope);
  const events = history.task(state.Resource);
  events.scheduled(jsonWithinLimit(parameters, `The input of the state '${name}'`));
  events.started();
  try {
    const running = runTask({ state: name, resource: state.Resource, parameters });
    const inTime = timeoutSeconds === undefined ? running : withinTime(running, timeoutSeconds, options);
    const result = await interruptible(inTime, ended);
    events.succeeded(jsonWithinLimit(result, `The result of the task '${state.Resource}'`));
    return result;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    const { name: errorName, message } = error as Error;
    if (errorName === 'States.Timeout') events.timedOut();
    else events.failed(errorName, message);
    throw error;
  }
}

/** Settles as the task does, or rejects with States.Timeout first. The task itself is not stopped, as on AWS. */
async function withinTime(
  running: Promise<unknown>,
  seconds: number,
  { clock, ended }: TaskOptions,
): Promise<unknown> {
  const over = new AbortController();
  const end = () => over.abort();
  ended.addEventListener('abort', end, { once: true });
  const timedOut = clock.taskTimeout(seconds, over.signal).then(() => {
    throw new StateError('States.Timeout', '');
  });
  try {
    return await Promise.race([running, timedOut]);
  } finally {
    ended.removeEventListener('abort', end);
    end();
  }
}

function timeoutSecondsOf(state: TaskState, scope: TaskScope): number | undefined {
  const { TimeoutSeconds, TimeoutSecondsPath } = state;
  if (TimeoutSecondsPath === undefined) return TimeoutSeconds;
  const seconds = requireValue(TimeoutSecondsPath, 'TimeoutSecondsPath', scope);
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds <= 0) {
    throw runtimeError(
      `The TimeoutSecondsPath parameter ${TimeoutSecondsPath} does not reference a positive integer: ${JSON.stringify(seconds)}`,
    );
  }
  return seconds;
}

function outputOf(state: TaskState, { input, context }: TaskScope, result: unknown): unknown {
  const { ResultSelector, ResultPath, OutputPath } = state;
  const selected = fillTemplate(ResultSelector, { input: result, context });
  return filter(OutputPath, 'OutputPath', { input: withResult(ResultPath, input, selected), context });
}
