/** What the members of a documented value are. Those that may be absent are `optional`. */
export type Shape<Value> = {
  readonly [Name in keyof Value]-?: undefined extends Value[Name]
    ? Optional<Kind<NonNullable<Value[Name]>>>
    : Kind<Value[Name]>;
};

/** A type, or the values that there are. In brackets, so that a union is not taken apart. */
type Kind<Member> = [Member] extends [bigint]
  ? 'bigint'
  : string extends Member
    ? 'string'
    : Readonly<Record<Member & string, true>>;

class Optional<Expected> {
  readonly kind: Expected;

  constructor(kind: Expected) {
    this.kind = kind;
  }
}

export function optional<Expected>(kind: Expected): Optional<Expected> {
  return new Optional(kind);
}

/** Where a value that was read from JSON differs from its shape; undefined if it has it. Further members are fine. */
export function differenceFrom<Value>(value: unknown, shape: Shape<Value>): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return "it isn't an object";
  for (const [name, expected] of Object.entries<unknown>(shape)) {
    const member = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    const isOptional = expected instanceof Optional;
    if (isOptional && member === undefined) continue;
    if (!isOfKind(member, isOptional ? expected.kind : expected)) {
      return `${name} is ${member === undefined ? 'missing' : 'not as documented'}`;
    }
  }
  return undefined;
}

function isOfKind(member: unknown, kind: unknown): boolean {
  if (typeof kind === 'string') return typeof member === kind;
  return typeof member === 'string' && Object.hasOwn(kind as object, member);
}
