/** What the members of a documented value are: of a type, or one of some values. */
export type Shape<Value> = {
  readonly [Name in keyof Value]-?: Value[Name] extends bigint
    ? 'bigint'
    : string extends Value[Name]
      ? 'string'
      : Readonly<Record<Value[Name] & string, true>>;
};

/** Where a value that was read from JSON differs from its shape; undefined if it has it. Further members are fine. */
export function differenceFrom<Value>(value: unknown, shape: Shape<Value>): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is no object';
  for (const [name, expected] of Object.entries<string | object>(shape)) {
    const member = (value as Record<string, unknown>)[name];
    const isExpected =
      typeof expected === 'string'
        ? typeof member === expected
        : typeof member === 'string' && Object.hasOwn(expected, member);
    if (!isExpected) return `${name} is ${member === undefined ? 'missing' : 'not as documented'}`;
  }
  return undefined;
}
