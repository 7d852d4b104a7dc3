import * as z from 'zod/mini';
import { parseJson } from '../../../../shared/http/json.ts';
import type { OperationDeclaration } from '../../../../shared/operation-declaration.ts';
import { requestLine } from '../../../../shared/operations.ts';
import type { RequestParts } from './smoke-client.ts';

/** What most fields accept one of. Texts of one digit or letter, whatever length a field asks for, come after these. */
const COMMON_VALUES = [
  'smoke',
  1,
  true,
  '2030-12-05T00:00:00Z',
  '2030-12-05',
  'smoke@example.com',
  'https://example.com',
  '00000000-0000-4000-8000-000000000000',
  [],
  ['smoke'],
  [1],
];

const LONGEST_TEXT = 64;

const CANDIDATES: readonly unknown[] = [
  ...COMMON_VALUES,
  ...Array.from({ length: LONGEST_TEXT }, (_, index) =>
    ['1', 'x', 'X'].map(unit => unit.repeat(index + 1)),
  ).flat(),
];

/**
 * A request that the operation accepts, with what it requires and nothing else; undefined if a field takes none of the
 * values that are tried. Nothing has the id 1.
 */
export function validRequest(
  operation: OperationDeclaration,
): [request: string, parts: RequestParts] | undefined {
  const { query, headers, body } = operation.request.shape;
  const parts = [query, headers, body].map(schema => (schema === undefined ? {} : validValue(schema)));
  if (parts.includes(undefined)) return undefined;
  const [parameters, sentHeaders, content] = parts as [Texts, Texts, unknown];
  const search = new URLSearchParams(parameters).toString();
  return [
    `${requestLine(operation)}${search && `?${search}`}`,
    { headers: sentHeaders, ...(body && { body: content }) },
  ];
}

type Texts = Record<string, string>;

/** A value, as JSON has it, that the schema accepts: of an object first the required fields alone, then all of them. */
function validValue(schema: z.core.$ZodType): unknown {
  return candidatesOf(schema).find(value => accepts(schema, value));
}

export function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  const read = value === undefined ? undefined : parseJson(JSON.stringify(value));
  return z.safeParse(schema, read).success;
}

/** The values that a field may have, if they are fixed. */
export function fixedValuesOf(schema: z.core.$ZodType | undefined): readonly unknown[] {
  const field = withoutDefault(schema);
  return field instanceof z.ZodMiniEnum ? field.options : [];
}

function candidatesOf(schema: z.core.$ZodType): readonly unknown[] {
  const field = withoutDefault(schema);
  if (!(field instanceof z.ZodMiniObject)) return [...fixedValuesOf(field), ...CANDIDATES];
  const fields = Object.entries<z.core.$ZodType>(field.shape);
  const required = fields.filter(([, each]) => !accepts(each, undefined));
  return [required, fields].map(some =>
    Object.fromEntries(some.map(([name, each]) => [name, validValue(each)])),
  );
}

function withoutDefault(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  const isWrapped = schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault;
  return isWrapped ? withoutDefault(schema.def.innerType) : schema;
}
