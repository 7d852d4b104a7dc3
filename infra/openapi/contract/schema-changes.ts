import { isDeepStrictEqual } from 'node:util';
import { stringifyJson } from '../../../shared/http/json.ts';

/**
 * Who writes the value that a schema describes. What clients write in a request must stay accepted, so its schema may
 * only widen. What the service writes in a response is a promise, so its schema may only narrow, but may get further
 * properties. The body of an error is such a response, with the difference that it may get further codes, so that its list
 * of codes may become an open one (`x-extensible-enum`), and that clients rely on those that it has (pages/versioning.md).
 */
export type Side = 'request' | 'response' | 'error';

const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Keywords that restrict a value in a way that two different values of the keyword cannot be ordered. */
const RESTRICTIONS = [
  'pattern',
  'format',
  'multipleOf',
  'uniqueItems',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'prefixItems',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
];

/** A schema before and after, with its place in words. */
interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  readonly side: Side;
  readonly place: string;
}

/** Finds what clients of a released contract lose by the schemas of another one. */
export class SchemaChanges {
  readonly #released: Part;
  readonly #current: Part;
  /** Schemas that are being compared already: a schema can contain itself only by a reference. */
  readonly #underWay = new Set<string>();

  constructor(released: Part, current: Part) {
    this.#released = released;
    this.#current = current;
  }

