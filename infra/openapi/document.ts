import { createDocument } from 'zod-openapi';
import './describe-contract.ts';
import { INT64_MAXIMUM, INT64_MINIMUM } from '../../shared/int64.ts';
import { PATHS } from './operations.ts';
import { DESCRIPTION } from './pages.ts';
import { RESPONSE_HEADERS } from './response-headers.ts';
import { SERVERS } from './servers.ts';
import { TAG_GROUPS, TAGS } from './tags.ts';

/** The OpenAPI 3.1 document of the interface. Bounds of int64 are bigints: write it with stringifyJson. */
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
      paths: PATHS,
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
    // Clients must expect new fields in answers, so none are forbidden.
    { override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties },
  );
  return withInt64Bounds(document) as typeof document;
}

/** The bounds of int64 cannot be numbers of JavaScript: 2^63 − 1 would be rounded up to what is out of range. */
function withInt64Bounds(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withInt64Bounds);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withInt64Bounds(value)]));
  return copy.format === 'int64' ? { ...copy, minimum: INT64_MINIMUM, maximum: INT64_MAXIMUM } : copy;
}
