/**
 * Runs executions of state machines: the part of the Amazon States Language that readDefinition accepts. The caller
 * gives the time and the tasks, and records the start and the end of the execution in its history.
 */
import { matchesRule } from './choice-rules.ts';
import type { Clock } from './clock.ts';
import { type ContextObject, type ExecutionIdentity, executionContext } from './context-object.ts';
import { jsonWithinLimit } from './data-limit.ts';
import type { Definition, State } from './definition.ts';
import type { History } from './history.ts';
import { Interrupted, interruptible } from './interruptible.ts';
import { filter, requireValue, type Scope, withResult } from './paths.ts';
import { evaluateExpression, fillTemplate } from './payload-template.ts';
import { runtimeError, StateError } from './state-error.ts';
import { type RunTask, runTaskState } from './task-state.ts';

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
