/**
 * Intrinsic functions. The local runtime supports States.Format, whose arguments are strings in single quotes,
 * numbers, true, false, null, reference paths, or States.Format again.
 */
import { pathFault, requireValue, type Scope } from './paths.ts';
import { runtimeError } from './state-error.ts';

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
