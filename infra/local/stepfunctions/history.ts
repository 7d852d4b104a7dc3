import { REGION } from '../cloudformation/pseudo-parameters.ts';
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

type Details = Readonly<Record<`${string}EventDetails`, unknown>>;

/** AWS's limit. The last event is the one that ends the execution. */
const MAX_EVENTS = 25_000;

/** How an execution ended, or why it was stopped. */
interface Ending {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  readonly cause?: string | undefined;
}

const INVOKE = { resourceType: 'lambda', resource: 'invoke' };

/** The history of one execution. Inputs, parameters and outputs are JSON text. */
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

  taskScheduled(parameters: string): void {
    const details = { ...INVOKE, region: REGION, parameters };
    this.#addStep('TaskScheduled', { taskScheduledEventDetails: details });
  }

  taskStarted(): void {
    this.#addStep('TaskStarted', { taskStartedEventDetails: INVOKE });
  }

  taskSucceeded(output: string): void {
    this.#addStep('TaskSucceeded', { taskSucceededEventDetails: { ...INVOKE, ...outputOf(output) } });
  }

  taskFailed(error: string, cause: string): void {
    this.#addStep('TaskFailed', { taskFailedEventDetails: { ...INVOKE, error, cause } });
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

  /** Adds an event that others follow: the last one is reserved for the end. */
  #addStep(type: string, details: Details): void {
    if (this.#events.length >= MAX_EVENTS - 1) {
      throw runtimeError(`The execution reached the maximum number of history events (${MAX_EVENTS}).`);
    }
    this.#add(type, details);
  }

  #add(type: string, details: Details): void {
    const id = this.#events.length + 1;
    // On AWS the first state has 0 for its previous event, not the start of the execution.
    const previousEventId = id <= 2 ? 0 : id - 1;
    this.#events.push({ id, previousEventId, timestamp: this.#nowMs() / 1000, type, ...details });
  }
}

const inputOf = (input: string) => ({ input, inputDetails: { truncated: false } });
const outputOf = (output: string) => ({ output, outputDetails: { truncated: false } });
