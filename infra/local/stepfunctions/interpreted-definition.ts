import type { StateMachineDefinition } from 'aws-local-stepfunctions';
import { exactRule } from './choice-rules.ts';
import type { Definition, State } from './definition.ts';

/** The longest time that a timer takes; a longer one would be over at once. */
const LONGEST_TIMER_SECONDS = 2_147_483;

/**
 * A definition in the form in which the interpreter does with it what AWS does:
 * - waits are tasks, whose handler is given the seconds and waits as long as the clock says;
 * - the intervals of retries, and the time-out of the whole, are scaled;
 * - a task without a time-out has none, instead of 60 seconds;
 * - the result path $, which would be taken for a field of that name, is left out;
 * - choices check the types of what they compare;
 * - the start time is read where the interpreter does not put its own.
 */
export function interpretedDefinition(definition: Definition, waitScale: number): StateMachineDefinition {
  const { StartAt, States, TimeoutSeconds } = definition;
  const timeoutSeconds = TimeoutSeconds === undefined ? Infinity : TimeoutSeconds * waitScale;
  const interpreted = {
    StartAt,
    States: Object.fromEntries(
      Object.entries(States).map(([name, state]) => [name, interpretedState(state, waitScale)]),
    ),
    ...(timeoutSeconds <= LONGEST_TIMER_SECONDS && { TimeoutSeconds: timeoutSeconds }),
  };
  return JSON.parse(JSON.stringify(interpreted).replaceAll('$$.Execution.StartTime', '$$$$.StartTime'));
}

function interpretedState(state: State, waitScale: number): unknown {
  switch (state.Type) {
    case 'Choice':
      return { ...state, Choices: state.Choices.map(exactRule) };
    case 'Wait': {
      const { Type, Seconds, SecondsPath, ...rest } = state;
      return {
        ...rest,
        Type: 'Task',
        TimeoutSeconds: LONGEST_TIMER_SECONDS,
        ...(SecondsPath !== undefined && { Parameters: { 'input.$': '$', 'seconds.$': SecondsPath } }),
      };
    }
    case 'Pass':
      return withoutRootResultPath(state);
    case 'Task': {
      const { Retry = [], Catch = [], TimeoutSeconds, TimeoutSecondsPath } = state;
      return {
        ...withoutRootResultPath(state),
        ...(TimeoutSecondsPath === undefined && {
          TimeoutSeconds: Math.min(TimeoutSeconds ?? Infinity, LONGEST_TIMER_SECONDS),
        }),
        Retry: Retry.map(retrier => ({
          ...retrier,
          IntervalSeconds: retrier.IntervalSeconds * waitScale,
          ...(retrier.MaxDelaySeconds !== undefined && {
            MaxDelaySeconds: retrier.MaxDelaySeconds * waitScale,
          }),
        })),
        Catch: Catch.map(withoutRootResultPath),
      };
    }
    default:
      return state;
  }
}

function withoutRootResultPath<Step extends { ResultPath?: string | null | undefined }>(
  step: Step,
): Omit<Step, 'ResultPath'> {
  const { ResultPath, ...rest } = step;
  return ResultPath === '$' || ResultPath === undefined ? rest : { ...rest, ResultPath };
}
