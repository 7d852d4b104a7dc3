import { StateMachine } from 'aws-local-stepfunctions';
import { wait } from '../wait.ts';
import type { Definition, TaskState } from './definition.ts';
import type { History } from './history.ts';
import { interpretedDefinition } from './interpreted-definition.ts';
import { TaskError } from './task-error.ts';

/** How an execution ended. */
export interface Outcome {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT';
  /** JSON text. */
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

export interface RunOptions {
  readonly definition: Definition;
  readonly input: unknown;
  /** What the definition reads as $$. */
  readonly context: {
    readonly Execution: { readonly Id: string; readonly Name: string; readonly RoleArn: string };
    readonly StartTime: string;
    readonly StateMachine: { readonly Id: string; readonly Name: string };
  };
  readonly waitScale: number;
  readonly history: History;
  /** Ends the run at once, without an outcome. */
  readonly signal: AbortSignal;
  /** Does what a task's resource says; fails with a TaskError. */
  runTask(task: TaskState, parameters: unknown): Promise<unknown>;
}

/** AWS's limit: an execution that reaches it fails. */
const HISTORY_LIMIT = 25_000;

type Json = Parameters<StateMachine['run']>[0];

/** Runs a definition by the interpreter, writing its history; undefined when the signal ended it. */
export async function runStateMachine(options: RunOptions): Promise<Outcome | undefined> {
  const { definition, input, context, waitScale, history, signal } = options;
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  // The interpreter calls a handler before its event that the state was entered is read.
  let announced = Promise.withResolvers<void>();
  let timeOut = () => {};

  async function attempt(task: TaskState, parameters: unknown): Promise<unknown> {
    await announced.promise;
    announced = Promise.withResolvers();
    const events = history.task(task.Resource);
    let isTimedOut = false;
    timeOut = () => {
      isTimedOut = true;
      events.timedOut();
    };
    events.scheduled(parameters);
    events.started();
    try {
      const result = await untilAborted(options.runTask(task, parameters), ended);
      if (!isTimedOut) events.succeeded(result);
      return result;
    } catch (error) {
      if (!isTimedOut && !ended.aborted) events.failed((error as Error).name, (error as Error).message);
      throw error;
    }
  }

  const handlers = Object.entries(definition.States).flatMap(([name, state]) => {
    if (state.Type === 'Task') {
      return [[name, (parameters: unknown) => attempt(state, parameters)] as const];
    }
    if (state.Type !== 'Wait') {
      return [];
    }
    return [
      [
        name,
        async (given: unknown) => {
          const { input: passed, seconds } =
            state.SecondsPath === undefined
              ? { input: given, seconds: state.Seconds ?? 0 }
              : secondsAt(state.SecondsPath, given);
          await untilAborted(wait(seconds * 1000 * waitScale, ended), ended);
          return passed;
        },
      ] as const,
    ];
  });

  const machine = new StateMachine(interpretedDefinition(definition, waitScale), {
    validationOptions: { noValidate: true },
  });
  const run = machine.run(input as Json, {
    context,
    noThrowOnAbort: true,
    overrides: { taskResourceLocalHandlers: Object.fromEntries(handlers) as Record<string, never> },
  });
  // How it ended is read from the events.
  run.result.catch(() => {});
  signal.addEventListener('abort', run.abort, { once: true });
  try {
    if (signal.aborted) run.abort();
    for await (const event of run.eventLogs) {
      if (signal.aborted) {
        return undefined;
      }
      switch (event.type) {
        case 'StateEntered': {
          const { name, input: stateInput } = event.state;
          const type = definition.States[name]?.Type ?? '';
          if (history.events.length >= HISTORY_LIMIT) {
            run.abort();
            return {
              status: 'FAILED',
              error: 'States.Runtime',
              cause: `The execution reached the maximum number of history events (${HISTORY_LIMIT}).`,
            };
          }
          history.entered(type, name, stateInput);
          if (type === 'Task') announced.resolve();
          break;
        }
        case 'StateRetried':
          announced.resolve();
          break;
        case 'StateFailed':
          if (event.Error === 'States.Timeout') timeOut();
          break;
        case 'StateExited':
          history.exited(
            definition.States[event.state.name]?.Type ?? '',
            event.state.name,
            event.state.output,
          );
          break;
        case 'ExecutionSucceeded':
          return { status: 'SUCCEEDED', output: JSON.stringify(event.output) };
        case 'ExecutionFailed':
          return { status: 'FAILED', ...failure(event.Error, String(event.Cause)) };
        case 'ExecutionTimeout':
          return { status: 'TIMED_OUT' };
      }
    }
    return undefined;
  } finally {
    over.abort();
    signal.removeEventListener('abort', run.abort);
  }
}

/** A Fail state need name neither error nor cause; the interpreter puts these in their place. */
function failure(error: string, cause: string): Pick<Outcome, 'error' | 'cause'> {
  return {
    ...(error !== 'FailStateError' && { error }),
    ...(cause !== 'Execution failed because of a Fail state' && { cause }),
  };
}

function secondsAt(path: string, given: unknown): { input: unknown; seconds: number } {
  const { input, seconds } = given as { input: unknown; seconds: unknown };
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0) {
    throw new TaskError(
      'States.Runtime',
      `The SecondsPath parameter ${path} does not reference an integer of 0 or more: ${JSON.stringify(seconds)}`,
      { isTerminal: true },
    );
  }
  return { input, seconds };
}

/** A promise that fails as soon as the signal comes, so that nothing waits for what does not matter any more. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () =>
    reject(new TaskError('States.Runtime', 'The execution is over.', { isTerminal: true }));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  aborted.catch(() => {});
  promise.catch(() => {});
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
