/**
 * Runs state machines as fast as possible, waits included, for simulations of many hours with many seeds: an
 * interpreter of the part of the Amazon States Language that readDefinition accepts, with reference paths only
 * ($.a.b[0], $$.Execution.Name) and of the intrinsic functions none. What it does not know, it refuses by an Error.
 * simulate-state-machine.test.ts holds it to what the local runtime does.
 */
import { wildcard } from '../../../../infra/local/iam/wildcards.ts';
import type { Definition, State, TaskState } from '../../../../infra/local/stepfunctions/definition.ts';
import { LAMBDA_INVOKE } from '../../../../infra/local/stepfunctions/definition.ts';

type Json = unknown;
type Of<Type extends State['Type']> = Extract<State, { Type: Type }>;

export interface SimulationOptions {
  readonly definition: Definition;
  readonly input: Json;
  /** By state: what the function does with its event. An error is known by its name; a crash may be one too. */
  readonly tasks: Readonly<Record<string, (event: never) => Json | Promise<Json>>>;
  /** Called at each Wait state and before each retry, to move the clock. The run goes on when it is done. */
  onWait?(seconds: number, state: string): void | Promise<void>;
  /** What $$ is, such as {Execution: {Name: 'a'}}. */
  readonly context?: Json;
  /** Between 0 and 1, for the jitter of retries; a seeded one makes a run repeatable. */
  random?(): number;
  /** StopExecution: no step begins after it. */
  readonly signal?: AbortSignal;
}

export interface SimulationOutcome {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  readonly output?: Json;
  readonly error?: string;
  readonly cause?: string;
  /** How many events the history has. */
  readonly events: number;
  /** What was waited, in seconds. */
  readonly waitedSeconds: number;
}

export async function simulateStateMachine(options: SimulationOptions): Promise<SimulationOutcome> {
  return new Simulation(options).run();
}

/** An error that neither Retry nor Catch can match. */
class TerminalError extends Error {
  override readonly name = 'States.Runtime';
}

class Over extends Error {
  readonly status: 'TIMED_OUT' | 'ABORTED';

  constructor(status: 'TIMED_OUT' | 'ABORTED') {
    super(status);
    this.status = status;
  }
}

