import { isDeepStrictEqual } from 'node:util';
import { stringifyJson } from '../../../shared/http/json.ts';

/** A part of an OpenAPI document, as parseJson of shared/http/json.ts reads it. */
export type Part = Readonly<Record<string, unknown>>;

/** An OpenAPI document reduced to what clients depend on. */
export interface Contract extends Part {
  readonly info: { readonly version: string };
}

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What clients of the released contract lose by the current one, a sentence each. Nothing, if the major version has
 * risen. The day is today, such as `2026-11-15`: an operation may go on the day that was announced for it.
 */
export function contractChanges(released: Contract, current: Contract, day: string): string[] {
  const [major, majorNow] = [majorOf(released), majorOf(current)];
  if (majorNow > major) return [];
  return [
    ...(majorNow < major ? [`version: was ${released.info.version} and is ${current.info.version} now`] : []),
    ...contractLosses(released, current, day),
  ];
}

/** Throws for a version that is not of the form 1.2.3: a comparison with NaN would let everything pass. */
function majorOf({ info: { version } }: Contract): number {
  const major = /^(\d+)\.\d+\.\d+/.exec(version)?.[1];
  if (major === undefined)
    throw new Error(`The version ${version} of the document is not of the form 1.2.3.`);
  return Number(major);
}

function* contractLosses(released: Contract, current: Contract, day: string): Generator<string> {
  const urls = serverUrlsOf(current);
  for (const url of serverUrlsOf(released)) if (!urls.includes(url)) yield `server ${url}: is removed`;
  const operations = operationsOf(current);
  for (const [name, before] of operationsOf(released)) {
    if (isUnstable(before)) continue;
    const after = operations.get(name);
    const sunset = before['x-deprecated-sunset'];
    if (after) yield* operationLosses(before, after, name);
    else if (sunset === undefined) yield `${name}: the operation is removed`;
    else if (day < String(sunset))
      yield `${name}: the operation is removed before ${sunset}, which was announced`;
  }
}

const serverUrlsOf = ({ servers = [] }: Contract) => (servers as readonly Part[]).map(({ url }) => url);

/** Whether an operation may change or go at any time (pages/versioning.md). */
const isUnstable = (operation: Part) => ['experimental', 'beta'].includes(String(operation['x-stability']));

/** The operations by method and path, such as `GET /pets`, with parameters and security in a form to compare. */
function operationsOf(contract: Contract): Map<string, Part> {
  const paths = Object.entries(expanded(contract, contract.paths ?? {}) as Record<string, Part>);
  return new Map(
    paths.flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]): [string, Part][] => {
        if (!isPart(operation)) return [];
        const parameters = [...listOf(item.parameters), ...listOf(operation.parameters)] as readonly Part[];
        const byName = parameters.map(each => [`${each.in} parameter ${each.name}`, each]);
        const compared = {
          ...operation,
          parameters: Object.fromEntries(byName),
          security: securityOf(contract, operation),
        };
        return [[`${method.toUpperCase()} ${path}`, compared]];
      }),
    ),
  );
}

/**
 * The security requirements, each with the definitions of its schemes. Each of them alone lets a client in; an operation
 * without any is open to everybody.
 */
function securityOf(contract: Contract, operation: Part): readonly Part[] {
  const requirements = (operation.security ?? contract.security ?? []) as readonly Part[];
  if (requirements.length === 0) return [{}];
  const { securitySchemes = {} } = (contract.components ?? {}) as Record<string, Part>;
  return requirements.map(requirement =>
    Object.fromEntries(
      Object.entries(requirement).map(([name, scopes]) => [name, [scopes, securitySchemes[name]]]),
    ),
  );
}

function* operationLosses(before: Part, after: Part, name: string): Generator<string> {
  if (before.operationId !== after.operationId) {
    yield `${name}: operationId was ${before.operationId} and is ${after.operationId} now`;
  }
  if (isUnstable(after)) yield `${name}: was ${before['x-stability']} and is ${after['x-stability']} now`;
  const [sunset, sunsetNow] = [before['x-deprecated-sunset'], after['x-deprecated-sunset']];
  if (sunset !== undefined && sunsetNow !== undefined && String(sunsetNow) < String(sunset)) {
    yield `${name}: the removal was announced for ${sunset} and is ${sunsetNow} now`;
  }
  const [scope, scopeNow] = [before['x-required-scope'], after['x-required-scope']];
  if (scopeNow !== undefined && scopeNow !== scope) {
    yield `${name}: the required scope was ${scope ?? 'absent'} and is ${scopeNow} now`;
  }
  const alternatives = after.security as readonly Part[];
  for (const requirement of before.security as readonly Part[]) {
    if (!alternatives.some(each => isDeepStrictEqual(each, {}) || isDeepStrictEqual(each, requirement))) {
      yield `${name}: the security requirement ${Object.keys(requirement).join(' with ')} is no longer enough`;
    }
  }
  const { parameters, requestBody, responses } = after;
  const request = { parameters: before.parameters, requestBody: before.requestBody };
  yield* losses(request, { parameters, requestBody }, 'request', name);
  yield* losses({ responses: before.responses }, { responses }, 'response', name);
}

/**
 * Who writes the value that a schema describes. What clients write in a request must stay accepted, so its schema may
 * only widen. What the service writes in a response is a promise, so its schema may only narrow, but may get further
 * properties.
 */
export type Side = 'request' | 'response';

