import * as z from 'zod/mini';
import type { ZodOpenApiMetadata } from 'zod-openapi';
import { Cursor, Limit } from '../../shared/paging.ts';

/**
 * Adds to a schema what the document says beyond what zod knows: texts, examples and, where the schema checks by code,
 * the JSON Schema that accepts exactly the same. It is not said at the schema itself, so that no function bundles it.
 */
export function describeSchema(schema: z.core.$ZodType, metadata: ZodOpenApiMetadata): void {
  if (z.globalRegistry.has(schema)) {
    const texts = [z.globalRegistry.get(schema), metadata].map(each => JSON.stringify(each?.description));
    throw new Error(
      `One schema has two descriptions: ${texts.join(' and ')}. Each needs a schema of its own.`,
    );
  }
  z.globalRegistry.add(schema, metadata);
}

// The parameters of every list.

describeSchema(Limit, {
  description: 'Maximum number of items per page.',
  override: ({ jsonSchema }) => {
    delete jsonSchema.pattern;
    Object.assign(jsonSchema, acceptedIntegers(Limit));
  },
});
describeSchema(Cursor, {
  description:
    'Where the page starts. Take it from the `Link` header of the previous page. It only works with the list and filter of that page; otherwise the response is 400 `invalid_cursor`.',
  // The form of what shared/http/cursor.ts signs: a position in base 36 and an HMAC-SHA256 in base64url.
  override: { pattern: '^[0-9a-z]{1,11}\\.[0-9A-Za-z_-]{43}$' },
});

/** The bounds and the default of a query parameter whose schema accepts integers as text by a pattern. */
function acceptedIntegers(parameter: typeof Limit) {
  const candidates = Array.from({ length: 1000 }, (_, integer) => integer);
  const accepted = candidates.filter(integer => z.safeParse(parameter, String(integer)).success);
  return {
    type: 'integer',
    minimum: accepted.at(0),
    maximum: accepted.at(-1),
    default: z.parse(parameter, undefined),
  };
}