class Simulation {
  readonly #options: SimulationOptions;
  #events = 0;
  #waitedSeconds = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
  }

  async run(): Promise<SimulationOutcome> {
    const { definition, input } = this.#options;
    this.#events = 1;
    let data = input;
    let name: string | undefined = definition.StartAt;
    try {
      while (name !== undefined) {
        const state: State | undefined = definition.States[name];
        if (state === undefined) throw new TerminalError(`There is no state ${name}`);
        this.#events += 1;
        const step: Step = await this.#step(name, state, data);
        this.#events += 1;
        this.#refuseStopped();
        ({ data, next: name } = step);
      }
      return this.#outcome('SUCCEEDED', { output: data });
    } catch (error) {
      if (error instanceof Over) return this.#outcome(error.status, {});
      const { name: errorName, message } = error as Error;
      return this.#outcome('FAILED', { error: errorName, cause: message });
    }
  }

  #outcome(
    status: SimulationOutcome['status'],
    result: Pick<SimulationOutcome, 'output' | 'error' | 'cause'>,
  ): SimulationOutcome {
    return { status, ...result, events: this.#events + 1, waitedSeconds: this.#waitedSeconds };
  }

  #refuseStopped(): void {
    if (this.#options.signal?.aborted) throw new Over('ABORTED');
  }

  async #step(name: string, state: State, raw: Json): Promise<Step> {
    if (state.Type === 'Fail') throw failure(state, raw, this.#options.context);
    const input = this.#path(state.InputPath, raw);
    switch (state.Type) {
      case 'Succeed':
        return { data: this.#path(state.OutputPath, input), next: undefined };
      case 'Choice':
        return { data: this.#path(state.OutputPath, input), next: this.#chosen(state, input) };
      case 'Wait':
        await this.#wait(this.#seconds(state, input), name);
        return { data: this.#path(state.OutputPath, input), next: state.Next };
      case 'Pass': {
        const passed = state.Result ?? this.#template(state.Parameters, input);
        return { data: this.#output(state, raw, passed), next: state.Next };
      }
      case 'Task':
        return this.#task(name, state, raw, this.#template(state.Parameters, input));
    }
  }

  async #task(name: string, state: TaskState, raw: Json, parameters: Json): Promise<Step> {
    const attempts = new Array<number>(state.Retry?.length ?? 0).fill(0);
    while (true) {
      this.#events += 3;
      try {
        const result = await this.#invoke(name, state, parameters);
        const selected =
          state.ResultSelector === undefined ? result : this.#template(state.ResultSelector, result);
        return { data: this.#output(state, raw, selected), next: state.Next };
      } catch (error) {
        this.#refuseStopped();
        if (error instanceof TerminalError || error instanceof Over) throw error;
        const { name: errorName, message } = error as Error;
        const index = (state.Retry ?? []).findIndex(({ ErrorEquals }) => isOneOf(errorName, ErrorEquals));
        const retrier = state.Retry?.[index];
        const attempt = attempts[index] ?? 0;
        if (retrier !== undefined && attempt < (retrier.MaxAttempts ?? 3)) {
          attempts[index] = attempt + 1;
          const { IntervalSeconds = 1, BackoffRate = 2, MaxDelaySeconds = Infinity } = retrier;
          const seconds = Math.min(IntervalSeconds * BackoffRate ** attempt, MaxDelaySeconds);
          const { random = Math.random } = this.#options;
          await this.#wait(retrier.JitterStrategy === 'FULL' ? seconds * random() : seconds, name);
          continue;
        }
        const catcher = state.Catch?.find(({ ErrorEquals }) => isOneOf(errorName, ErrorEquals));
        if (catcher === undefined) throw error;
        const caught = { Error: errorName, Cause: message };
        return { data: withResult(catcher.ResultPath, raw, caught), next: catcher.Next };
      }
    }
  }

  async #invoke(name: string, { Resource }: TaskState, parameters: Json): Promise<Json> {
    const task = this.#options.tasks[name];
    if (task === undefined) throw new TerminalError(`No task is given for the state ${name}`);
    const isIntegration = Resource === LAMBDA_INVOKE;
    const event = isIntegration ? ((parameters as { Payload?: Json }).Payload ?? {}) : parameters;
    // What a function gets and gives is a copy, as if it were elsewhere.
    const result = copied(await task(copied(event) as never));
    return isIntegration ? { ExecutedVersion: '$LATEST', Payload: result, StatusCode: 200 } : result;
  }

  async #wait(seconds: number, name: string): Promise<void> {
    const { definition, onWait } = this.#options;
    const restSeconds = (definition.TimeoutSeconds ?? Infinity) - this.#waitedSeconds;
    const waited = Math.min(seconds, restSeconds);
    this.#waitedSeconds += waited;
    await onWait?.(waited, name);
    this.#refuseStopped();
    if (seconds >= restSeconds) throw new Over('TIMED_OUT');
  }

  #seconds({ Seconds, SecondsPath }: Of<'Wait'>, input: Json): number {
    const seconds = SecondsPath === undefined ? Seconds : this.#path(SecondsPath, input);
    if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0) {
      throw new TerminalError(`The wait is no number of seconds: ${JSON.stringify(seconds)}`);
    }
    return seconds;
  }

  #output(state: Of<'Task'> | Of<'Pass'>, raw: Json, result: Json): Json {
    return this.#path(state.OutputPath, withResult(state.ResultPath, raw, result));
  }

  #path(path: string | null | undefined, data: Json): Json {
    if (path === null) return {};
    return path === undefined ? data : present(path, data, this.#options.context);
  }

  #template(template: Json, data: Json): Json {
    return template === undefined ? data : filled(template, data, this.#options.context);
  }

  #chosen({ Choices, Default }: Of<'Choice'>, input: Json): string {
    const chosen = Choices.find(rule => applies(rule, input, this.#options.context));
    const next = (chosen?.Next as string | undefined) ?? Default;
    if (next === undefined) throw named('States.NoChoiceMatched', 'No choice matched');
    return next;
  }
}

interface Step {
  readonly data: Json;
  readonly next: string | undefined;
}

