/** How the states of a definition lead to one another. */
import type { Definition, State } from './definition.ts';

type Refuse = (what: string) => never;

/** Rejects a definition with a transition to a state that does not exist, or with a state that cannot be reached. */
export function checkTransitions({ StartAt, States }: Definition, refuse: Refuse): void {
  const requireState = (name: string, from: string) => {
    if (!Object.hasOwn(States, name)) refuse(`${from} leads to ${name}, which is not a state`);
  };
  requireState(StartAt, 'StartAt');
  for (const [name, state] of Object.entries(States)) {
    for (const target of targetsOf(state)) requireState(target, name);
    const fault = faultOf(state);
    if (fault) refuse(`${name} ${fault}`);
  }
  const reached = new Set([StartAt]);
  for (const name of reached) {
    for (const target of targetsOf(States[name] as State)) reached.add(target);
  }
  const unreached = Object.keys(States).find(name => !reached.has(name));
  if (unreached !== undefined) refuse(`nothing leads to ${unreached}`);
  if (!Object.values(States).some(isTerminal)) refuse('it has no end');
}

function targetsOf(state: State): string[] {
  const chosen = 'Choices' in state ? state.Choices.map(({ Next }) => String(Next)) : [];
  const fallback = 'Default' in state && state.Default !== undefined ? [state.Default] : [];
  const next = 'Next' in state && state.Next !== undefined ? [state.Next] : [];
  const caught = 'Catch' in state ? (state.Catch ?? []).map(({ Next }) => Next) : [];
  return [...chosen, ...fallback, ...next, ...caught];
}

function isTerminal(state: State): boolean {
  return state.Type === 'Succeed' || state.Type === 'Fail' || ('End' in state && state.End === true);
}

/** Why AWS rejects a state, apart from where it leads. */
function faultOf(state: State): string | undefined {
  if (state.Type === 'Choice' && state.Choices.length === 0) return 'has no choices';
  if ('End' in state && state.End !== undefined && state.Next !== undefined) return 'has Next and End';
  const isLinear = state.Type === 'Task' || state.Type === 'Pass' || state.Type === 'Wait';
  if (isLinear && state.End === undefined && state.Next === undefined) return 'has neither Next nor End';
  if (state.Type === 'Wait' && (state.Seconds === undefined) === (state.SecondsPath === undefined)) {
    return 'needs either Seconds or SecondsPath';
  }
  if (state.Type === 'Task' && state.TimeoutSeconds !== undefined && state.TimeoutSecondsPath !== undefined) {
    return 'has TimeoutSeconds and TimeoutSecondsPath';
  }
  if (state.Type === 'Task') return errorEqualsFault(state.Retry) ?? errorEqualsFault(state.Catch);
  if (state.Type !== 'Fail') return undefined;
  if (state.Error !== undefined && state.ErrorPath !== undefined) return 'has Error and ErrorPath';
  return state.Cause !== undefined && state.CausePath !== undefined ? 'has Cause and CausePath' : undefined;
}

function errorEqualsFault(handlers: readonly { ErrorEquals: string[] }[] = []): string | undefined {
  const index = handlers.findIndex(({ ErrorEquals }) => ErrorEquals.includes('States.ALL'));
  if (index === -1) return undefined;
  if (handlers[index]?.ErrorEquals.length !== 1) return 'has States.ALL together with other errors';
  return index === handlers.length - 1 ? undefined : 'has States.ALL before other errors';
}
