/**
 * The filter patterns of CloudWatch Logs: terms (`ERROR "no table" -debug`, `?a ?b`) and JSON patterns
 * (`{ ($.status = 503) && ($.keyId != "-") }`). Patterns of columns ([a, b]) and regular expressions (%…%) are not supported.
 */
import { matchesWildcards } from '../iam/wildcards.ts';

/** Whether an event's message matches. */
export type FilterPattern = (message: string) => boolean;

/** Reads a pattern. Throws a FilterPatternError for one that is invalid or not supported. */
export function filterPattern(text: string): FilterPattern {
  const pattern = text.trim();
  if (pattern.startsWith('[')) {
    throw new FilterPatternError('A filter pattern of columns', { isUnsupported: true });
  }
  return pattern.startsWith('{') ? jsonPattern(pattern) : termsPattern(pattern);
}

/** A term of letters, digits and underscores, or in quotes, where a backslash escapes a quote. */
const TERM = /([?-]?)(?:"((?:[^"\\]|\\.)+)"|(\w+))(?=\s|$)\s*/y;

/** Terms are whole words; case matters. An event matches if it has all of them, or one of those with a question mark. */
function termsPattern(text: string): FilterPattern {
  const terms: Record<'' | '?' | '-', FilterPattern[]> = { '': [], '?': [], '-': [] };
  TERM.lastIndex = 0;
  while (TERM.lastIndex < text.length) {
    const rest = text.slice(TERM.lastIndex);
    if (/^[?-]?%/.test(rest)) {
      throw new FilterPatternError('A regular expression in a filter pattern', { isUnsupported: true });
    }
    const match = TERM.exec(text);
    if (match === null) throw new FilterPatternError(`a term is neither a word nor in quotes: ${rest}`);
    const [, sign = '', quoted, word] = match;
    terms[sign as '' | '?' | '-'].push(containsTerm(quoted?.replaceAll(/\\(.)/g, '$1') ?? word ?? ''));
  }
  const { '': required, '?': alternatives, '-': excluded } = terms;
  // AWS ignores alternatives beside required terms.
  const isFound: FilterPattern =
    required.length === 0 && alternatives.length > 0
      ? message => alternatives.some(has => has(message))
      : message => required.every(has => has(message));
  return message => isFound(message) && !excluded.some(has => has(message));
}

function containsTerm(term: string): FilterPattern {
  const isWordCharacter = (character = '') => /\w/.test(character);
  return message => {
    for (let at = message.indexOf(term); at >= 0; at = message.indexOf(term, at + 1)) {
      const isInsideWord =
        (isWordCharacter(term[0]) && isWordCharacter(message[at - 1])) ||
        (isWordCharacter(term.at(-1)) && isWordCharacter(message[at + term.length]));
      if (!isInsideWord) return true;
    }
    return false;
  };
}

type Condition = (event: unknown) => boolean;

const CONSTANTS = new Map<string, unknown>([
  ['NULL', null],
  ['TRUE', true],
  ['FALSE', false],
]);

/** Punctuation, a selector, a text in quotes, or a word: a keyword, a number or a text with wildcards. */
const TOKEN =
  /\s*(?:(&&|\|\||!=|<=|>=|[(){}=<>])|(\$(?:\.[\w-]+|\[\d+\])+)|"((?:[^"\\]|\\.)*)"|([\w.*+-]+))\s*/y;

interface Token {
  readonly kind: 'punctuation' | 'selector' | 'text' | 'word';
  readonly value: string;
}

