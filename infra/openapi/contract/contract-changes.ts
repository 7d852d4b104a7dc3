import { isDeepStrictEqual } from 'node:util';
import { dereference, type Part, partOf, SchemaChanges, type Side } from './schema-changes.ts';

/** An OpenAPI document reduced to what clients depend on. */
export interface Contract extends Part {
  readonly info: { readonly version: string };
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * What clients of the released contract lose by the current one, a sentence each. Nothing, if the major version has
 * risen. The day is today, such as `2026-11-15`: an operation may go on the day that was announced for it.
 */
export function contractChanges(released: Contract, current: Contract, day: string): string[] {
  const [major, majorNow] = [majorOf(released), majorOf(current)];
  if (majorNow > major) return [];
  return [
    ...(majorNow < major ? [`version: was ${released.info.version} and is ${current.info.version} now`] : []),
    ...lossesOf(released, current, day),
  ];
}

function* lossesOf(released: Contract, current: Contract, day: string): Generator<string> {
  const urls = serverUrlsOf(current);
  for (const url of serverUrlsOf(released)) if (!urls.includes(url)) yield `server ${url}: is removed`;
  const changes = new OperationChanges(released, current);
  const operations = operationsOf(current);
  for (const [name, operation] of operationsOf(released)) {
    if (isUnstable(operation.part)) continue;
    const now = operations.get(name);
    if (now) yield* changes.between(operation, now);
    else yield* removal(operation, day);
  }
}

function* removal({ name, part }: Operation, day: string): Generator<string> {
  const sunset = part['x-deprecated-sunset'];
  if (sunset === undefined) yield `${name}: the operation is removed`;
  else if (day < String(sunset))
    yield `${name}: the operation is removed before ${sunset}, which was announced`;
}

/** Throws for a version that is not of the form 1.2.3: a comparison with NaN would let everything pass. */
function majorOf({ info: { version } }: Contract): number {
  const major = /^(\d+)\.\d+\.\d+/.exec(version)?.[1];
  if (major === undefined)
    throw new Error(`The version ${version} of the document is not of the form 1.2.3.`);
  return Number(major);
}

const serverUrlsOf = ({ servers = [] }: Contract) =>
  (servers as readonly Part[]).map(({ url }) => String(url));

function operationsOf(contract: Contract): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  const paths = partOf(contract, 'paths');
  for (const path of Object.keys(paths)) {
    const item = partOf(paths, path);
    const shared = (item.parameters ?? []) as readonly unknown[];
    for (const method of METHODS) {
      if (!Object.hasOwn(item, method)) continue;
      const name = `${method.toUpperCase()} ${path}`;
      operations.set(name, { name, part: partOf(item, method), shared });
    }
  }
  return operations;
}

/** An operation with the name that messages use, such as `GET /pets`. */
export interface Operation {
  readonly name: string;
  readonly part: Part;
  /** Parameters that all operations of the path share. */
  readonly shared: readonly unknown[];
}

/** Finds what clients of an operation lose. */
export class OperationChanges {
  readonly #released: Part;
  readonly #current: Part;
  readonly #schemas: SchemaChanges;

  constructor(released: Part, current: Part) {
    this.#released = released;
    this.#current = current;
    this.#schemas = new SchemaChanges(released, current);
  }