/** Keywords whose named parts must all stay, with the word for them in messages. */
const MAPS = new Map([
  ['parameters', ''],
  ['responses', 'response '],
  ['headers', 'header '],
  ['content', ''],
  ['properties', ''],
]);

/** Below these keywords stands one part, with its place in messages. */
const CHILDREN = new Map([
  ['requestBody', ', request body'],
  ['schema', ''],
  ['items', ', each element'],
  ['additionalProperties', ', further properties'],
]);

/** What clients lose between two parts without references. A difference that no rule allows is a loss. */
export function* losses(before: Part, after: Part, side: Side, place: string): Generator<string> {
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[keyword], after[keyword]];
    if (isDeepStrictEqual(was, is)) continue;
    if (MAPS.has(keyword)) {
      yield* namedLosses(keyword, (was ?? {}) as Part, (is ?? {}) as Part, side, place);
    } else if (CHILDREN.has(keyword)) {
      // Where further properties were refused there is nothing to lose.
      const isFree = keyword === 'additionalProperties' && was === false;
      if (!isFree) yield* losses(schemaOf(was), schemaOf(is), side, `${place}${CHILDREN.get(keyword)}`);
    } else if (isLoss(keyword, was, is, side)) {
      yield `${place}: ${keyword} was ${textOf(was)} and is ${textOf(is)} now`;
    }
  }
}

function* namedLosses(keyword: string, was: Part, is: Part, side: Side, place: string): Generator<string> {
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const childPlace = `${place}, ${MAPS.get(keyword)}${name}`;
    const [before, after] = [was, is].map(each => (Object.hasOwn(each, name) ? each[name] : undefined));
    if (after === undefined) yield `${childPlace}: is removed`;
    else if (before !== undefined) yield* losses(schemaOf(before), schemaOf(after), side, childPlace);
    else if (keyword === 'parameters' && schemaOf(after).required === true)
      yield `${childPlace}: is new and required`;
    // Clients handle errors that they do not know by their class, but not other outcomes.
    else if (keyword === 'responses' && !/^[45]/.test(name))
      yield `${childPlace}: is new, and clients do not expect it`;
  }
}

const schemaOf = (value: unknown): Part => (isPart(value) ? value : value === false ? { not: {} } : {});

const textOf = (value: unknown) => (value === undefined ? 'absent' : stringifyJson(value));

function isLoss(keyword: string, was: unknown, is: unknown, side: Side): boolean {
  switch (keyword) {
    case 'deprecated':
      return false;
    // Clients with generated types use the names of the schemas.
    case '$ref':
      return was !== undefined;
    // A default that is new says only what a missing value meant before.
    case 'default':
      return side === 'request' && was !== undefined;
    case 'style':
    case 'explode':
    case 'allowReserved':
      return true;
    // A list that may grow, such as the codes of errors.
    case 'x-extensible-enum':
      return !listOf(was).every(value => listOf(is).includes(value));
    default:
      return side === 'request' ? !isWithin(keyword, was, is) : !isWithin(keyword, is, was);
  }
}

/** Whether each value that the inner restriction allows is also allowed by the outer one, which differs. */
function isWithin(keyword: string, inner: unknown, outer: unknown): boolean {
  if (keyword === 'required') return listOf(outer).every(name => listOf(inner).includes(name));
  if (inner === undefined || outer === undefined) return outer === undefined;
  if (/^(exclusiveM|m)in/.test(keyword)) return (inner as bigint) >= (outer as bigint);
  if (/^(exclusiveM|m)ax/.test(keyword)) return (inner as bigint) <= (outer as bigint);
  if (keyword !== 'type' && keyword !== 'enum') return false;
  const allowed = listOf(outer);
  return listOf(inner).every(
    value =>
      allowed.includes(value) || (keyword === 'type' && value === 'integer' && allowed.includes('number')),
  );
}

const listOf = (value: unknown): unknown[] => (value === undefined || value === false ? [] : [value].flat());

/**
 * A copy in which every `$ref` is replaced by what it names, and what can be said in two ways is said in one. The
 * reference to a schema also stays, as the schema's name.
 */
function expanded(contract: Part, part: unknown): unknown {
  if (Array.isArray(part)) return part.map(each => expanded(contract, each));
  if (!isPart(part)) return part;
  const { $ref, ...beside } = part;
  const own = Object.entries(beside).map(([name, value]) => {
    if (name === 'x-default') return ['default', value];
    if (name === 'pattern' && typeof value === 'string') return [name, withoutEscapes(value)];
    return [name, expanded(contract, value)];
  });
  if (typeof $ref !== 'string') return Object.fromEntries(own);
  const target = $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((parent, name) => (isPart(parent) ? parent[name] : undefined), contract);
  if (!isPart(target)) throw new Error(`The document has nothing at ${$ref}.`);
  const name = $ref.startsWith('#/components/schemas/') ? { $ref } : {};
  return { ...(expanded(contract, target) as Part), ...name, ...Object.fromEntries(own) };
}

/** A pattern with the characters themselves in place of escapes, but for those that have a meaning in patterns. */
function withoutEscapes(pattern: string): string {
  return pattern.replaceAll(/\\(?:u([0-9a-f]{4})|.)/gis, (escaped, code?: string) => {
    if (escaped === '\\t') return '\t';
    if (escaped === '\\n') return '\n';
    const character = code && String.fromCharCode(Number.parseInt(code, 16));
    return character && !/[\]^$\\.*+?()[{}|/-]/.test(character) ? character : escaped;
  });
}
