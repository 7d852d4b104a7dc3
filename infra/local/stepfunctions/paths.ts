/**
 * Reference paths: $ is the input of a state, $$ the context object, and what follows are fields and indexes
 * ($.certificate.arn, $['a b'], $.records[0], $$.Execution.Name). The local runtime supports no other JSONPath.
 */
import { runtimeError, StateError } from './state-error.ts';

const REFERENCE_PATH = /^\$\$?(\.[\w-]+|\[\d+\]|\['[^'\\]+'\]|\["[^"\\]+"\])*$/;
/** The context object has no Task and no Map: the local runtime supports neither callbacks nor Map states. */
const CONTEXT_PATH = /^\$\$(\.(Execution|State|StateMachine)\b|$)/;
/** $, or fields below it. AWS also takes indexes of existing items, which the local runtime does not support. */
const RESULT_PATH = /^\$(\.[\w-]+)*$/;
const SEGMENTS = /\.([\w-]+)|\[(\d+)\]|\['([^']+)'\]|\["([^"]+)"\]/g;

/** What an expression of a state may read. */
export interface Scope {
  readonly input: unknown;
  readonly context: unknown;
}

type Segment = string | number;

/** The segments of each path that was read before: a definition is run many times. */
const segmentsByPath = new Map<string, readonly Segment[]>();

/** Why the local runtime does not support a path; undefined when it does. */
export function pathFault(path: string): string | undefined {
  if (!REFERENCE_PATH.test(path)) return `only reference paths such as $.a.b[0] are supported, not ${path}`;
  if (!path.startsWith('$$') || CONTEXT_PATH.test(path)) return undefined;
  return `the context object has only Execution, State and StateMachine, not ${path}`;
}

export function isResultPath(path: string): boolean {
  return RESULT_PATH.test(path);
}

/** The value at a path; undefined when there is none. */
export function findValue(path: string, { input, context }: Scope): unknown {
  let value = path.startsWith('$$') ? context : input;
  for (const segment of segmentsOf(path)) {
    value = child(value, segment);
  }
  return value;
}

/** The value at a path; a path without one fails the execution. The field is where the definition has the path. */
export function requireValue(path: string, field: string, scope: Scope): unknown {
  const value = findValue(path, scope);
  if (scope.input === null && !path.startsWith('$$')) {
    throw runtimeError('Unable to apply Path transformation to null or empty input.');
  }
  if (value === undefined) {
    const searched = JSON.stringify(path.startsWith('$$') ? scope.context : scope.input);
    throw runtimeError(
      `The JSONPath '${path}' specified for the field '${field}' could not be found in the input '${searched}'`,
    );
  }
  return value;
}

/** InputPath and OutputPath: absent they pass everything on, null passes an empty object. */
export function filter(path: string | null | undefined, field: string, scope: Scope): unknown {
  if (path === null) return {};
  return path === undefined ? scope.input : requireValue(path, field, scope);
}

/** ResultPath: absent the result replaces the input, null discards the result, a path puts it into the input. */
export function withResult(path: string | null | undefined, input: unknown, result: unknown): unknown {
  if (path === null) return input;
  return path === undefined ? result : withValue(input, segmentsOf(path), result, path);
}

function segmentsOf(path: string): readonly Segment[] {
  const known = segmentsByPath.get(path);
  if (known !== undefined) return known;
  const segments = [...path.matchAll(SEGMENTS)].map(([, name, index, quoted, doubleQuoted]) =>
    index === undefined ? (name ?? quoted ?? doubleQuoted ?? '') : Number(index),
  );
  segmentsByPath.set(path, segments);
  return segments;
}

function child(value: unknown, segment: Segment): unknown {
  if (Array.isArray(value)) return typeof segment === 'number' ? value[segment] : undefined;
  return isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

function withValue(target: unknown, segments: readonly Segment[], value: unknown, path: string): unknown {
  const [first, ...rest] = segments;
  if (first === undefined) return value;
  if (target !== undefined && !isObject(target)) {
    throw new StateError(
      'States.ResultPathMatchFailure',
      `Unable to apply ReferencePath ${path} to input ${JSON.stringify(target)}`,
    );
  }
  const present = target !== undefined && Object.hasOwn(target, first) ? target[first] : undefined;
  return { ...target, [first]: withValue(present, rest, value, path) };
}

function isObject(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
