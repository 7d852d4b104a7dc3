import * as z from 'zod/mini';
import type { ZodOpenApiMetadata } from 'zod-openapi';

/**
 * Adds to a schema what the document says beyond what zod knows: prose, examples and, where the schema checks by code,
 * the JSON Schema that accepts exactly the same. It is not said at the schema itself, so that no function carries it.
 */
export function describeSchema(schema: z.core.$ZodType, metadata: ZodOpenApiMetadata): void {
  z.globalRegistry.add(schema, metadata);
}
