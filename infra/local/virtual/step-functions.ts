import type { StartExecutionCommandInput, StopExecutionCommandInput } from '@aws-sdk/client-sfn';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import type { Resource } from '../cloudformation/resource-type.ts';
import { type Definition, readDefinition } from '../stepfunctions/definition.ts';
import { type Clock, runExecution, type TaskAttempt } from '../stepfunctions/interpreter.ts';
import { readResources, resourceNamed } from '../template.ts';
import type { Call } from './calls.ts';
import type { Trace } from './trace.ts';
import { type VirtualTime, virtualClock } from './virtual-time.ts';

interface ExecutionEnd {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  readonly error?: string | undefined;
  readonly cause?: string | undefined;
  readonly atMs: number;
  /** How many events the history has. */
  readonly events: number;
}

interface Execution {
  readonly arn: string;
  readonly name: string;
  readonly machine: string;
  readonly input: string;
  readonly startedAtMs: number;
  /** The types of its events. */
  readonly history: string[];
  readonly stopping: AbortController;
  outcome: ExecutionEnd | undefined;
  /** How many of its tasks have not returned: to stop an execution does not stop its functions. */
  pendingTasks: number;
}

/** The end of an execution by hand, by its timeout or by a limit of Step Functions. */
export interface Death {
  readonly afterMs: number;
  readonly status: 'FAILED' | 'TIMED_OUT' | 'ABORTED';
}

/** What becomes of a wake-up: the start of an execution, or a scheduled run. A late one may come after those that follow it. */
export type WakeUp =
  | { readonly kind: 'once' | 'lost' }
  | { readonly kind: 'twice'; readonly againMs: number }
  | { readonly kind: 'late'; readonly byMs: number };

interface StepFunctionsParts {
  readonly time: VirtualTime;
  readonly trace: Trace;
  /** The state machine of a name. */
  readonly machineOf: (name: string) => Machine;
  /** Delivers a task, perhaps more than once, and gives its result. */
  readonly deliver: (machine: string, step: Step, event: unknown) => Promise<unknown>;
  /** What becomes of the start of an execution. A second start of the same one has no effect at AWS. */
  readonly wakeUp: () => WakeUp;
  /** When and how an execution ends that nobody stops and no state ends; undefined when it does not. */
  readonly deathOf: () => Death | undefined;
}

/** DescribeExecution is eventually consistent: what happened within the last seconds is missing. */
const DESCRIBE_LAG_MS = 5000;

/** The error of an execution that died. */
export const KILLED = 'Killed';

/** The state machines of the template: the local AWS's interpreter runs their executions in virtual time. */
export class StepFunctionsModel {
  readonly executions = new Map<string, Execution>();
  /** Those that may be running. */
  readonly #unfinished = new Set<Execution>();
  readonly #parts: StepFunctionsParts;
  readonly #clock: Clock;

  constructor(parts: StepFunctionsParts) {
    this.#parts = parts;
    this.#clock = virtualClock(parts.time);
  }

  /** The executions that have not ended, and those that have but whose last task has not. */
  running(): Execution[] {
    for (const execution of this.#unfinished) {
      if (!isRunning(execution)) this.#unfinished.delete(execution);
    }
    return [...this.#unfinished];
  }

  /** Whether the execution of this name is one of those. */
  isRunning(machine: string, name: string): boolean {
    const execution = this.executions.get(`arn:aws:states:us-east-1:0:execution:${machine}:${name}`);
    return execution !== undefined && isRunning(execution);
  }

  readonly service = ({ operation, input }: Call): unknown => {
    switch (operation) {
      case 'StartExecution':
        return this.#start(input as StartExecutionCommandInput);
      case 'DescribeExecution': {
        const { executionArn = '' } = input as { executionArn?: string };
        const seenUntilMs = this.#parts.time.nowMs - DESCRIBE_LAG_MS;
        const execution = this.executions.get(executionArn);
        if (!execution || execution.startedAtMs > seenUntilMs) {
          throw new AwsApiError('ExecutionDoesNotExist', executionArn);
        }
        const { outcome } = execution;
        return { status: outcome && outcome.atMs <= seenUntilMs ? outcome.status : 'RUNNING' };
      }
      case 'StopExecution':
        return this.#stop(input as StopExecutionCommandInput);
      default:
        throw new Error(`Step Functions has no ${operation} here.`);
    }
  };

  #start({ stateMachineArn = '', name = '', input = '{}' }: StartExecutionCommandInput) {
    const arn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    const existing = this.executions.get(arn);
    if (existing) {
      if (existing.outcome === undefined && existing.input === input) return {};
      throw new AwsApiError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    }
    const wake = this.#parts.wakeUp();
    if (wake.kind === 'lost') {
      this.#parts.trace.say(name, 'its start is lost');
      return {};
    }
    const execution: Execution = {
      arn,
      name,
      machine: stateMachineArn.replace(/^.*:/, ''),
      input,
      startedAtMs: this.#parts.time.nowMs,
      history: [],
      stopping: new AbortController(),
      outcome: undefined,
      pendingTasks: 0,
    };
    this.executions.set(arn, execution);
    this.#unfinished.add(execution);
    const run = () => {
      if (execution.outcome === undefined) this.#run(execution);
    };
    if (wake.kind === 'late') this.#parts.time.after(wake.byMs, undefined, run);
    else run();
    const death = this.#parts.deathOf();
    if (death) this.#parts.time.after(death.afterMs, undefined, () => this.kill(execution, death.status));
    return {};
  }

