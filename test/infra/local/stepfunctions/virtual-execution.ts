import type { Definition } from '../../../../infra/local/stepfunctions/definition.ts';
import { LAMBDA_INVOKE } from '../../../../infra/local/stepfunctions/definition.ts';
import { History } from '../../../../infra/local/stepfunctions/history.ts';
import { runExecution } from '../../../../infra/local/stepfunctions/interpreter.ts';
import { SECOND_MS, VirtualTime, virtualClock } from '../../../simulation/virtual-time.ts';
import { declared, MACHINE_ARN } from './deployed-machine.ts';

export interface VirtualExecution {
  readonly definition: Definition;
  readonly input: unknown;
  /** By state: what the function does with its event. */
  readonly tasks?: Readonly<Record<string, (event: never) => unknown>>;
  readonly signal?: AbortSignal;
  readonly random?: () => number;
  /** Called at the beginning of each Wait state and of the delay before each retry. */
  readonly onSleep?: (seconds: number) => void;
}

/** Reads a definition as the local runtime does. */
export function read(definition: unknown): Definition {
  const [machine] = declared(definition);
  if (!machine) throw new Error('No state machine is declared.');
  return machine.definition;
}

/** Runs an execution to its end in virtual time, in which waits take no time. */
export async function runVirtually(options: VirtualExecution) {
  const { definition, input, tasks = {}, signal = new AbortController().signal, random, onSleep } = options;
  const time = new VirtualTime();
  const clock = virtualClock(time);
  const history = new History(clock.nowMs);
  const startMs = time.nowMs;
  const text = JSON.stringify(input);
  let isOver = false;
  history.started(text, '');
  const running = runExecution({
    definition,
    execution: {
      arn: 'arn:aws:states:us-east-1:000000000000:execution:Flow:one',
      name: 'one',
      roleArn: 'arn:aws:iam::000000000000:role/FlowRole',
      startMs,
      input: text,
      stateMachineArn: MACHINE_ARN,
      stateMachineName: 'Flow',
    },
    clock: {
      ...clock,
      sleep: (seconds, ended) => {
        onSleep?.(seconds);
        return clock.sleep(seconds, ended);
      },
    },
    history,
    signal,
    ...(random && { random }),
    runTask: async ({ state, resource, parameters }) => {
      const isIntegration = resource === LAMBDA_INVOKE;
      const event = isIntegration ? (parameters as { Payload?: unknown }).Payload : parameters;
      const result = (await tasks[state]?.(copied(event) as never)) ?? null;
      return isIntegration ? { ExecutedVersion: '$LATEST', Payload: result, StatusCode: 200 } : result;
    },
  }).finally(() => {
    isOver = true;
  });
  await time.run(
    () => isOver,
    Infinity,
    () => {},
  );
  const outcome = await running;
  if (outcome) history.ended(outcome);
  return {
    status: outcome?.status,
    error: outcome?.error,
    cause: outcome?.cause,
    output: outcome?.output === undefined ? undefined : JSON.parse(outcome.output),
    events: history.events,
    elapsedSeconds: (time.nowMs - startMs) / SECOND_MS,
  };
}

/** Functions and executions share no objects: what they exchange is JSON. */
function copied(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
