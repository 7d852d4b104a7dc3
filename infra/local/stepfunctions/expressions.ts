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

/** Parameters and ResultSelector: the value of a field whose name ends with .$ is an expression. */
/** The template with its expressions evaluated; without a template, the input itself. */
export function fillTemplate(template: unknown, scope: Scope): unknown {
  return template === undefined ? scope.input : filled(template, scope);
}

/** The value of an expression: a reference path or the call of an intrinsic function. */
export function evaluateExpression(expression: string, field: string, scope: Scope): unknown {
  return isIntrinsicFunction(expression)
    ? evaluate(expression, field, scope)
    : requireValue(expression, field, scope);
}

function filled(template: unknown, scope: Scope): unknown {
  if (Array.isArray(template)) return template.map(item => filled(item, scope));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) =>
      key.endsWith('.$')
        ? [key.slice(0, -2), evaluateExpression(String(value), key, scope)]
        : [key, filled(value, scope)],
    ),
  );
}

/**
 * Intrinsic functions. The local runtime supports States.Format, whose arguments are strings in single quotes,
 * numbers, true, false, null, reference paths, or States.Format again.
 */
type Expression =
  | { readonly literal: number | boolean | null }
  | { readonly quoted: string }
  | { readonly path: string }
  | { readonly template: Expression; readonly values: readonly Expression[] };

const TOKEN = /\s*('(?:[^'\\]|\\.)*'|[^\s'(),]+|[(),])\s*/y;
const expressionsByText = new Map<string, Expression>();

export function isIntrinsicFunction(text: string): boolean {
  return text.startsWith('States.');
}

/** Why the local runtime cannot evaluate the call of an intrinsic function; undefined when it can. */
export function unsupportedIntrinsic(text: string): string | undefined {
  try {
    parsed(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The value of a call such as States.Format('{} of {}', $.name, $$.Execution.Name). */
export function evaluate(text: string, field: string, scope: Scope): unknown {
  return resolve(parsed(text), field, scope);
}

function resolve(expression: Expression, field: string, scope: Scope): unknown {
  if ('literal' in expression) return expression.literal;
  if ('quoted' in expression) return expression.quoted.replaceAll(/\\(.)/g, '$1');
  if ('path' in expression) return requireValue(expression.path, field, scope);
  const { template, values } = expression;
  return format(
    // A template keeps its escapes until its values are inserted: \\{\\} is text, {} is a placeholder.
    'quoted' in template ? template.quoted : resolve(template, field, scope),
    values.map(value => resolve(value, field, scope)),
  );
}

/** Replaces each {} of a template by the next value: a string as it is, any other value as JSON. */
function format(template: unknown, values: readonly unknown[]): string {
  if (typeof template !== 'string') {
    throw runtimeError('The first argument of States.Format is not a string');
  }
  let used = 0;
  const text = template.replaceAll(/\\(.)|\{\}/g, (_, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped;
    const value = values[used];
    used += 1;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  if (used !== values.length) {
    throw runtimeError(`States.Format has ${values.length} values for ${used} placeholders in '${template}'`);
  }
  return text;
}

function parsed(text: string): Expression {
  const known = expressionsByText.get(text);
  if (known !== undefined) return known;
  const tokens = tokensOf(text);
  const expression = parseExpression(tokens, text);
  if (tokens.length > 0) throw malformed(text);
  expressionsByText.set(text, expression);
  return expression;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; end < text.length; end = TOKEN.lastIndex) {
    const [, token] = TOKEN.exec(text) ?? [];
    if (token === undefined) throw malformed(text);
    tokens.push(token);
  }
  return tokens;
}

function parseExpression(tokens: string[], text: string): Expression {
  const token = tokens.shift() ?? '';
  if (token.startsWith("'")) return { quoted: token.slice(1, -1) };
  if (token.startsWith('$')) {
    const fault = pathFault(token);
    if (fault !== undefined) throw new Error(fault);
    return { path: token };
  }
  if (/^(-?\d+(\.\d+)?|true|false|null)$/.test(token)) return { literal: JSON.parse(token) };
  if (!isIntrinsicFunction(token)) throw malformed(text);
  if (token !== 'States.Format') {
    throw new Error(`the intrinsic function ${token} is not supported by the local runtime, in ${text}`);
  }
  const [template, ...values] = parseArguments(tokens, text);
  if (template === undefined) throw malformed(text);
  return { template, values };
}

function parseArguments(tokens: string[], text: string): Expression[] {
  const found: Expression[] = [];
  if (tokens.shift() !== '(') throw malformed(text);
  for (let separator: string | undefined = ','; separator === ','; separator = tokens.shift()) {
    found.push(parseExpression(tokens, text));
    if (tokens[0] !== ',' && tokens[0] !== ')') throw malformed(text);
  }
  return found;
}

function malformed(text: string): Error {
  return new Error(`the intrinsic function ${text} is malformed`);
}
