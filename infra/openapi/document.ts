import { createDocument } from 'zod-openapi';
import './paging.ts';
import { INT64_MAXIMUM, INT64_MINIMUM } from '../../shared/int64.ts';
import { pathsOf } from './operation-object.ts';
import { ORDER_OPERATIONS } from './orders.ts';
import { DESCRIPTION } from './pages.ts';
import { PET_OPERATIONS } from './pets.ts';
import { RESPONSE_HEADERS } from './response-headers.ts';
import { SERVERS } from './servers.ts';
import { TAG_GROUPS, TAGS } from './tags.ts';

/** The OpenAPI 3.1 document of the interface. The bounds of int64 are bigints: serialize it with stringifyJson. */
export function openApiDocument() {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Petstore',
        version: '1.0.0',
        summary: 'A store of animals.',
        description: DESCRIPTION,
        contact: { name: 'Petstore operators' },
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [...SERVERS],
      tags: TAGS,
      'x-tagGroups': TAG_GROUPS,
      paths: pathsOf([...PET_OPERATIONS, ...ORDER_OPERATIONS]),
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'API key',
            description:
              'Your API key: `Authorization: Bearer <API_KEY>`. Keys for production start with `pet_live_`, keys for staging with `pet_test_`.',
          },
        },
        headers: RESPONSE_HEADERS,
      },
    },
    // Clients must expect new fields in answers, so the document forbids none.
    { override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties },
  );
  return withInt64Bounds(document) as typeof document;
}

/** Adds the bounds of int64 as bigints: as a JavaScript number 2^63 − 1 would be rounded up and out of range. */
function withInt64Bounds(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withInt64Bounds);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withInt64Bounds(value)]));
  return copy.format === 'int64' ? { ...copy, minimum: INT64_MINIMUM, maximum: INT64_MAXIMUM } : copy;
}
