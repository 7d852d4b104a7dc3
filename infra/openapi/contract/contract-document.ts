/** A part of an OpenAPI document, as parseJson of shared/http/json.ts reads it. */
export type Part = Readonly<Record<string, unknown>>;

/** An OpenAPI document reduced to what clients depend on. */
export interface Contract extends Part {
  readonly info: { readonly version: string };
}

/** Keywords that tell people something and bind nobody. */
const PROSE = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'tags',
  'externalDocs',
  '$comment',
]);

/** Extensions that the comparison reads; all others are presentation. */
const EXTENSIONS = new Set(['x-stability', 'x-deprecated-sunset', 'x-required-scope', 'x-extensible-enum']);

/** Below these keywords stand names that the interface chose: a property may be called description. */
const MAPS_OF_NAMES = new Set([
  '$defs',
  'content',
  'headers',
  'paths',
  'patternProperties',
  'properties',
  'responses',
  'schemas',
  'securitySchemes',
]);

/** Below these keywords stand values, which are kept as they are. */
const VALUES = new Set(['const', 'default', 'enum', 'x-extensible-enum']);

/** The contract in a document: without prose, so that better wording is no change. */
export function contractOf(document: Part): Contract {
  const { info, tags: _, ...rest } = document;
  const { version } = info as Contract['info'];
  return { info: { version }, ...(withoutProse(rest) as Part) };
}

function withoutProse(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutProse);
  if (!isPart(part)) return part;
  return Object.fromEntries(
    Object.entries(part)
      .filter(([keyword]) => !PROSE.has(keyword) && (!keyword.startsWith('x-') || EXTENSIONS.has(keyword)))
      .map(([keyword, value]) => [keyword, contentOf(keyword, value)]),
  );
}

function contentOf(keyword: string, value: unknown): unknown {
  if (VALUES.has(keyword)) return value;
  if (!MAPS_OF_NAMES.has(keyword) || !isPart(value)) return withoutProse(value);
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, withoutProse(child)]));
}

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
