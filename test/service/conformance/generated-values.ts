import fc from 'fast-check';

/** The keywords of JSON Schema that the document's requests use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly minLength?: number | bigint;
  readonly maxLength?: number | bigint;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const INT64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };

/** Values that a schema of the document allows, as JSON.parse would give them, but integers as bigints. */
export function valuesOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  if (schema.$ref) {
    return valuesOf(schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {}, schemas);
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'integer') {
    const { minimum = INT64.minimum, maximum = INT64.maximum } = schema;
    return fc.bigInt({ min: BigInt(minimum), max: BigInt(maximum) });
  }
  if (schema.type === 'string') return textsOf(schema);
  if (schema.type === 'object') {
    const properties = Object.entries(schema.properties ?? {});
    const values = properties.map(([name, property]) => [name, valuesOf(property, schemas)] as const);
    return fc.record(Object.fromEntries(values), { requiredKeys: [...(schema.required ?? [])] });
  }
  throw new Error(`The test cannot generate values of ${JSON.stringify(schema)}.`);
}

function textsOf({ pattern, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> {
  const [min, max] = [Number(minLength), Number(maxLength)];
  const texts = pattern
    ? fc.stringMatching(new RegExp(pattern, 'u'))
    : fc.string({ minLength: min, maxLength: max });
  return texts.filter(text => [...text].length >= min && [...text].length <= max);
}
