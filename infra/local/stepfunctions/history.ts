import { REGION } from '../cloudformation/pseudo-parameters.ts';
import { LAMBDA_INVOKE } from './definition.ts';

/** An event of an execution's history, with the details that its type has, as GetExecutionHistory gives it. */
export interface HistoryEvent {
  readonly id: number;
  readonly previousEventId: number;
  /** In seconds, as the API writes times. */
  readonly timestamp: number;
  readonly type: string;
  readonly [details: `${string}EventDetails`]: unknown;
}

/** What happens to a task, in the words of the integration that its resource names. */
export interface TaskEvents {
  scheduled(parameters: unknown): void;
  started(): void;
  succeeded(output: unknown): void;
  failed(error: string, cause: string): void;
  timedOut(): void;
}

/** The history of one execution. */
export class History {
  readonly #events: HistoryEvent[] = [];

  get events(): readonly HistoryEvent[] {
    return this.#events;
  }

  started(input: string, roleArn: string): void {
    this.#add('ExecutionStarted', { executionStartedEventDetails: { ...inputOf(input), roleArn } });
  }

  entered(stateType: string, name: string, input: unknown): void {
    this.#add(`${stateType}StateEntered`, {
      stateEnteredEventDetails: { name, ...inputOf(JSON.stringify(input)) },
    });
  }

  exited(stateType: string, name: string, output: unknown): void {
    this.#add(`${stateType}StateExited`, {
      stateExitedEventDetails: { name, ...outputOf(JSON.stringify(output)) },
    });
  }

  task(resource: string): TaskEvents {
    return resource === LAMBDA_INVOKE ? this.#integrationTask() : this.#functionTask(resource);
  }

  succeeded(output: string): void {
    this.#add('ExecutionSucceeded', { executionSucceededEventDetails: outputOf(output) });
  }

  failed(failure: { error?: string | undefined; cause?: string | undefined }): void {
    this.#add('ExecutionFailed', { executionFailedEventDetails: failure });
  }

  aborted(reason: { error?: string | undefined; cause?: string | undefined }): void {
    this.#add('ExecutionAborted', { executionAbortedEventDetails: reason });
  }

  timedOut(): void {
    this.#add('ExecutionTimedOut', { executionTimedOutEventDetails: {} });
  }

  #integrationTask(): TaskEvents {
    const invoke = { resourceType: 'lambda', resource: 'invoke' };
    return {
      scheduled: parameters =>
        this.#add('TaskScheduled', {
          taskScheduledEventDetails: { ...invoke, region: REGION, parameters: JSON.stringify(parameters) },
        }),
      started: () => this.#add('TaskStarted', { taskStartedEventDetails: invoke }),
      succeeded: output =>
        this.#add('TaskSucceeded', {
          taskSucceededEventDetails: { ...invoke, ...outputOf(JSON.stringify(output)) },
        }),
      failed: (error, cause) =>
        this.#add('TaskFailed', { taskFailedEventDetails: { ...invoke, error, cause } }),
      timedOut: () =>
        this.#add('TaskTimedOut', { taskTimedOutEventDetails: { ...invoke, error: 'States.Timeout' } }),
    };
  }

  #functionTask(resource: string): TaskEvents {
    return {
      scheduled: input =>
        this.#add('LambdaFunctionScheduled', {
          lambdaFunctionScheduledEventDetails: { resource, ...inputOf(JSON.stringify(input)) },
        }),
      started: () => this.#add('LambdaFunctionStarted', {}),
      succeeded: output =>
        this.#add('LambdaFunctionSucceeded', {
          lambdaFunctionSucceededEventDetails: outputOf(JSON.stringify(output)),
        }),
      failed: (error, cause) =>
        this.#add('LambdaFunctionFailed', { lambdaFunctionFailedEventDetails: { error, cause } }),
      timedOut: () =>
        this.#add('LambdaFunctionTimedOut', {
          lambdaFunctionTimedOutEventDetails: { error: 'States.Timeout' },
        }),
    };
  }

  #add(type: string, details: Readonly<Record<`${string}EventDetails`, unknown>>): void {
    const id = this.#events.length + 1;
    // As on AWS, what follows the start of the execution has no previous event.
    const previousEventId = id <= 2 ? 0 : id - 1;
    this.#events.push({ id, previousEventId, timestamp: Date.now() / 1000, type, ...details });
  }
}

const inputOf = (input: string) => ({ input, inputDetails: { truncated: false } });
const outputOf = (output: string) => ({ output, outputDetails: { truncated: false } });
