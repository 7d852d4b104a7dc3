import { REGION } from '../cloudformation/pseudo-parameters.ts';
import { LAMBDA_INVOKE } from './definition.ts';
import { runtimeError } from './state-error.ts';

/** An event of an execution's history, with the details of its type, as GetExecutionHistory returns it. */
export interface HistoryEvent {
  readonly id: number;
  readonly previousEventId: number;
  /** In seconds, as the API writes times. */
  readonly timestamp: number;
  readonly type: string;
  readonly [details: `${string}EventDetails`]: unknown;
}

/** AWS's limit. The last event is the one that ends the execution. */
const MAX_EVENTS = 25_000;

/** The events of one attempt of a task. Parameters and output are JSON text. */
export interface TaskEvents {
  scheduled(parameters: string): void;
  started(): void;
  succeeded(output: string): void;
  failed(error: string, cause: string): void;
  timedOut(): void;
}

/** How an execution ended, or why it was stopped. */
interface Ending {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  readonly cause?: string | undefined;
}

/** The history of one execution. Inputs and outputs are JSON text. */
export class History {
  readonly #events: HistoryEvent[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get events(): readonly HistoryEvent[] {
    return this.#events;
  }

  started(input: string, roleArn: string): void {
    this.#add('ExecutionStarted', { executionStartedEventDetails: { ...inputOf(input), roleArn } });
  }

  /** Returns the id of the event. */
  entered(stateType: string, name: string, input: string): number {
    this.#addStep(`${stateType}StateEntered`, { stateEnteredEventDetails: { name, ...inputOf(input) } });
    return this.#events.length;
  }

  exited(stateType: string, name: string, output: string): void {
    this.#addStep(`${stateType}StateExited`, { stateExitedEventDetails: { name, ...outputOf(output) } });
  }

  task(resource: string): TaskEvents {
    return resource === LAMBDA_INVOKE ? this.#integrationTask() : this.#functionTask(resource);
  }

  ended({ status, output = 'null', error, cause }: Ending): void {
    if (status === 'SUCCEEDED') {
      this.#add('ExecutionSucceeded', { executionSucceededEventDetails: outputOf(output) });
    } else if (status === 'FAILED') {
      this.#add('ExecutionFailed', { executionFailedEventDetails: { error, cause } });
    } else if (status === 'TIMED_OUT') {
      this.#add('ExecutionTimedOut', { executionTimedOutEventDetails: {} });
    } else {
      this.#add('ExecutionAborted', { executionAbortedEventDetails: { error, cause } });
    }
  }

  #integrationTask(): TaskEvents {
    const invoke = { resourceType: 'lambda', resource: 'invoke' };
    return {
      scheduled: parameters =>
        this.#addStep('TaskScheduled', {
          taskScheduledEventDetails: { ...invoke, region: REGION, parameters },
        }),
      started: () => this.#addStep('TaskStarted', { taskStartedEventDetails: invoke }),
      succeeded: output =>
        this.#addStep('TaskSucceeded', {
          taskSucceededEventDetails: { ...invoke, ...outputOf(output) },
        }),
      failed: (error, cause) =>
        this.#addStep('TaskFailed', { taskFailedEventDetails: { ...invoke, error, cause } }),
      timedOut: () =>
        this.#addStep('TaskTimedOut', { taskTimedOutEventDetails: { ...invoke, error: 'States.Timeout' } }),
    };
  }

  #functionTask(resource: string): TaskEvents {
    return {
      scheduled: input =>
        this.#addStep('LambdaFunctionScheduled', {
          lambdaFunctionScheduledEventDetails: { resource, ...inputOf(input) },
        }),
      started: () => this.#addStep('LambdaFunctionStarted', {}),
      succeeded: output =>
        this.#addStep('LambdaFunctionSucceeded', {
          lambdaFunctionSucceededEventDetails: outputOf(output),
        }),
      failed: (error, cause) =>
        this.#addStep('LambdaFunctionFailed', { lambdaFunctionFailedEventDetails: { error, cause } }),
      timedOut: () =>
        this.#addStep('LambdaFunctionTimedOut', {
          lambdaFunctionTimedOutEventDetails: { error: 'States.Timeout' },
        }),
    };
  }

  /** Adds an event that others follow: the last one is kept for the end. */
  #addStep(type: string, details: Readonly<Record<`${string}EventDetails`, unknown>>): void {
    if (this.#events.length >= MAX_EVENTS - 1) {
      throw runtimeError(`The execution reached the maximum number of history events (${MAX_EVENTS}).`);
    }
    this.#add(type, details);
  }

  #add(type: string, details: Readonly<Record<`${string}EventDetails`, unknown>>): void {
    const id = this.#events.length + 1;
    // On AWS the first state has 0 for its previous event, not the start of the execution.
    const previousEventId = id <= 2 ? 0 : id - 1;
    this.#events.push({ id, previousEventId, timestamp: this.#nowMs() / 1000, type, ...details });
  }
}

const inputOf = (input: string) => ({ input, inputDetails: { truncated: false } });
const outputOf = (output: string) => ({ output, outputDetails: { truncated: false } });