/** Reads a JSON pattern in its braces. An event that is not a JSON object or array does not match. */
function jsonPattern(pattern: string): (message: string) => boolean {
  const tokens = tokensOf(pattern);
  const next = (value?: string): Token => {
    const token = tokens.shift();
    if (token === undefined) throw new FilterPatternError('it ends too early');
    if (value !== undefined && token.value !== value) throw unexpected(token);
    return token;
  };
  const isNext = (value: string) => tokens[0]?.value === value && tokens[0].kind !== 'text';

  const joined = (operator: string, operand: () => Condition, join: 'some' | 'every'): Condition => {
    const operands = [operand()];
    while (isNext(operator)) {
      next();
      operands.push(operand());
    }
    return event => operands[join](holds => holds(event));
  };
  const alternatives = (): Condition => joined('||', requirements, 'some');
  const requirements = (): Condition => joined('&&', primary, 'every');
  const primary = (): Condition => {
    if (!isNext('(')) return condition(next, isNext);
    next('(');
    const inner = alternatives();
    next(')');
    return inner;
  };

  next('{');
  const holds = alternatives();
  next('}');
  const [surplus] = tokens;
  if (surplus !== undefined) throw unexpected(surplus);
  return message => {
    const event = parsed(message);
    return typeof event === 'object' && event !== null && holds(event);
  };
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < pattern.length) {
    const rest = pattern.slice(TOKEN.lastIndex);
    if (/^\s*%/.test(rest)) {
      throw new FilterPatternError('A regular expression in a filter pattern', { isUnsupported: true });
    }
    const match = TOKEN.exec(pattern);
    if (match === null) throw new FilterPatternError(`it cannot be read from here on: ${rest}`);
    const [, punctuation, selector, text, word] = match;
    if (punctuation !== undefined) tokens.push({ kind: 'punctuation', value: punctuation });
    else if (selector !== undefined) tokens.push({ kind: 'selector', value: selector });
    else if (text !== undefined) tokens.push({ kind: 'text', value: text.replaceAll(/\\(.)/g, '$1') });
    else tokens.push({ kind: 'word', value: word ?? '' });
  }
  return tokens;
}

function unexpected({ value }: Token): FilterPatternError {
  return new FilterPatternError(`${value} is not expected there`);
}

/** `$.a = value`, `$.a IS NULL`, `$.a IS TRUE`, `$.a IS FALSE`, `$.a EXISTS` or `$.a NOT EXISTS`. */
function condition(next: (value?: string) => Token, isNext: (value: string) => boolean): Condition {
  const selector = next();
  if (selector.kind !== 'selector') throw unexpected(selector);
  const select = selectorOf(selector.value);
  if (isNext('EXISTS')) {
    next();
    return event => select(event) !== undefined;
  }
  if (isNext('NOT')) {
    next();
    next('EXISTS');
    return event => select(event) === undefined;
  }
  if (isNext('IS')) {
    next();
    const constant = next();
    if (!CONSTANTS.has(constant.value)) throw unexpected(constant);
    return event => select(event) === CONSTANTS.get(constant.value);
  }
  return comparison(select, next(), next());
}

const ORDER: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

/** A number is compared with numbers, a text with texts. A value that is missing or of another type does not match. */
function comparison(select: (event: unknown) => unknown, operator: Token, operand: Token): Condition {
  const number = operand.kind === 'word' ? Number(operand.value) : Number.NaN;
  const inOrder = ORDER[operator.value];
  if (inOrder !== undefined) {
    if (Number.isNaN(number)) throw unexpected(operand);
    return event => {
      const value = select(event);
      return typeof value === 'number' && inOrder(value, number);
    };
  }
  if (operator.value !== '=' && operator.value !== '!=') throw unexpected(operator);
  if (operand.kind !== 'text' && operand.kind !== 'word') throw unexpected(operand);
  if (operand.kind === 'word' && Number.isNaN(number) && /[+-]/.test(operand.value))
    throw unexpected(operand);
  const wantsEqual = operator.value === '=';
  return event => {
    const value = select(event);
    if (!Number.isNaN(number)) return typeof value === 'number' && (value === number) === wantsEqual;
    return typeof value === 'string' && isLike(operand.value, value) === wantsEqual;
  };
}

/** A star stands for any characters; matchesWildcards also has a question mark, which is an ordinary character here. */
function isLike(pattern: string, text: string): boolean {
  return pattern.includes('*') ? matchesWildcards(pattern, text) : pattern === text;
}

/** The value at a selector such as `$.a.b` or `$.list[0]`; undefined where there is none. */
function selectorOf(selector: string): (event: unknown) => unknown {
  const keys = [...selector.matchAll(/\.([\w-]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index ?? '');
  return event =>
    keys.reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      event,
    );
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}

/** Why a filter pattern cannot be read. */
export class FilterPatternError extends Error {
  override readonly name = 'FilterPatternError';
  /** Whether AWS accepts the pattern but the local AWS does not. */
  readonly isUnsupported: boolean;

  constructor(message: string, { isUnsupported = false } = {}) {
    super(message);
    this.isUnsupported = isUnsupported;
  }
}
