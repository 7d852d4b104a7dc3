import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

export interface Names {
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

type Condition = (item: Item | undefined, names: Names) => boolean;
type Operand = (item: Item | undefined, names: Names) => AttributeValue | undefined;

const conditions = new Map<string, Condition>();

/** Whether a condition holds: AND, OR, brackets, comparisons, attribute_exists and attribute_not_exists. */
export function holds(text: string | undefined, item: Item | undefined, names: Names): boolean {
  if (text === undefined) return true;
  let condition = conditions.get(text);
  if (!condition) {
    const tokens = text.match(/attribute_(?:not_)?exists|<=|>=|<>|[()=<>]|[:#]?\w+/g) ?? [];
    condition = anyOf(tokens);
    if (tokens.length > 0) throw new Error(`The condition is not understood: ${text}`);
    conditions.set(text, condition);
  }
  return condition(item, names);
}

function anyOf(tokens: string[]): Condition {
  const parts = [allOf(tokens)];
  while (tokens[0] === 'OR') {
    tokens.shift();
    parts.push(allOf(tokens));
  }
  return (item, names) => parts.some(part => part(item, names));
}

function allOf(tokens: string[]): Condition {
  const parts = [one(tokens)];
  while (tokens[0] === 'AND') {
    tokens.shift();
    parts.push(one(tokens));
  }
  return (item, names) => parts.every(part => part(item, names));
}

function one(tokens: string[]): Condition {
  const first = tokens.shift() ?? '';
  if (first === '(') {
    const inner = anyOf(tokens);
    tokens.shift();
    return inner;
  }
  if (first.startsWith('attribute_')) {
    const [, name = ''] = tokens.splice(0, 3);
    const isWanted = first === 'attribute_exists';
    return (item, names) => (operand(name)(item, names) !== undefined) === isWanted;
  }
  const [comparison = '', second = ''] = tokens.splice(0, 2);
  const [left, right] = [operand(first), operand(second)];
  return (item, names) => compare(left(item, names), comparison, right(item, names));
}

function operand(token: string): Operand {
  if (token.startsWith(':'))
    return (_, { ExpressionAttributeValues = {} }) => ExpressionAttributeValues[token];
  return (item, { ExpressionAttributeNames = {} }) => item?.[ExpressionAttributeNames[token] ?? token];
}

/** What is not there compares with nothing. */
function compare(left: AttributeValue | undefined, comparison: string, right: AttributeValue | undefined) {
  if (!left || !right || (left.S === undefined) !== (right.S === undefined)) return false;
  const [one, other] = left.S === undefined ? [Number(left.N), Number(right.N)] : [left.S, String(right.S)];
  switch (comparison) {
    case '=':
      return one === other;
    case '<':
      return one < other;
    case '<=':
      return one <= other;
    case '>':
      return one > other;
    case '>=':
      return one >= other;
    default:
      throw new Error(`The comparison is not understood: ${comparison}`);
  }
}

/** The item after `SET a = :a, b = b + :b`. */
export function updated(text: string, item: Item, names: Names): Item {
  const [, assignments] = /^SET (.*)$/.exec(text) ?? [];
  if (assignments === undefined) throw new Error(`The update is not understood: ${text}`);
  const news = assignments.split(', ').map(assignment => {
    const [, name = '', first = '', second] = /^(#?\w+) = ([:\w]+)(?: \+ ([:\w]+))?$/.exec(assignment) ?? [];
    if (!first) throw new Error(`The assignment is not understood: ${assignment}`);
    const value = operand(first)(item, names);
    const added = second && operand(second)(item, names);
    const sum = added ? { N: String(Number(value?.N) + Number(added.N)) } : value;
    return [names.ExpressionAttributeNames?.[name] ?? name, sum];
  });
  return { ...item, ...Object.fromEntries(news) };
}
