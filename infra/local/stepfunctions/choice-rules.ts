/**
 * The rules of a Choice state. A comparison is true only for a value of the operator's type: a string "5" is less
 * than no number.
 */
import { findValue, type Scope } from './expressions.ts';
import { runtimeError } from './state-error.ts';

export type ChoiceRule = Readonly<Record<string, unknown>>;

type Test = (value: unknown) => boolean;
type Comparison = (value: string | number, operand: string | number) => boolean;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const TYPE_TESTS: Readonly<Record<string, Test>> = {
  IsNull: value => value === null,
  IsString: value => typeof value === 'string',
  IsNumeric: value => typeof value === 'number',
  IsBoolean: value => typeof value === 'boolean',
  IsTimestamp: value =>
    typeof value === 'string' && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
};

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  Equals: (value, operand) => value === operand,
  LessThan: (value, operand) => value < operand,
  LessThanEquals: (value, operand) => value <= operand,
  GreaterThan: (value, operand) => value > operand,
  GreaterThanEquals: (value, operand) => value >= operand,
};

interface Comparing {
  readonly type: 'String' | 'Numeric' | 'Boolean' | 'Timestamp';
  readonly compare: Comparison;
  /** Whether the operand is a path to what the value is compared with. */
  readonly isByPath: boolean;
}

const NOT_OPERATORS = ['Variable', 'Next', 'Comment'];
const COMPARING_BY_OPERATOR = new Map(
  (['String', 'Numeric', 'Boolean', 'Timestamp'] as const).flatMap(type =>
    Object.entries(COMPARISONS)
      .filter(([name]) => type !== 'Boolean' || name === 'Equals')
      .flatMap(([name, compare]): [string, Comparing][] => [
        [`${type}${name}`, { type, compare, isByPath: false }],
        [`${type}${name}Path`, { type, compare, isByPath: true }],
      ]),
  ),
);

/** The operator of a rule that is neither And, Or nor Not, and what it is given. */
export function operatorOf(rule: ChoiceRule): readonly [name: string, operand: unknown] {
  const [first, ...others] = Object.entries(rule).filter(([key]) => !NOT_OPERATORS.includes(key));
  return first === undefined || others.length > 0 ? ['', undefined] : first;
}

/** Whether an operator exists and takes the operand. */
export function isOperatorFor(operator: string, operand: unknown): boolean {
  if (operator === 'IsPresent' || Object.hasOwn(TYPE_TESTS, operator)) return typeof operand === 'boolean';
  if (operator === 'StringMatches') return typeof operand === 'string';
  const comparing = COMPARING_BY_OPERATOR.get(operator);
  if (comparing === undefined) return false;
  return comparing.isByPath ? typeof operand === 'string' : isOfType(comparing.type, operand);
}

export function matchesRule(rule: ChoiceRule, scope: Scope): boolean {
  const { And, Or, Not, Variable } = rule;
  if (And !== undefined) return (And as ChoiceRule[]).every(inner => matchesRule(inner, scope));
  if (Or !== undefined) return (Or as ChoiceRule[]).some(inner => matchesRule(inner, scope));
  if (Not !== undefined) return !matchesRule(Not as ChoiceRule, scope);
  const [operator, operand] = operatorOf(rule);
  const value = findValue(String(Variable), scope);
  if (operator === 'IsPresent') return (value !== undefined) === operand;
  if (value === undefined) throw invalidPath(Variable);
  const isTested = TYPE_TESTS[operator];
  if (isTested !== undefined) return isTested(value) === operand;
  if (operator === 'StringMatches') return typeof value === 'string' && matches(value, String(operand));
  const comparing = COMPARING_BY_OPERATOR.get(operator);
  return comparing !== undefined && isTrue(comparing, value, operand, scope);
}

function isTrue({ type, compare, isByPath }: Comparing, value: unknown, operand: unknown, scope: Scope) {
  const other = isByPath ? findValue(String(operand), scope) : operand;
  if (!isOfType(type, other)) throw invalidPath(operand);
  if (!isOfType(type, value)) return false;
  return type === 'Timestamp'
    ? compare(Date.parse(String(value)), Date.parse(String(other)))
    : compare(value as string, other as string);
}

function isOfType(type: Comparing['type'], value: unknown): boolean {
  return TYPE_TESTS[`Is${type}`]?.(value) ?? false;
}

/** Whether a string matches a pattern, in which * is any characters and \* an asterisk. */
function matches(value: string, pattern: string): boolean {
  const source = pattern.replaceAll(/\\([*\\])|(\*)|[\\^$.|?+()[\]{}]/g, (character, escaped, wildcard) => {
    if (wildcard !== undefined) return '.*';
    return `\\${escaped ?? character}`;
  });
  return new RegExp(`^${source}$`, 's').test(value);
}

function invalidPath(path: unknown) {
  return runtimeError(
    `Invalid path '${path}': The choice state's condition path references an invalid value.`,
  );
}
