import { isDeepStrictEqual } from 'node:util';
import { dereference, type Part, partOf } from './contract-document.ts';
import { SchemaChanges, type Side } from './schema-changes.ts';
import { securityChanges } from './security-changes.ts';

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
