import type { Clock } from './clock.ts';
import type { ContextObject } from './context-object.ts';
import { jsonWithinLimit } from './data-limit.ts';
import type { TaskState } from './definition.ts';
import type { History } from './history.ts';
import { Interrupted, interruptible } from './interruptible.ts';
import { filter, requireValue, withResult } from './paths.ts';
import { fillTemplate } from './payload-template.ts';
import { isNamed, Retries } from './retry.ts';
import { runtimeError, StateError } from './state-error.ts';

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