  *between(before: Operation, after: Operation): Generator<string> {
    const { name } = before;
    yield* promiseChanges(before.part, after.part, name);
    yield* securityChanges(this.#released, this.#current, before.part, after.part, name);
    yield* this.#parameterChanges(before, after);
    yield* this.#bodyChanges(before.part, after.part, name);
    yield* this.#responseChanges(before.part, after.part, name);
  }

  *#parameterChanges(before: Operation, after: Operation): Generator<string> {
    const released = parametersOf(this.#released, before);
    const current = parametersOf(this.#current, after);
    for (const [key, parameter] of released) {
      const place = `${before.name}, ${key}`;
      const now = current.get(key);
      if (now === undefined) {
        yield `${place}: the parameter is removed`;
        continue;
      }
      if (now.required === true && parameter.required !== true) yield `${place}: is required now`;
      for (const keyword of ['style', 'explode', 'allowReserved', 'content']) {
        if (!isDeepStrictEqual(parameter[keyword], now[keyword])) yield `${place}: ${keyword} is changed`;
      }
      yield* this.#schemas.between({ before: parameter.schema, after: now.schema, side: 'request', place });
    }
    for (const [key, { required }] of current) {
      if (required === true && !released.has(key))
        yield `${before.name}, ${key}: the required parameter is new`;
    }
  }

  *#bodyChanges(before: Part, after: Part, name: string): Generator<string> {
    const place = `${name}, request body`;
    const released = dereference(this.#released, before.requestBody);
    const current = dereference(this.#current, after.requestBody);
    if (before.requestBody !== undefined && after.requestBody === undefined) {
      yield `${place}: the body is removed`;
      return;
    }
    if (current.required === true && released.required !== true) yield `${place}: is required now`;
    yield* this.#contentChanges(released, current, 'request', place);
  }

  *#responseChanges(before: Part, after: Part, name: string): Generator<string> {
    const released = partOf(before, 'responses');
    const current = partOf(after, 'responses');
    for (const [status, response] of Object.entries(released)) {
      const place = `${name}, response ${status}`;
      if (!Object.hasOwn(current, status)) {
        yield `${place}: the status is removed`;
        continue;
      }
      const answer = dereference(this.#released, response);
      const now = dereference(this.#current, current[status]);
      const side = /^[45]/.test(status) ? 'error' : 'response';
      yield* this.#headerChanges(answer, now, side, place);
      yield* this.#contentChanges(answer, now, side, place);
    }
    for (const status of Object.keys(current)) {
      // Clients handle errors that they do not know by their class, but not other outcomes.
      if (!Object.hasOwn(released, status) && !/^[45]/.test(status)) {
        yield `${name}, response ${status}: the status is new, and clients do not expect it`;
      }
    }
  }

  *#headerChanges(before: Part, after: Part, side: Side, place: string): Generator<string> {
    const current = new Map(
      Object.entries(partOf(after, 'headers')).map(([name, header]) => [name.toLowerCase(), header]),
    );
    for (const [name, header] of Object.entries(partOf(before, 'headers'))) {
      const headerPlace = `${place}, header ${name}`;
      if (!current.has(name.toLowerCase())) {
        yield `${headerPlace}: the header is removed`;
        continue;
      }
      const released = dereference(this.#released, header);
      const now = dereference(this.#current, current.get(name.toLowerCase()));
      if (released.required === true && now.required !== true)
        yield `${headerPlace}: is no longer always present`;
      yield* this.#schemas.between({ before: released.schema, after: now.schema, side, place: headerPlace });
    }
  }

  *#contentChanges(before: Part, after: Part, side: Side, place: string): Generator<string> {
    const current = partOf(after, 'content');
    for (const [mediaType, content] of Object.entries(partOf(before, 'content'))) {
      if (!Object.hasOwn(current, mediaType)) yield `${place}: ${mediaType} is removed`;
      else {
        const { schema } = content as Part;
        yield* this.#schemas.between({
          before: schema,
          after: partOf(current, mediaType).schema,
          side,
          place,
        });
      }
    }
  }
}

/** What the operation promises beyond its requests and responses: its name, its stability, its last day. */
function* promiseChanges(before: Part, after: Part, name: string): Generator<string> {
  if (before.operationId !== after.operationId) {
    yield `${name}: operationId was ${before.operationId} and is ${after.operationId} now`;
  }
  if (isUnstable(after)) yield `${name}: was ${before['x-stability']} and is ${after['x-stability']} now`;
  const [sunset, sunsetNow] = [before['x-deprecated-sunset'], after['x-deprecated-sunset']];
  if (sunset !== undefined && sunsetNow !== undefined && String(sunsetNow) < String(sunset)) {
    yield `${name}: the removal was announced for ${sunset} and is ${sunsetNow} now`;
  }
}

/** Whether an operation may change or go at any time (pages/versioning.md). */
export function isUnstable(operation: Part): boolean {
  return ['experimental', 'beta'].includes(String(operation['x-stability']));
}

/** The parameters by place and name, such as `query parameter limit`. Names of headers ignore case. */
function parametersOf(contract: Part, { part, shared }: Operation): Map<string, Part> {
  const own = (part.parameters ?? []) as readonly unknown[];
  return new Map(
    [...shared, ...own].map(each => {
      const parameter = dereference(contract, each);
      const name = String(parameter.name);
      return [
        `${parameter.in} parameter ${parameter.in === 'header' ? name.toLowerCase() : name}`,
        parameter,
      ];
    }),
  );
}

type Requirement = Readonly<Record<string, readonly string[]>>;

/** What an operation asks of the caller's key: a client that is let in today must be let in tomorrow. */
export function* securityChanges(
  released: Part,
  current: Part,
  before: Part,
  after: Part,
  name: string,
): Generator<string> {
  const [scope, scopeNow] = [before['x-required-scope'], after['x-required-scope']];
  if (scopeNow !== undefined && scopeNow !== scope) {
    yield `${name}: the required scope was ${scope ?? 'absent'} and is ${scopeNow} now`;
  }
  const alternatives = requirementsOf(current, after);
  for (const requirement of requirementsOf(released, before)) {
    if (!alternatives.some(alternative => isMetBy(alternative, requirement))) {
      yield `${name}: ${described(requirement)} is no longer enough`;
    }
    for (const scheme of Object.keys(requirement)) {
      if (!isDeepStrictEqual(schemeOf(released, scheme), schemeOf(current, scheme))) {
        yield `${name}: the security scheme ${scheme} is changed`;
      }
    }
  }
}

/** Each of them alone lets a client in. An operation without any is open to everybody. */
function requirementsOf(contract: Part, operation: Part): readonly Requirement[] {
  const requirements = (operation.security ?? contract.security ?? []) as readonly Requirement[];
  return requirements.length > 0 ? requirements : [{}];
}

/** Whether a client that meets the released requirement meets this one as well. */
function isMetBy(requirement: Requirement, released: Requirement): boolean {
  return Object.entries(requirement).every(
    ([scheme, scopes]) =>
      scopes.every(scope => released[scheme]?.includes(scope)) && Object.hasOwn(released, scheme),
  );
}

function described(requirement: Requirement): string {
  const parts = Object.entries(requirement).map(([scheme, scopes]) => [scheme, ...scopes].join(' '));
  return parts.length > 0 ? `the security requirement ${parts.join(' with ')}` : 'a request without a key';
}

/** A scheme without what it says to people about the form of its tokens. */
function schemeOf(contract: Part, name: string): Part {
  const schemes = partOf(partOf(contract, 'components'), 'securitySchemes');
  const { bearerFormat: _, ...scheme } = dereference(contract, schemes[name]);
  return scheme;
}
