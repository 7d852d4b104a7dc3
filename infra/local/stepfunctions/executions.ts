import * as z from 'zod';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { KeptFile } from '../host/data-folder.ts';
import type { DeclaredRole } from '../iam/roles.ts';
import type { InvokeFunction } from '../lambda/invocation.ts';
import { type Death, type Surroundings, surroundings } from '../surroundings.ts';
import { type AwsSdkTargets, callAws } from './aws-sdk-task.ts';
import { type Clock, runExecution } from './interpreter.ts';
import { invokeLambdaTask } from './lambda-task.ts';
import type { DeclaredStateMachine } from './state-machines.ts';

export const ExecutionStatus = z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']);
export type ExecutionStatus = z.output<typeof ExecutionStatus>;

/** An execution as it is described and kept. Times are in milliseconds, input and output JSON text. */
const Execution = z.strictObject({
  arn: z.string(),
  name: z.string(),
  stateMachineArn: z.string(),
  status: ExecutionStatus,
  input: z.string(),
  startMs: z.number(),
  stopMs: z.number().optional(),
  output: z.string().optional(),
  error: z.string().optional(),
  cause: z.string().optional(),
});
export type Execution = z.output<typeof Execution>;

export interface ExecutionsOptions extends Partial<Surroundings> {
  /** The file that keeps executions across restarts. Without it they are kept in memory only. */
  readonly file?: string | undefined;
  /** Invokes a function. The state machine's role has allowed it before this is called. */
  readonly invoke: InvokeFunction;
  /** What tasks without a function work on; absent if no state machine has such a task. */
  readonly aws?: AwsSdkTargets;
  /** How many executions that have ended are kept; AWS keeps all of them for 90 days. */
  readonly kept?: number;
  /** Called at the end of an execution, with the number of events in its history. */
  onEnd?(execution: Execution, events: number): void;
}

/** An execution that has not ended. */
interface Running {
  readonly stopping: AbortController;
  /** The types of its events. */
  readonly history: string[];
}

/**
 * The deployed state machines and their executions. An execution that is running at a restart begins again from its
 * first state, where AWS would continue; its tasks must be idempotent.
 */
export class Executions {
  readonly #options: ExecutionsOptions;
  readonly #surroundings: Surroundings;
  readonly #clock: Clock;
  readonly #kept: KeptExecutions;
  /** By ARN. */
  readonly #running = new Map<string, Running>();
  /** How many functions work for an execution, by its ARN. To stop it doesn't stop them. */
  readonly #tasks = new Map<string, number>();
  #machines: ReadonlyMap<string, DeclaredStateMachine> = new Map();
  #roles: ReadonlyMap<string, DeclaredRole> = new Map();

  constructor(options: ExecutionsOptions) {
    this.#options = options;
    this.#surroundings = surroundings(options);
    const { wait, waitScale } = this.#surroundings;
    this.#clock = { sleep: (seconds, signal) => wait(seconds * 1000 * waitScale, signal) };
    this.#kept = new KeptExecutions(options.file, options.kept);
  }

