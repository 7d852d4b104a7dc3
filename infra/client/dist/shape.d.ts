/** What the members of a documented value are: of a type, or one of some values. */
export type Shape<Value> = {
    readonly [Name in keyof Value]-?: Value[Name] extends bigint ? 'bigint' : string extends Value[Name] ? 'string' : Readonly<Record<Value[Name] & string, true>>;
};
/** Where a value that was read from JSON differs from its shape; undefined if it has it. Further members are fine. */
export declare function differenceFrom<Value>(value: unknown, shape: Shape<Value>): string | undefined;