  #run(execution: Execution): void {
    const { machine, input, history, stopping } = execution;
    const { definition, stepOf } = this.#parts.machineOf(machine);
    void runExecution({
      definition,
      input,
      clock: this.#clock,
      history,
      signal: stopping.signal,
      runTask: attempt => this.#runTask(stepOf, execution, attempt),
    }).then(outcome => {
      if (outcome !== undefined && !stopping.signal.aborted) this.#end(execution, outcome);
    });
  }

  async #runTask(stepOf: Machine['stepOf'], execution: Execution, attempt: TaskAttempt): Promise<unknown> {
    const step = stepOf.get(attempt.state);
    if (!step) throw new Error(`The state ${attempt.state} has no function.`);
    const { Payload } = attempt.parameters;
    execution.pendingTasks += 1;
    try {
      const result = await this.#parts.deliver(execution.machine, step, copied(Payload));
      return { ExecutedVersion: '$LATEST', Payload: copied(result), StatusCode: 200 };
    } finally {
      execution.pendingTasks -= 1;
    }
  }

  #stop({ executionArn = '' }: StopExecutionCommandInput) {
    const execution = this.executions.get(executionArn);
    if (!execution) throw new AwsApiError('ExecutionDoesNotExist', executionArn);
    if (execution.outcome !== undefined) {
      throw new AwsApiError('ValidationException', `not running: ${executionArn}`);
    }
    execution.stopping.abort();
    this.#end(execution, { status: 'ABORTED' });
    return {};
  }

  /** Ends an execution without the knowledge of the service. */
  kill(execution: Execution, status: Death['status']): void {
    if (execution.outcome !== undefined) return;
    execution.stopping.abort();
    this.#end(execution, { status, error: KILLED });
  }

  #end(execution: Execution, { status, error, cause }: Omit<ExecutionEnd, 'events' | 'atMs'>): void {
    const { machine, name, history } = execution;
    const events = history.length;
    execution.outcome = { status, error, cause, atMs: this.#parts.time.nowMs, events };
    this.#parts.trace.say(`${machine} ${name}`, `${status} after ${events} events ${cause ?? ''}`);
  }
}

function isRunning({ outcome, pendingTasks }: Execution): boolean {
  return outcome === undefined || pendingTasks > 0;
}

/** Functions and executions share no objects: what they exchange is JSON. */
function copied(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

/** A function that a state machine invokes. */
export interface Step {
  readonly functionName: string;
  readonly timeoutMs: number;
}

export interface Machine {
  readonly definition: Definition;
  /** The function of each task, by the name of its state. */
  readonly stepOf: ReadonlyMap<string, Step>;
}

/** The state machines and functions of a stack in a cloud assembly, by the beginnings of their logical ids. */
export function templateOf(assembly: string, stackName: string) {
  const resources = readResources(assembly, stackName);
  const timeoutMsOf = ({ properties }: Resource) => Number(properties.Timeout) * 1000;
  return {
    timeoutMs: (prefix: string) => timeoutMsOf(resourceNamed(resources, 'AWS::Lambda::Function', prefix)),

    machine(prefix: string): Machine {
      const machine = resourceNamed(resources, 'AWS::StepFunctions::StateMachine', prefix);
      const definition = readDefinition(String(machine.properties.DefinitionString), machine);
      const steps = Object.entries(definition.States).flatMap(([state, task]) => {
        if (task.Type !== 'Task') return [];
        // Tasks name their function by its ARN.
        const functionName = String(task.Parameters.FunctionName);
        const fn = resources.find(({ physicalId }) => functionName.endsWith(`:${physicalId}`));
        if (!fn) throw new Error(`The stack has no function ${functionName}.`);
        return [[state, { functionName, timeoutMs: timeoutMsOf(fn) }] as const];
      });
      return { definition, stepOf: new Map(steps) };
    },
  };
}
