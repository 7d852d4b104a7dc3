import { createDocument, type oas31, type ZodOpenApiOperationObject } from 'zod-openapi';
import { DOCUMENTED_BASE_URL } from '../../shared/docs/servers.ts';
import { INT64_MAXIMUM, INT64_MINIMUM } from '../../shared/int64.ts';
import { OPERATIONS, type OperationName } from '../../shared/operations.ts';
import { OPERATIONS_TAG, type OperationTexts, operationObject } from './operation-object.ts';
import { ORDER_TEXTS } from './orders.ts';
import { pagesOf, summaryOf } from './pages.ts';
import { PET_TEXTS } from './pets.ts';
import { RESPONSE_HEADERS } from './responses.ts';

/** The compiler asks for the texts of an operation that is new. */
const TEXTS: Readonly<Record<OperationName, OperationTexts>> = { ...PET_TEXTS, ...ORDER_TEXTS };

const DOCUMENTED = OPERATIONS.map(operation => ({
  ...operation,
  texts: TEXTS[operation.name as OperationName],
}));

/** The OpenAPI 3.1 document of the interface. The bounds of int64 are bigints: serialize it with stringifyJson. */
export function openApiDocument() {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Petstore',
        version: '1.0.0',
        summary: 'A store of animals.',
        description: pagesOf(DOCUMENTED),
        contact: { name: 'Petstore operators' },
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [
        server(DOCUMENTED_BASE_URL, 'Production'),
        server(DOCUMENTED_BASE_URL.replace('/production/', '/staging/'), 'Staging'),
      ],
      tags: TAGS,
      'x-tagGroups': TAG_GROUPS,
      paths: paths(),
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
    // Clients must expect new fields in responses, so the document forbids none.
    { override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties },
  );
  return withInt64Bounds(document) as typeof document;
}

/**
 * The tag of the operations, and the two navigation groups above it, which have no operations themselves. `x-parent` nests them,
 * since tags have no parents before OpenAPI 3.2.
 */
const TAGS = [
  { name: 'Store', description: 'The store and its orders.' },
  { name: 'Pets', description: 'The animals in the store.', 'x-parent': 'Store' },
  {
    name: OPERATIONS_TAG,
    description: summaryOf(DOCUMENTED),
    'x-parent': 'Pets',
  },
];

/** The hierarchy of tags for tools that support groups but not parents: a group cannot contain another. */
const TAG_GROUPS = [{ name: 'Store', tags: [OPERATIONS_TAG] }];

/**
 * A URL on AWS contains the API's id and region, which differ between deployments. A personal stage is not listed. The
 * document that a deployment serves has its own URLs instead, in China with another suffix.
 */
function server(url: string, description: string): oas31.ServerObject {
  return {
    url,
    description,
    variables: {
      api: { default: 'abcdefghij', description: 'Id of the API, from the output `BaseUrl` of its stack.' },
      region: { default: 'us-east-1', description: 'AWS region of the deployment.' },
    },
  };
}

function paths() {
  const byPath: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const { texts, ...operation } of DOCUMENTED) {
    byPath[operation.path] ??= {};
    Object.assign(byPath[operation.path] ?? {}, {
      [operation.method.toLowerCase()]: operationObject(operation, texts),
    });
  }
  return byPath;
}

/** Adds the bounds of int64 as bigints: as a JavaScript number 2^63 − 1 would be rounded up and out of range. */
function withInt64Bounds(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withInt64Bounds);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withInt64Bounds(value)]));
  return copy.format === 'int64' ? { ...copy, minimum: INT64_MINIMUM, maximum: INT64_MAXIMUM } : copy;
}
