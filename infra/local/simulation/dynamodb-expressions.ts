import { isDeepStrictEqual } from 'node:util';

/** An item in plain values, as the document client has it. */
export type Item = Record<string, unknown>;

export interface Names {
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

type Condition = (item: Item | undefined, names: Names) => boolean;
type Operand = (item: Item | undefined, names: Names) => unknown;

const conditions = new Map<string, Condition>();

/** Whether a condition holds. Supports AND, OR, brackets, comparisons, size of sets, attribute_exists and attribute_not_exists. */
export function holds(text: string | undefined, item: Item | undefined, names: Names): boolean {
  if (text === undefined) return true;
  let condition = conditions.get(text);
  if (!condition) {
    const tokens = text.match(/attribute_(?:not_)?exists|<=|>=|<>|[()=<>]|[:#]?\w+/g) ?? [];
    condition = anyOf(tokens);
    if (tokens.length > 0) throw new Error(`The model does not support the condition ${text}`);
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
  const left = first === 'size' ? sizeOf(tokens.splice(0, 3)[1]) : operand(first);
  const [comparison = '', second = ''] = tokens.splice(0, 2);
  const right = operand(second);
  return (item, names) => compare(left(item, names), comparison, right(item, names));
}

function operand(token: string): Operand {
  if (token.startsWith(':'))
    return (_, { ExpressionAttributeValues = {} }) => ExpressionAttributeValues[token];
  return (item, { ExpressionAttributeNames = {} }) => item?.[ExpressionAttributeNames[token] ?? token];
}

function sizeOf(name = ''): Operand {
  return (item, names) => (operand(name)(item, names) as Set<unknown> | undefined)?.size;
}

/** Values of different types, and one that is not there, are never equal, less or more. Maps are compared deeply. */
function compare(left: unknown, comparison: string, right: unknown): boolean {
  if (left === undefined || typeof left !== typeof right) return false;
  if (comparison === '=') return isDeepStrictEqual(left, right);
  if (comparison === '<>') return !isDeepStrictEqual(left, right);
  const [one, other] = [left as number | string, right as number | string];
  switch (comparison) {
    case '<':
      return one < other;
    case '<=':
      return one <= other;
    case '>':
      return one > other;
    case '>=':
      return one >= other;
    default:
      throw new Error(`The model does not support the comparison ${comparison}`);
  }
}

/** The item after `SET a = :a, b = b + :b`, or after `DELETE c :c ADD d :d` of sets, or after both; or after `REMOVE e, f`. */
export function updated(text: string, item: Item, names: Names): Item {
  const [, removed] = /^REMOVE (#?\w+(?:, #?\w+)*)$/.exec(text) ?? [];
  if (removed !== undefined) return without(removed.split(', '), item, names);
  const [, assignments, setChanges] = /^(?:SET (.*?))?(?:^| |$)((?:ADD|DELETE) .*)?$/.exec(text) ?? [];
  if (assignments === undefined && setChanges === undefined)
    throw new Error(`The model does not support the update ${text}`);
  const assigned = assignments === undefined ? item : afterAssignments(assignments, item, names);
  return setChanges === undefined ? assigned : afterSetChanges(setChanges, assigned, names);
}

function afterAssignments(assignments: string, item: Item, names: Names): Item {
  const changes = assignments.split(', ').map(assignment => {
    const [, name = '', first = '', second] =
      /^(#?\w+) = ([:#\w]+)(?: \+ ([:#\w]+))?$/.exec(assignment) ?? [];
    if (!first) throw new Error(`The model does not support the assignment ${assignment}`);
    const value = operand(first)(item, names);
    const added = second && operand(second)(item, names);
    return [names.ExpressionAttributeNames?.[name] ?? name, second ? Number(value) + Number(added) : value];
  });
  return { ...item, ...Object.fromEntries(changes) };
}

function without(removed: readonly string[], item: Item, { ExpressionAttributeNames = {} }: Names): Item {
  const isKept = (name: string) => removed.every(each => (ExpressionAttributeNames[each] ?? each) !== name);
  return Object.fromEntries(Object.entries(item).filter(([name]) => isKept(name)));
}

/** DynamoDB has no empty sets: an attribute whose last element is deleted is gone. */
function afterSetChanges(text: string, item: Item, names: Names): Item {
  const clauses = [...text.matchAll(/(ADD|DELETE) (\w+ :\w+(?:, \w+ :\w+)*)/g)];
  if (clauses.map(([clause]) => clause).join(' ') !== text)
    throw new Error(`The model does not support the update ${text}`);
  const changed = { ...item };
  for (const [, action, changes = ''] of clauses) {
    for (const [name = '', value = ''] of changes.split(', ').map(change => change.split(' '))) {
      const present = (changed[name] as Set<string> | undefined) ?? new Set();
      const given = operand(value)(item, names) as Set<string>;
      const next = action === 'ADD' ? present.union(given) : present.difference(given);
      changed[name] = next.size > 0 ? next : undefined;
    }
  }
  return changed;
}