  *between(pair: Pair): Generator<string> {
    const { before, after, side } = pair;
    const reference = isPart(before) && before.$ref;
    if (!reference) {
      yield* this.#differences(pair);
      return;
    }
    const key = stringifyJson([reference, after ?? null, side]);
    if (this.#underWay.has(key)) return;
    this.#underWay.add(key);
    yield* this.#differences(pair);
    this.#underWay.delete(key);
  }

  *#differences({ before, after, side, place }: Pair): Generator<string> {
    const released = dereference(this.#released, before);
    const current = dereference(this.#current, after);
    yield* this.#lostName(before, place);
    // Every value of the inner schema must also be one of the outer schema.
    const [inner, outer] = side === 'request' ? [released, current] : [current, released];
    yield* typeChanges(inner, outer, released, current, place);
    yield* valueChanges(inner, outer, side, place);
    yield* limitChanges(inner, outer, released, current, place);
    yield* this.#restrictionChanges(inner, outer, released, current, place);
    yield* requiredChanges(inner, outer, side, place);
    if (side === 'request') yield* defaultChanges(released, current, place);
    yield* this.#propertyChanges(released, current, side, place);
    yield* this.#childChanges(released, current, side, place);
  }

  /** Clients with generated types use the names of the schemas. */
  *#lostName(before: unknown, place: string): Generator<string> {
    const name = isPart(before) ? /^#\/components\/schemas\/(.+)$/.exec(String(before.$ref))?.[1] : undefined;
    if (name === undefined) return;
    const schemas = partOf(partOf(this.#current, 'components'), 'schemas');
    if (!Object.hasOwn(schemas, name)) yield `${place}: the schema ${name} has lost its name`;
  }

  *#restrictionChanges(
    inner: Part,
    outer: Part,
    released: Part,
    current: Part,
    place: string,
  ): Generator<string> {
    for (const keyword of RESTRICTIONS) {
      if (outer[keyword] === undefined) continue;
      const [innerContract, outerContract] =
        outer === current ? [this.#released, this.#current] : [this.#current, this.#released];
      const isSame = isDeepStrictEqual(
        expanded(innerContract, inner[keyword]),
        expanded(outerContract, outer[keyword]),
      );
      if (!isSame) yield changed(keyword, released, current, place);
    }
  }

  *#propertyChanges(released: Part, current: Part, side: Side, place: string): Generator<string> {
    const properties = partOf(current, 'properties');
    for (const [name, before] of Object.entries(partOf(released, 'properties'))) {
      const propertyPlace = `${place}, ${name}`;
      if (Object.hasOwn(properties, name)) {
        yield* this.between({ before, after: properties[name], side, place: propertyPlace });
      } else yield `${propertyPlace}: the property is removed`;
    }
  }

  *#childChanges(released: Part, current: Part, side: Side, place: string): Generator<string> {
    if (released.items !== undefined || current.items !== undefined) {
      yield* this.between({
        before: released.items,
        after: current.items,
        side,
        place: `${place}, each element`,
      });
    }
    const before = released.additionalProperties ?? true;
    const after = current.additionalProperties ?? true;
    if (side === 'request' && before !== false && after === false) {
      yield `${place}: further properties are refused now`;
    } else if (isPart(before) || (isPart(after) && side === 'request' && before !== false)) {
      yield* this.between({ before, after, side, place: `${place}, further properties` });
    }
  }
}

function* typeChanges(
  inner: Part,
  outer: Part,
  released: Part,
  current: Part,
  place: string,
): Generator<string> {
  if (outer.type === undefined) return;
  const allowed = typesOf(outer);
  const isKept = (type: string) =>
    allowed.includes(type) || (type === 'integer' && allowed.includes('number'));
  if (inner.type === undefined || !typesOf(inner).every(isKept))
    yield changed('type', released, current, place);
}

const typesOf = ({ type }: Part) => [type].flat() as string[];

function* valueChanges(inner: Part, outer: Part, side: Side, place: string): Generator<string> {
  if (side === 'error') {
    yield* lostCodes(knownValuesOf(outer), knownValuesOf(inner), place);
    return;
  }
  const allowed = valuesOf(outer);
  if (allowed === undefined) return;
  const values = valuesOf(inner);
  if (values === undefined) {
    yield side === 'request'
      ? `${place}: only accepts ${allowed.join(', ')} now`
      : `${place}: is no longer limited to ${allowed.join(', ')}`;
    return;
  }
  const says = side === 'request' ? 'no longer accepts' : 'may now be';
  for (const value of values) if (!allowed.includes(value)) yield `${place}: ${says} ${value}`;
}

function* lostCodes(released: string[], current: string[], place: string): Generator<string> {
  for (const code of released) if (!current.includes(code)) yield `${place}: is never ${code} any more`;
}

/** The values that a schema names, whether or not there may be others. */
function knownValuesOf(schema: Part): string[] {
  return valuesOf(schema) ?? valuesOf({ enum: schema['x-extensible-enum'] }) ?? [];
}

/** The values of an enum or const as JSON text; undefined if the schema lists none. */
function valuesOf({ enum: values, const: value }: Part): string[] | undefined {
  if (value !== undefined) return [stringifyJson(value)];
  return Array.isArray(values) ? values.map(each => stringifyJson(each)) : undefined;
}

type Limit = number | bigint;

function* limitChanges(
  inner: Part,
  outer: Part,
  released: Part,
  current: Part,
  place: string,
): Generator<string> {
  for (const keyword of [...LOWER_LIMITS, ...UPPER_LIMITS]) {
    const allowed = outer[keyword] as Limit | undefined;
    const actual = inner[keyword] as Limit | undefined;
    if (allowed === undefined) continue;
    const isKept =
      actual !== undefined && (LOWER_LIMITS.includes(keyword) ? actual >= allowed : actual <= allowed);
    if (!isKept) yield changed(keyword, released, current, place);
  }
}

function* requiredChanges(inner: Part, outer: Part, side: Side, place: string): Generator<string> {
  const present = (inner.required ?? []) as string[];
  const says = side === 'request' ? 'is required now' : 'is no longer always present';
  for (const name of (outer.required ?? []) as string[]) {
    if (!present.includes(name)) yield `${place}, ${name}: ${says}`;
  }
}

/** A default that is new says only what a missing value meant before. */
function* defaultChanges(released: Part, current: Part, place: string): Generator<string> {
  if (released.default === undefined || isDeepStrictEqual(released.default, current.default)) return;
  yield changed('default', released, current, place);
}

function changed(keyword: string, released: Part, current: Part, place: string): string {
  const text = (value: unknown) => (value === undefined ? 'absent' : stringifyJson(value));
  return `${place}: ${keyword} was ${text(released[keyword])} and is ${text(current[keyword])} now`;
}

/** A copy in which every `$ref` is replaced by what it names. A recursive one stays as it is. */
function expanded(contract: Part, part: unknown, above: readonly string[] = []): unknown {
  if (Array.isArray(part)) return part.map(each => expanded(contract, each, above));
  if (!isPart(part)) return part;
  const reference = String(part.$ref ?? '');
  if (above.includes(reference)) return part;
  const below = reference ? [...above, reference] : above;
  return Object.fromEntries(
    Object.entries(dereference(contract, part)).map(([name, value]) => [
      name,
      expanded(contract, value, below),
    ]),
  );
}

/** A part of an OpenAPI document, as parseJson of shared/http/json.ts reads it. */
export type Part = Readonly<Record<string, unknown>>;

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of a part that is an object itself; an empty object if it is absent. */
export function partOf(part: Part, name: string): Part {
  const value = Object.hasOwn(part, name) ? part[name] : undefined;
  return isPart(value) ? value : {};
}

/** The part that a `$ref` names, with the keywords that stand beside the `$ref`. */
export function dereference(contract: Part, part: unknown): Part {
  if (!isPart(part)) return part === false ? { not: {} } : {};
  const { $ref, ...beside } = part;
  if (typeof $ref !== 'string') return part;
  const names = $ref.slice('#/'.length).split('/').map(unescapePointer);
  const target = names.reduce<unknown>(
    (parent, name) => (isPart(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined),
    contract,
  );
  if (!$ref.startsWith('#/') || !isPart(target)) throw new Error(`The document has nothing at ${$ref}.`);
  return { ...dereference(contract, target), ...beside };
}

const unescapePointer = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');
