/** The values that an option or argument is known to take. */
export interface KnownValues {
  readonly values: readonly string[];
  /** Whether it takes a list of them, separated by commas. */
  readonly isList: boolean;
}

type Parser<Value> = (text: string) => Value;

/** A parser of an option or argument that declares the values which shells complete. */
export function withValues<Value>(values: readonly (string | number)[], parse: Parser<Value>): Parser<Value> {
  return declared(parse, { values: values.map(String), isList: false });
}

/** The same for a list of such values, separated by commas. */
export function withListOf<Value>(values: readonly string[], parse: Parser<Value>): Parser<Value> {
  return declared(parse, { values, isList: true });
}

/** What the parser declares; nothing if there is no parser, or if it accepts any text. */
export function valuesOf(parse: object | undefined): KnownValues {
  const { values = [], isList = false } = (parse ?? {}) as Partial<KnownValues>;
  return { values, isList };
}

/** The declaration is on a function of its own, since another option may use the same parser with other values. */
function declared<Value>(parse: Parser<Value>, known: KnownValues): Parser<Value> {
  return Object.assign((text: string) => parse(text), known);
}
