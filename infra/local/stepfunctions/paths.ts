/** JSONPath and intrinsic functions in a definition, as far as the interpreter evaluates them as AWS does. */

type Refuse = (what: string) => never;

/**
 * The others differ: JsonToString and Base64 lose characters, StringSplit splits at the whole separator, JsonMerge
 * writes into its argument, Hash and MathRandom are its own.
 */
const INTRINSIC_FUNCTIONS = [
  'Array',
  'ArrayContains',
  'ArrayGetItem',
  'ArrayLength',
  'ArrayPartition',
  'ArrayRange',
  'ArrayUnique',
  'Format',
  'MathAdd',
  'StringToJson',
  'UUID',
];

/** What the interpreter would take for wildcards. */
const MORE_WILDCARDS = /[?[\]{}()!+@]/;

/** Refuses paths and intrinsic functions anywhere in a definition that would not give what they give on AWS. */
export function checkPaths(node: unknown, refuse: Refuse): void {
  if (typeof node !== 'object' || node === null) {
    return;
  }
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === 'string' && (key.endsWith('.$') || key.endsWith('Path') || key === 'Variable')) {
      checkContext(value, refuse);
      checkIntrinsicFunctions(value, refuse);
    }
    if (typeof value === 'string' && key === 'StringMatches' && MORE_WILDCARDS.test(value)) {
      refuse(`StringMatches knows only the wildcard *, not others as in ${value}`);
    }
    checkPaths(value, refuse);
  }
}

function checkContext(expression: string, refuse: Refuse): void {
  const [, field] = /\$\$\.(?!(?:Execution|StateMachine)\b)(\w+)/.exec(expression) ?? [];
  if (field !== undefined) {
    refuse(`$$.${field} of the context object is not supported by the local runtime, in ${expression}`);
  }
}

function checkIntrinsicFunctions(expression: string, refuse: Refuse): void {
  for (const [, name = ''] of expression.matchAll(/States\.(\w+)\s*\(/g)) {
    if (!INTRINSIC_FUNCTIONS.includes(name)) {
      refuse(`the intrinsic function States.${name} is not supported by the local runtime, in ${expression}`);
    }
  }
}
