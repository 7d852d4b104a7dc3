import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import type { InvokeFunction } from '../lambda/invoker.ts';
import { History, type HistoryEvent } from './history.ts';
import { type Execution, KeptExecutions } from './kept-executions.ts';
import { invokeLambdaTask } from './lambda-task.ts';
import { runStateMachine } from './state-machine-run.ts';
import type { DeclaredStateMachine } from './state-machines.ts';
import { StepFunctionsError } from './step-functions-error.ts';

export interface ExecutionsOptions {
  /** Where executions are kept. Absent: nowhere. */
  readonly file?: string | undefined;
  /** What waits, intervals of retries and time-outs of state machines are multiplied by. */
  readonly waitScale: number;
  /** The state machine's role is what permits the invocation. */
  readonly invoke: InvokeFunction;
}

interface Running {
  readonly history: History;
  readonly stopping: AbortController;
}

/**
 * The deployed state machines and their executions. One that runs when this is closed starts from the beginning when
 * it is opened again, where AWS would go on: what its tasks do, they may do twice.
 */
export class Executions {
  readonly #options: ExecutionsOptions;
  readonly #kept: KeptExecutions;
  readonly #running = new Map<string, Running>();
  readonly #histories = new Map<string, History>();
  #machines: ReadonlyMap<string, DeclaredStateMachine> = new Map();

  constructor(options: ExecutionsOptions) {
    this.#options = options;
    this.#kept = new KeptExecutions(options.file);
  }

  get stateMachines(): DeclaredStateMachine[] {
    return [...this.#machines.values()];
  }

  /** Puts state machines in place of the deployed ones. What runs goes on with the definition it was started with. */
  deploy(machines: readonly DeclaredStateMachine[]): void {
    this.#machines = new Map(machines.map(machine => [machine.arn, machine]));
    for (const execution of this.#kept.all) {
      if (execution.status === 'RUNNING' && !this.#running.has(execution.arn)) {
        this.#resume(execution);
      }
    }
  }

  /** Starts an execution; again, if it still runs with the same input, gives the one that was started. */
  start(stateMachineArn: string, name: string, input: string): Execution {
    const machine = this.stateMachine(stateMachineArn);
    const arn = regionalArn('states', `execution:${machine.name}:${name}`);
    const existing = this.#kept.find(arn);
    if (existing?.status === 'RUNNING' && existing.input === input) {
      return existing;
    }
    if (existing !== undefined) {
      throw new StepFunctionsError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    }
    const execution = { arn, name, stateMachineArn, status: 'RUNNING', input, startMs: Date.now() } as const;
    this.#put(execution);
    this.#run(machine, execution);
    return execution;
  }

  /** Stops an execution, but not the function that it has invoked. One that is over stays as it is. */
  stop(arn: string, reason: { error?: string | undefined; cause?: string | undefined }): Execution {
    const execution = this.find(arn);
    if (execution.status !== 'RUNNING') {
      return execution;
    }
    this.#running.get(arn)?.stopping.abort();
    this.#histories.get(arn)?.aborted(reason);
    return this.#end({ ...execution, status: 'ABORTED', ...defined(reason) });
  }

  stateMachine(arn: string): DeclaredStateMachine {
    const machine = this.#machines.get(arn);
    if (machine === undefined) {
      throw new StepFunctionsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
    }
    return machine;
  }

  find(arn: string): Execution {
    const execution = this.#kept.find(arn);
    if (execution === undefined) {
      throw new StepFunctionsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
    }
    return execution;
  }

  /** Of a state machine, the last started first. */
  list(stateMachineArn: string): Execution[] {
    return this.#kept.all
      .filter(execution => execution.stateMachineArn === stateMachineArn)
      .toSorted((a, b) => b.startMs - a.startMs);
  }

  /** Kept in memory only: after a restart there is none of what was over before. */
  history(arn: string): readonly HistoryEvent[] {
    this.find(arn);
    return this.#histories.get(arn)?.events ?? [];
  }

  /** Ends all waits. What runs stays as running, to be started again. */
  close(): void {
    for (const { stopping } of this.#running.values()) {
      stopping.abort();
    }
    this.#running.clear();
  }

  #resume(execution: Execution): void {
    const machine = this.#machines.get(execution.stateMachineArn);
    if (machine === undefined) {
      this.#end({ ...execution, status: 'ABORTED', cause: 'Its state machine is not declared any more.' });
    } else {
      this.#run(machine, execution);
    }
  }

  #run(machine: DeclaredStateMachine, execution: Execution): void {
    const running = { history: new History(), stopping: new AbortController() };
    this.#running.set(execution.arn, running);
    this.#histories.set(execution.arn, running.history);
    running.history.started(execution.input, machine.roleArn);
    const { signal } = running.stopping;
    const caller = { principal: 'states.amazonaws.com', sourceArn: machine.arn };
    runStateMachine({
      definition: machine.definition,
      input: JSON.parse(execution.input),
      context: {
        Execution: { Id: execution.arn, Name: execution.name, RoleArn: machine.roleArn },
        StartTime: new Date(execution.startMs).toISOString(),
        StateMachine: { Id: machine.arn, Name: machine.name },
      },
      waitScale: this.#options.waitScale,
      history: running.history,
      signal,
      runTask: ({ Resource: resource }, parameters) => {
        // The definition stays the one it was started with; what the role may do is what it may now.
        const { role } = this.#machines.get(machine.arn) ?? machine;
        const task = { resource, parameters, role, caller, sessionName: execution.name };
        return invokeLambdaTask(task, this.#options.invoke);
      },
    })
      .catch(error => ({ status: 'FAILED', error: 'States.Runtime', cause: String(error) }) as const)
      .then(outcome => {
        if (outcome === undefined || signal.aborted) {
          return;
        }
        if (outcome.status === 'SUCCEEDED') running.history.succeeded(outcome.output ?? 'null');
        if (outcome.status === 'FAILED') running.history.failed(outcome);
        if (outcome.status === 'TIMED_OUT') running.history.timedOut();
        this.#end({ ...execution, ...outcome });
      });
  }

  #end(execution: Execution): Execution {
    const over = { ...execution, stopMs: Date.now() };
    this.#running.delete(execution.arn);
    this.#put(over);
    return over;
  }

  #put(execution: Execution): void {
    for (const forgotten of this.#kept.put(execution)) {
      this.#histories.delete(forgotten);
    }
  }
}

function defined<Field extends string>(
  fields: Readonly<Partial<Record<Field, string | undefined>>>,
): Partial<Record<Field, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Record<Field, string>
  >;
}
