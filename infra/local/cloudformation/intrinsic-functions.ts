/** What the intrinsic functions of one place in a template refer to. */
export interface Scope {
  ref(name: string): unknown;
  getAtt(logicalId: string, attribute: string): unknown;
  condition(name: string): boolean;
  mapping(map: string, topLevelKey: string, secondLevelKey: string): unknown;
  refuse(what: string): never;
}

/** The value of AWS::NoValue: a property or list item with this value is removed. */
export const NO_VALUE = Symbol('AWS::NoValue');

/** Replaces every intrinsic function in a value by its result. */
export function resolve(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) {
    return value.map(item => resolve(item, scope)).filter(item => item !== NO_VALUE);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && isFunctionName(only[0])) {
    return call(only[0], only[1], scope);
  }
  return Object.fromEntries(
    entries.map(([key, item]) => [key, resolve(item, scope)]).filter(([, item]) => item !== NO_VALUE),
  );
}

/** Evaluates a condition: an expression of the Conditions section, or one within another. */
export function evaluateCondition(expression: unknown, scope: Scope): boolean {
  const [name, argument] = Object.entries(expression ?? {})[0] ?? ['nothing', undefined];
  switch (name) {
    case 'Condition':
      return scope.condition(String(argument));
    case 'Fn::Equals': {
      const [left, right] = list(resolve(argument, scope));
      return JSON.stringify(left) === JSON.stringify(right);
    }
    case 'Fn::Not':
      return !evaluateCondition(list(argument)[0], scope);
    case 'Fn::And':
      return list(argument).every(part => evaluateCondition(part, scope));
    case 'Fn::Or':
      return list(argument).some(part => evaluateCondition(part, scope));
    default:
      return scope.refuse(`the condition function ${name} is not supported by the local runtime`);
  }
}

function isFunctionName(key: string): boolean {
  return key === 'Ref' || key.startsWith('Fn::');
}

function call(name: string, argument: unknown, scope: Scope): unknown {
  switch (name) {
    case 'Ref':
      return scope.ref(String(argument));
    case 'Fn::GetAtt': {
      const [logicalId, attribute] = typeof argument === 'string' ? splitOnce(argument) : list(argument);
      return scope.getAtt(String(logicalId), String(resolve(attribute, scope)));
    }
    case 'Fn::Join': {
      const [separator, items] = list(argument);
      return list(resolve(items, scope)).map(String).join(String(separator));
    }
    case 'Fn::Sub':
      return substitute(argument, scope);
    case 'Fn::Select': {
      const [index, items] = list(resolve(argument, scope));
      const selected = list(items)[Number(index)];
      return selected ?? scope.refuse(`Fn::Select finds no item ${String(index)} in its list`);
    }
    case 'Fn::Split': {
      const [separator, text] = list(resolve(argument, scope));
      return String(text).split(String(separator));
    }
    case 'Fn::If': {
      const [condition, whenTrue, whenFalse] = list(argument);
      return resolve(scope.condition(String(condition)) ? whenTrue : whenFalse, scope);
    }
    case 'Fn::FindInMap': {
      const [map, topLevelKey, secondLevelKey] = list(resolve(argument, scope)).map(String);
      return scope.mapping(map ?? '', topLevelKey ?? '', secondLevelKey ?? '');
    }
    case 'Fn::Base64':
      return Buffer.from(String(resolve(argument, scope))).toString('base64');
    default:
      return scope.refuse(`the intrinsic function ${name} is not supported by the local runtime`);
  }
}

/** `${Name}` is a Ref, `${Name.Attribute}` a GetAtt, `${!Text}` the literal `${Text}`. */
function substitute(argument: unknown, scope: Scope): string {
  const [text, variables] = typeof argument === 'string' ? [argument, {}] : list(argument);
  const given = new Map(Object.entries(resolve(variables ?? {}, scope) as object));
  return String(text).replace(/\$\{([^}]+)\}/g, (_, expression: string) => {
    const name = expression.trim();
    if (name.startsWith('!')) {
      return `\${${name.slice(1)}}`;
    }
    if (given.has(name)) {
      return String(given.get(name));
    }
    const [logicalId, attribute] = splitOnce(name);
    return String(attribute === undefined ? scope.ref(name) : scope.getAtt(logicalId, attribute));
  });
}

function splitOnce(text: string): [string, string | undefined] {
  const dot = text.indexOf('.');
  return dot < 0 ? [text, undefined] : [text.slice(0, dot), text.slice(dot + 1)];
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