  get stateMachines(): DeclaredStateMachine[] {
    return [...this.#machines.values()];
  }

  /** Replaces the deployed state machines. Running executions keep the definition they were started with. */
  deploy(
    machines: readonly DeclaredStateMachine[],
    roles: ReadonlyMap<string, DeclaredRole> = new Map(),
  ): void {
    this.#roles = roles;
    this.#machines = new Map(machines.map(machine => [machine.arn, machine]));
    for (const execution of this.#kept.all) {
      if (execution.status === 'RUNNING' && !this.#running.has(execution.arn)) {
        this.#resume(execution);
      }
    }
  }

  /** Starts an execution. Idempotent while an execution of that name runs with the same input. */
  start(stateMachineArn: string, name: string, input: string): Execution {
    const machine = this.stateMachine(stateMachineArn);
    const arn = regionalArn('states', `execution:${machine.name}:${name}`);
    const existing = this.#kept.find(arn);
    if (existing?.status === 'RUNNING' && existing.input === input) {
      return existing;
    }
    if (existing !== undefined) {
      throw new AwsApiError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    }
    const { now, behavior } = this.#surroundings;
    const execution = { arn, name, stateMachineArn, status: 'RUNNING', input, startMs: now() } as const;
    const wake = behavior().wakeUp();
    if (wake.kind === 'lost') return execution;
    this.#kept.put(execution);
    void this.#run(machine, execution, wake.kind === 'late' ? wake.byMs : 0);
    void this.#awaitDeath(execution, behavior().deathOf());
    return execution;
  }

  /** Starts an execution for a rule of EventBridge, which assumes the role of its target. */
  startByRule(stateMachineArn: string, roleArn: string, input: string): void {
    const role = this.#roles.get(roleArn);
    if (role === undefined) {
      throw new AwsApiError('AccessDeniedException', `no stack declares the role ${roleArn}`);
    }
    const denial = role.assumedBy('events').denial('states:StartExecution', stateMachineArn);
    if (denial !== undefined) throw new AwsApiError('AccessDeniedException', denial);
    this.start(stateMachineArn, this.#surroundings.newId('uuid'), input);
  }

  /** Stops a running execution, but not the function that it has invoked. */
  stop(arn: string, reason: { error?: string | undefined; cause?: string | undefined }): Execution {
    const execution = this.find(arn);
    if (execution.status !== 'RUNNING') {
      throw new AwsApiError('ValidationException', `Execution is not running: '${arn}'`);
    }
    return this.#end({ ...execution, status: 'ABORTED', ...defined(reason) });
  }

  stateMachine(arn: string): DeclaredStateMachine {
    requireArn(arn);
    const machine = this.#machines.get(arn);
    if (machine === undefined) {
      throw new AwsApiError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
    }
    return machine;
  }

  find(arn: string): Execution {
    requireArn(arn);
    return this.#kept.find(arn) ?? missing(arn);
  }

  /** An execution as it is described, which may be as it was before. */
  described(arn: string): Execution {
    const execution = this.find(arn);
    const seenUntilMs = this.#surroundings.now() - this.#surroundings.behavior().describeLagMs();
    const { startMs, stopMs = Number.NEGATIVE_INFINITY } = execution;
    if (startMs > seenUntilMs) return missing(arn);
    if (stopMs <= seenUntilMs) return execution;
    const { name, stateMachineArn, input } = execution;
    return { arn, name, stateMachineArn, status: 'RUNNING', input, startMs };
  }

  /** Whether an execution runs, or a function still works for it. */
  isUnfinished(arn: string): boolean {
    return this.#running.has(arn) || this.#tasks.has(arn);
  }

  /** The ARNs of those executions. */
  unfinished(): readonly string[] {
    return [...new Set([...this.#running.keys(), ...this.#tasks.keys()])];
  }

  /** The executions of a state machine, the last started first. */
  list(stateMachineArn: string): Execution[] {
    return this.#kept.all
      .filter(execution => execution.stateMachineArn === stateMachineArn)
      .toSorted((a, b) => b.startMs - a.startMs);
  }

  /** Stops all work. Running executions keep that status, so that the next start resumes them. */
  close(): void {
    for (const { stopping } of this.#running.values()) stopping.abort();
    this.#running.clear();
  }

  #resume(execution: Execution): void {
    const machine = this.#machines.get(execution.stateMachineArn);
    if (machine === undefined) {
      this.#end({
        ...execution,
        status: 'ABORTED',
        cause: 'Its state machine is no longer declared by any stack.',
      });
    } else {
      void this.#run(machine, execution);
    }
  }

  async #run(machine: DeclaredStateMachine, execution: Execution, lateMs = 0): Promise<void> {
    const { arn, name, input } = execution;
    const stopping = new AbortController();
    const history: string[] = [];
    const caller = { principal: 'states.amazonaws.com', sourceArn: machine.arn };
    const { aws } = this.#options;
    const { newId } = this.#surroundings;
    // An execution keeps the definition it was started with, but not the permissions.
    const currentRole = () => (this.#machines.get(machine.arn) ?? machine).role;
    this.#running.set(arn, { stopping, history });
    if (lateMs > 0) await this.#surroundings.wait(lateMs, stopping.signal);
    if (stopping.signal.aborted) return;
    const outcome = await runExecution({
      definition: machine.definition,
      input,
      clock: this.#clock,
      history,
      signal: stopping.signal,
      runTask: ({ parameters }) =>
        this.#counted(
          arn,
          invokeLambdaTask(
            { parameters, role: currentRole(), caller, sessionName: name, requestId: newId('uuid') },
            this.#options.invoke,
          ),
        ),
      ...(aws && {
        callAws: (call, parameters) => callAws(call, parameters, currentRole().assumedBy(name), aws),
      }),
    });
    if (outcome && !stopping.signal.aborted) this.#end({ ...execution, ...outcome });
  }

  async #counted<Result>(arn: string, task: Promise<Result>): Promise<Result> {
    this.#tasks.set(arn, (this.#tasks.get(arn) ?? 0) + 1);
    try {
      return await task;
    } finally {
      const left = (this.#tasks.get(arn) ?? 0) - 1;
      if (left > 0) this.#tasks.set(arn, left);
      else this.#tasks.delete(arn);
    }
  }

  /** Ends an execution without the knowledge of who started it. */
  async #awaitDeath(execution: Execution, death: Death | undefined): Promise<void> {
    const running = this.#running.get(execution.arn);
    if (death === undefined || running === undefined) return;
    const { signal } = running.stopping;
    await this.#surroundings.wait(death.afterMs, signal);
    const isOver = signal.aborted || this.#running.get(execution.arn) !== running;
    if (!isOver) this.#end({ ...execution, status: death.status, error: 'Killed' });
  }

  #end(execution: Execution): Execution {
    const { arn } = execution;
    const { stopping, history } = this.#running.get(arn) ?? { history: [] };
    stopping?.abort();
    const over = { ...execution, stopMs: this.#surroundings.now() };
    this.#running.delete(arn);
    this.#kept.put(over);
    this.#options.onEnd?.(over, history.length);
    return over;
  }
}

function missing(arn: string): never {
  throw new AwsApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
}

function requireArn(arn: string): void {
  if (!arn.startsWith('arn:')) throw new AwsApiError('InvalidArn', `Invalid Arn: '${arn}'`);
}

/** All running executions and the last ones that ended, in the order of their ends; in a file if there is one. */
class KeptExecutions {
  readonly #file: KeptFile<z.ZodArray<typeof Execution>>;
  readonly #byArn: Map<string, Execution>;
  readonly #maxEnded: number;

  constructor(path: string | undefined, maxEnded = 200) {
    this.#maxEnded = maxEnded;
    this.#file = new KeptFile(path, z.array(Execution));
    this.#byArn = new Map(this.#file.read()?.map(execution => [execution.arn, execution]));
  }

  get all(): Execution[] {
    return [...this.#byArn.values()];
  }

  find(arn: string): Execution | undefined {
    return this.#byArn.get(arn);
  }

  /** Adds or replaces an execution. */
  put(execution: Execution): void {
    // One that ends goes behind those that ended before it.
    this.#byArn.delete(execution.arn);
    this.#byArn.set(execution.arn, execution);
    if (this.#byArn.size > this.#maxEnded) {
      const ended = this.all.filter(({ status }) => status !== 'RUNNING');
      for (const { arn } of ended.slice(0, Math.max(0, ended.length - this.#maxEnded)))
        this.#byArn.delete(arn);
    }
    this.#file.keep(this.all);
  }
}

function defined<Field extends string>(
  fields: Readonly<Partial<Record<Field, string | undefined>>>,
): Partial<Record<Field, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Record<Field, string>
  >;
}
