/**
 * Reads an input by the SDK's schema of it. Clients drop what a schema doesn't have, and convert what doesn't fit. Here the
 * one is listed and the other is left as it is, for the checks of the input to refuse.
 */
import type { NormalizedSchema } from '@smithy/core/schema';

export type Members = Readonly<Record<string, unknown>>;

/** How values are written. */
export interface Form {
  /** Whether numbers, flags and times are texts. */
  readonly isText: boolean;
  nameOf(member: NormalizedSchema, name: string): string;
  /** The items of a list. What is no list is left as it is. */
  itemsOf(list: NormalizedSchema, given: unknown): unknown;
}

export const JSON_FORM: Form = {
  isText: false,
  nameOf: (_, name) => name,
  itemsOf: (_, given) => given,
};

export const REST_JSON_FORM: Form = {
  ...JSON_FORM,
  nameOf: (member, name) => member.getMergedTraits().jsonName ?? name,
};

/** Of members in paths, queries and headers. */
export const TEXT_FORM: Form = {
  isText: true,
  nameOf: (_, name) => name,
  itemsOf: (_, given) => [given].flat(),
};

/** `<Changes><Change>…</Change><Change>…</Change></Changes>`. */
export const XML_FORM: Form = {
  isText: true,
  nameOf: (member, name) => member.getMemberTraits().xmlName ?? name,
  itemsOf(list, given) {
    const item = list.getValueSchema().getMergedTraits().xmlName ?? 'member';
    if (given === '') return [];
    return isObject(given) && Object.keys(given).join() === item ? [given[item]].flat() : given;
  },
};

/** `Tags.member.1=…&Tags.member.2=…`. */
export const QUERY_FORM: Form = {
  ...XML_FORM,
  itemsOf(list, given) {
    const [items] = [XML_FORM.itemsOf(list, given)].flat();
    return isObject(items) ? Object.values(items) : given;
  },
};

interface Reading extends Form {
  /** Members that a schema doesn't have, with their paths: `ChangeBatch.Colour`. */
  readonly unknownMembers: string[];
}

/** The members of a structure, with those that it doesn't have. */
export function membersOf(schema: NormalizedSchema, given: unknown, form: Form) {
  const unknownMembers: string[] = [];
  return { input: read(schema, given, '', { ...form, unknownMembers }) as object, unknownMembers };
}

function read(schema: NormalizedSchema, given: unknown, path: string, reading: Reading): unknown {
  if (given === undefined || given === null) return given;
  if (schema.isListSchema()) {
    const items = reading.itemsOf(schema, given);
    if (!Array.isArray(items)) return items;
    return items.map((item, index) => read(schema.getValueSchema(), item, `${path}${index}.`, reading));
  }
  const isMap = schema.isMapSchema();
  if (!isMap && !schema.isStructSchema()) return readScalar(schema, given, reading.isText);
  // An element without content is an empty structure.
  const object = reading.isText && given === '' ? {} : given;
  if (!isObject(object)) return object;
  const entries = Object.entries(object);
  if (isMap) {
    const value = schema.getValueSchema();
    return Object.fromEntries(
      entries.map(([key, item]) => [key, read(value, item, `${path}${key}.`, reading)]),
    );
  }
  const members = new Map(
    [...schema.structIterator()].map(([name, member]) => [reading.nameOf(member, name), { name, member }]),
  );
  return Object.fromEntries(
    entries.flatMap(([key, item]) => {
      const known = members.get(key);
      if (known !== undefined) {
        return [[known.name, read(known.member, item, `${path}${known.name}.`, reading)]];
      }
      reading.unknownMembers.push(`${path}${key}`);
      return [];
    }),
  );
}

/** A value that isn't of the type of its schema is left as it is. */
function readScalar(schema: NormalizedSchema, given: unknown, isText: boolean): unknown {
  if (schema.isTimestampSchema()) {
    const isWritten = isText ? /^\d{4}-\d\d-\d\dT/.test(String(given)) : typeof given === 'number';
    const time = new Date(isText ? String(given) : Number(given) * 1000);
    return isWritten && !Number.isNaN(time.getTime()) ? time : given;
  }
  if (typeof given !== 'string') return given;
  if (schema.isBlobSchema()) return Buffer.from(given, 'base64');
  if (!isText) return given;
  if (schema.isBooleanSchema()) return given === 'true' || (given === 'false' ? false : given);
  return schema.isNumericSchema() && /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : given;
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
