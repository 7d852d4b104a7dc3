/**
 * Choice rules as the interpreter has to be given them to decide as AWS does: there a value of another type than the
 * operator's matches nothing, here it would be converted first; and {"IsPresent": false} would never match.
 */

const NO_OPERATORS = ['Variable', 'Next', 'Comment'];

export type ChoiceRule = Readonly<Record<string, unknown>>;

const TYPE_TEST_BY_OPERATOR: readonly (readonly [prefix: string, typeTest: string])[] = [
  ['String', 'IsString'],
  ['Numeric', 'IsNumeric'],
  ['Boolean', 'IsBoolean'],
  ['Timestamp', 'IsTimestamp'],
];

/** The rule with the type of each tested value checked before it is compared. */
export function exactRule(rule: ChoiceRule): ChoiceRule {
  const { And, Or, Not, Next, Variable } = rule;
  const next = Next === undefined ? {} : { Next };
  if (Array.isArray(And)) {
    return { And: And.map(exactRule), ...next };
  }
  if (Array.isArray(Or)) {
    return { Or: Or.map(exactRule), ...next };
  }
  if (Not !== undefined) {
    return { Not: exactRule(Not as ChoiceRule), ...next };
  }
  const [operator = '', operand] = Object.entries(rule).find(([key]) => !NO_OPERATORS.includes(key)) ?? [];
  const test = { Variable, [operator]: operand };
  if (operator.startsWith('Is')) {
    return operand === false ? { Not: { Variable, [operator]: true }, ...next } : { ...test, ...next };
  }
  const [, typeTest] = TYPE_TEST_BY_OPERATOR.find(([prefix]) => operator.startsWith(prefix)) ?? [];
  return typeTest === undefined
    ? { ...test, ...next }
    : { And: [{ Variable, [typeTest]: true }, test], ...next };
}