function failure(state: Of<'Fail'>, input: Json, context: Json): Error {
  const text = (constant: string | undefined, path: string | undefined) =>
    path === undefined ? constant : String(present(path, input, context));
  return named(text(state.Error, state.ErrorPath) ?? '', text(state.Cause, state.CausePath) ?? '');
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

function isOneOf(name: string, errorEquals: readonly string[]): boolean {
  return errorEquals.some(
    wanted =>
      wanted === name ||
      wanted === 'States.ALL' ||
      (wanted === 'States.TaskFailed' && name !== 'States.Timeout'),
  );
}

function copied(value: Json): Json {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

type Segments = readonly (string | number)[];
const segmentsByPath = new Map<string, Segments>();

function segments(path: string): Segments {
  const known = segmentsByPath.get(path);
  if (known !== undefined) return known;
  if (!/^\$\$?(\.[\w-]+|\[\d+\]|\['[^']+'\])*$/.test(path)) {
    throw new TerminalError(`The simulation knows no path such as ${path}`);
  }
  const found = [...path.matchAll(/\.([\w-]+)|\[(\d+)\]|\['([^']+)'\]/g)].map(([, field, index, quoted]) =>
    index === undefined ? (field ?? quoted ?? '') : Number(index),
  );
  segmentsByPath.set(path, found);
  return found;
}

/** What is at a path, or undefined when nothing is. */
function at(path: string, data: Json, context: Json): Json {
  let value = path.startsWith('$$') ? context : data;
  for (const segment of segments(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string | number, Json>)[segment];
  }
  return value;
}

function present(path: string, data: Json, context: Json): Json {
  const value = at(path, data, context);
  if (value === undefined) throw new TerminalError(`Path expression '${path}' does not point to a value`);
  return value;
}

function filled(template: Json, data: Json, context: Json): Json {
  if (Array.isArray(template)) return template.map(item => filled(item, data, context));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) =>
      key.endsWith('.$')
        ? [key.slice(0, -2), present(String(value), data, context)]
        : [key, filled(value, data, context)],
    ),
  );
}

function withResult(path: string | null | undefined, raw: Json, result: Json): Json {
  if (path === null) return raw;
  return path === undefined ? result : replaced(raw, segments(path), result);
}

function replaced(target: Json, [first, ...rest]: Segments, value: Json): Json {
  if (first === undefined) return value;
  if (typeof first === 'number') {
    const items = Array.isArray(target) ? [...target] : [];
    items[first] = replaced(items[first], rest, value);
    return items;
  }
  const fields = typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {};
  return { ...fields, [first]: replaced((fields as Record<string, Json>)[first], rest, value) };
}

type Rule = Readonly<Record<string, Json>>;
type Compare = (a: string | number, b: string | number) => boolean;

const COMPARISONS: Readonly<Record<string, Compare>> = {
  Equals: (a, b) => a === b,
  LessThan: (a, b) => a < b,
  LessThanEquals: (a, b) => a <= b,
  GreaterThan: (a, b) => a > b,
  GreaterThanEquals: (a, b) => a >= b,
};

const isTimestamp = (value: Json) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value);

const TYPE_TESTS: Readonly<Record<string, (value: Json) => boolean>> = {
  IsPresent: value => value !== undefined,
  IsNull: value => value === null,
  IsString: value => typeof value === 'string',
  IsNumeric: value => typeof value === 'number',
  IsBoolean: value => typeof value === 'boolean',
  IsTimestamp: isTimestamp,
};

function applies(rule: Rule, input: Json, context: Json): boolean {
  const { And, Or, Not, Variable } = rule;
  if (And !== undefined) return (And as Rule[]).every(inner => applies(inner, input, context));
  if (Or !== undefined) return (Or as Rule[]).some(inner => applies(inner, input, context));
  if (Not !== undefined) return !applies(Not as Rule, input, context);
  const [operator = '', operand] =
    Object.entries(rule).find(([key]) => !['Variable', 'Next', 'Comment'].includes(key)) ?? [];
  const typeTest = TYPE_TESTS[operator];
  if (typeTest !== undefined) {
    const value = (operator === 'IsPresent' ? at : present)(String(Variable), input, context);
    return typeTest(value) === operand;
  }
  const value = present(String(Variable), input, context);
  const [, type = '', comparison = '', byPath] =
    /^(String|Numeric|Boolean|Timestamp)(\w+?)(Path)?$/.exec(operator) ?? [];
  const wanted = byPath === undefined ? operand : present(String(operand), input, context);
  if (comparison === 'Matches' && typeof value === 'string') {
    return wildcard(String(wanted))(value);
  }
  const compare = COMPARISONS[comparison];
  if (compare === undefined) throw new TerminalError(`The simulation knows no operator ${operator}`);
  const isOfType = TYPE_TESTS[`Is${type}`];
  if (!isOfType?.(value)) return false;
  if (!isOfType(wanted)) throw new TerminalError(`What ${operator} compares with is of another type`);
  return type === 'Timestamp'
    ? compare(Date.parse(String(value)), Date.parse(String(wanted)))
    : compare(value as string, wanted as string);
}
