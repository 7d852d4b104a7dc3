import {
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  type StartExecutionCommandInput,
  type StopExecutionCommandInput,
} from '@aws-sdk/client-sfn';
import {
  type SimulationOutcome,
  simulateStateMachine,
} from '../infra/local/stepfunctions/simulate-state-machine.ts';
import type { Call } from './calls.ts';
import type { FlowMachines, Step } from './flow-machines.ts';
import type { Trace } from './trace.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface Execution {
  readonly name: string;
  readonly machine: string;
  readonly input: string;
  readonly startedAtMs: number;
  readonly stopping: AbortController;
  /** Ends the wait that it is in. */
  wake: () => void;
  status: 'RUNNING' | SimulationOutcome['status'];
  outcome: SimulationOutcome | undefined;
}

export interface StepFunctionsParts {
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly machines: FlowMachines;
  /** Delivers a task, perhaps more than once, and gives its result. */
  readonly deliver: (step: Step, event: unknown) => Promise<unknown>;
}

/** The state machines of the template, each execution run by the interpreter on the virtual clock. */
export class StepFunctionsModel {
  readonly executions = new Map<string, Execution>();
  readonly #parts: StepFunctionsParts;

  constructor(parts: StepFunctionsParts) {
    this.#parts = parts;
  }

  running(): Execution[] {
    return [...this.executions.values()].filter(({ outcome }) => outcome === undefined);
  }

  readonly service = ({ operation, input }: Call): unknown => {
    switch (operation) {
      case 'StartExecution':
        return this.#start(input as StartExecutionCommandInput);
      case 'StopExecution':
        return this.#stop(input as StopExecutionCommandInput);
      default:
        throw new Error(`Step Functions has no ${operation} here.`);
    }
  };

  #start({ stateMachineArn = '', name = '', input = '{}' }: StartExecutionCommandInput) {
    const key = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    const present = this.executions.get(key);
    if (present) {
      if (present.status === 'RUNNING' && present.input === input) return {};
      throw new ExecutionAlreadyExists({ message: `Execution Already Exists: '${key}'`, $metadata: {} });
    }
    const machine = stateMachineArn.replace(/^.*:/, '');
    const { definition, stepOf } = this.#parts.machines(machine);
    const execution: Execution = {
      name,
      machine,
      input,
      startedAtMs: this.#parts.time.nowMs,
      stopping: new AbortController(),
      wake: () => {},
      status: 'RUNNING',
      outcome: undefined,
    };
    this.executions.set(key, execution);
    const tasks = Object.fromEntries(
      [...stepOf].map(([state, step]) => [state, (event: unknown) => this.#parts.deliver(step, event)]),
    );
    const { signal } = execution.stopping;
    const onWait = (seconds: number) => this.#wait(seconds, execution);
    simulateStateMachine({ definition, input: JSON.parse(input), tasks, signal, onWait }).then(outcome => {
      execution.outcome = outcome;
      execution.status = outcome.status;
      const { status, events, cause = '' } = outcome;
      this.#parts.trace.say(`${machine} ${name}`, `${status} after ${events} events ${cause}`);
    });
    return {};
  }

  #stop({ executionArn = '' }: StopExecutionCommandInput) {
    const execution = this.executions.get(executionArn);
    if (!execution) throw new ExecutionDoesNotExist({ message: executionArn, $metadata: {} });
    if (execution.status !== 'RUNNING') return {};
    execution.status = 'ABORTED';
    execution.stopping.abort();
    execution.wake();
    return {};
  }

  #wait(seconds: number, execution: Execution): Promise<void> {
    return new Promise(resolve => {
      const waking = this.#parts.time.after(seconds * 1000, undefined, resolve);
      execution.wake = () => {
        waking.isCancelled = true;
        resolve();
      };
      if (execution.stopping.signal.aborted) execution.wake();
    });
  }
}
