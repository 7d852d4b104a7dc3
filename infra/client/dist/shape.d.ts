/** What the members of a documented value are. Those that may be absent are `optional`. */
export type Shape<Value> = {
    readonly [Name in keyof Value]-?: undefined extends Value[Name] ? Optional<Kind<NonNullable<Value[Name]>>> : Kind<Value[Name]>;
};
/** A type, or the values that there are. In brackets, so that a union is not taken apart. */
type Kind<Member> = [Member] extends [bigint] ? 'bigint' : string extends Member ? 'string' : Readonly<Record<Member & string, true>>;
declare class Optional<Expected> {
    readonly kind: Expected;
    constructor(kind: Expected);
}
export declare function optional<Expected>(kind: Expected): Optional<Expected>;
/** Where a value that was read from JSON differs from its shape; undefined if it has it. Further members are fine. */
export declare function differenceFrom<Value>(value: unknown, shape: Shape<Value>): string | undefined;
export {};
