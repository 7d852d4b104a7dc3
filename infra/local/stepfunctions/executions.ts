import * as z from 'zod';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { KeptFile } from '../host/data-folder.ts';
import type { DeclaredRole } from '../iam/roles.ts';
import type { InvokeFunction } from '../lambda/invocation.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import { type AwsSdkTargets, callAws } from './aws-sdk-task.ts';
import { type Clock, realClock, runExecution } from './interpreter.ts';
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

interface ExecutionsOptions extends Partial<Surroundings> {
  /** The file that keeps executions across restarts. Without it they are kept in memory only. */
  readonly file?: string | undefined;
  /** Invokes a function. The state machine's role has allowed it before this is called. */
  readonly invoke: InvokeFunction;
  /** What tasks without a function work on; absent if no state machine has such a task. */
  readonly aws?: AwsSdkTargets;
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
  /** What stops each running execution, by its ARN. */
  readonly #running = new Map<string, AbortController>();
  #machines: ReadonlyMap<string, DeclaredStateMachine> = new Map();
  #roles: ReadonlyMap<string, DeclaredRole> = new Map();

  constructor(options: ExecutionsOptions) {
    this.#options = options;
    this.#surroundings = surroundings(options);
    this.#clock = realClock(this.#surroundings.waitScale);
    this.#kept = new KeptExecutions(options.file);
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
    const startMs = this.#surroundings.now();
    const execution = { arn, name, stateMachineArn, status: 'RUNNING', input, startMs } as const;
    this.#kept.put(execution);
    this.#run(machine, execution);
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
    this.#running.get(arn)?.abort();
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
    const execution = this.#kept.find(arn);
    if (execution === undefined) {
      throw new AwsApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
    }
    return execution;
  }

  /** The executions of a state machine, the last started first. */
  list(stateMachineArn: string): Execution[] {
    return this.#kept.all
      .filter(execution => execution.stateMachineArn === stateMachineArn)
      .toSorted((a, b) => b.startMs - a.startMs);
  }

  /** Stops all work. Running executions keep that status, so that the next start resumes them. */
  close(): void {
    for (const stopping of this.#running.values()) stopping.abort();
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
      this.#run(machine, execution);
    }
  }

  #run(machine: DeclaredStateMachine, execution: Execution): void {
    const { arn, name, input } = execution;
    const stopping = new AbortController();
    const caller = { principal: 'states.amazonaws.com', sourceArn: machine.arn };
    const { aws } = this.#options;
    const { newId } = this.#surroundings;
    // An execution keeps the definition it was started with, but not the permissions.
    const currentRole = () => (this.#machines.get(machine.arn) ?? machine).role;
    this.#running.set(arn, stopping);
    runExecution({
      definition: machine.definition,
      input,
      clock: this.#clock,
      history: [],
      signal: stopping.signal,
      runTask: ({ parameters }) =>
        invokeLambdaTask(
          { parameters, role: currentRole(), caller, sessionName: name, requestId: newId('uuid') },
          this.#options.invoke,
        ),
      ...(aws && {
        callAws: (call, parameters) => callAws(call, parameters, currentRole().assumedBy(name), aws),
      }),
    }).then(outcome => {
      if (outcome && !stopping.signal.aborted) this.#end({ ...execution, ...outcome });
    });
  }

  #end(execution: Execution): Execution {
    const over = { ...execution, stopMs: this.#surroundings.now() };
    this.#running.delete(execution.arn);
    this.#kept.put(over);
    return over;
  }
}

function requireArn(arn: string): void {
  if (!arn.startsWith('arn:')) throw new AwsApiError('InvalidArn', `Invalid Arn: '${arn}'`);
}

/** How many ended executions are kept; AWS keeps them for 90 days. */
const MAX_ENDED = 200;

/** All running executions and the last ones that ended, in the order of their ends; in a file if there is one. */
class KeptExecutions {
  readonly #file: KeptFile<z.ZodArray<typeof Execution>>;
  readonly #byArn: Map<string, Execution>;

  constructor(path: string | undefined) {
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
    const ended = this.all.filter(({ status }) => status !== 'RUNNING');
    for (const { arn } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#byArn.delete(arn);
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
