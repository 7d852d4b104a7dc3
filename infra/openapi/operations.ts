import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { ListOrders, Orders } from '../../shared/orders/order.ts';
import { CreatePet, GetPet, ListPets, Pet, Pets } from '../../shared/pets/pet.ts';
import { errorResponses } from './error-responses.ts';
import { EXAMPLE_NEW_PET, EXAMPLE_ORDER, EXAMPLE_PET } from './examples.ts';
import { DEPRECATION_HEADERS, headers } from './response-headers.ts';

const SECURITY = [{ bearer: [] }];
const TAGS = ['animals'];

const listPets: ZodOpenApiOperationObject = {
  operationId: 'listPets',
  summary: 'List animals',
  description:
    'Returns a page of animals in ascending order of `id`, which is the order of their creation. The `Link` header leads to the next page. An animal may appear in the list a moment after it was added.\n\nThe API key needs the scope `pets:read`.',
  tags: TAGS,
  security: SECURITY,
  'x-stability': 'stable',
  'x-scalar-stability': 'stable',
  requestParams: { query: ListPets.shape.query },
  responses: {
    200: {
      description: 'A page of animals.',
      headers: headers({ Link: 'NextPage' }),
      content: {
        'application/json': {
          schema: Pets,
          examples: { page: { summary: 'One animal', value: [EXAMPLE_PET] } },
        },
      },
    },
    ...errorResponses(['invalid_request', 'invalid_cursor']),
  },
};

const createPet: ZodOpenApiOperationObject = {
  operationId: 'createPet',
  summary: 'Add an animal',
  description:
    'Adds an animal and answers with it, its new `id` included. Send an `Idempotency-Key` to be able to repeat the request without adding a second animal.\n\nThe API key needs the scope `pets:write`.',
  tags: TAGS,
  security: SECURITY,
  'x-stability': 'stable',
  'x-scalar-stability': 'stable',
  requestParams: { header: CreatePet.shape.headers },
  requestBody: {
    description: 'The animal to add. At most 16 KiB.',
    required: true,
    content: {
      'application/json': {
        schema: CreatePet.shape.body,
        examples: {
          available: { summary: 'An animal that can be had', value: EXAMPLE_NEW_PET },
          pending: {
            summary: 'An animal with a status of its own',
            value: { name: 'Luna', categoryId: 2, status: 'pending' },
          },
        },
      },
    },
  },
  responses: {
    201: {
      description: 'The animal that was added.',
      headers: headers({ 'Idempotency-Replayed': 'Idempotency-Replayed' }),
      content: {
        'application/json': {
          schema: Pet,
          examples: { pet: { summary: 'The new animal', value: EXAMPLE_PET } },
        },
      },
    },
    ...errorResponses(
      ['invalid_request', 'payload_too_large', 'unsupported_media_type', 'idempotency_mismatch'],
      {
        messages: {
          invalid_request:
            'name is required; categoryId must be an integer from -9223372036854775808 to 9223372036854775807',
          forbidden: 'The API key does not have the scope pets:write.',
        },
      },
    ),
  },
};

const getPet: ZodOpenApiOperationObject = {
  operationId: 'getPet',
  summary: 'Get an animal',
  description:
    'Returns one animal by its identifier.\n\n**Deprecated: it is removed on 5 December 2030.** Use [`GET /pets`](#tag/animals/GET/pets) with the `status` filter instead.\n\nThe API key needs the scope `pets:read`.',
  tags: TAGS,
  security: SECURITY,
  deprecated: true,
  'x-deprecated-sunset': '2030-12-05',
  'x-stability': 'deprecated',
  'x-scalar-stability': 'deprecated',
  'x-badges': [{ name: 'Removed on 5 December 2030', color: '#d92d20' }],
  requestParams: { path: GetPet.shape.path },
  responses: {
    200: {
      description: 'The animal.',
      headers: headers(DEPRECATION_HEADERS),
      content: {
        'application/json': { schema: Pet, examples: { pet: { summary: 'The animal', value: EXAMPLE_PET } } },
      },
    },
    ...errorResponses(['not_found'], { operationHeaders: DEPRECATION_HEADERS }),
  },
};

const listOrders: ZodOpenApiOperationObject = {
  operationId: 'listOrders',
  summary: 'List orders',
  description:
    'Returns a page of the orders that the store’s operators have recorded, in ascending order of `id`. The `Link` header leads to the next page.\n\n**Experimental: it may change without notice.** It cannot be tried out from this page.\n\nThe API key needs the scope `orders:read`.',
  tags: TAGS,
  security: SECURITY,
  'x-stability': 'experimental',
  'x-scalar-stability': 'experimental',
  'x-hideTryItPanel': true,
  requestParams: { query: ListOrders.shape.query },
  responses: {
    200: {
      description: 'A page of orders.',
      headers: headers({ Link: 'NextPage' }),
      content: {
        'application/json': {
          schema: Orders,
          examples: { page: { summary: 'One order', value: [EXAMPLE_ORDER] } },
        },
      },
    },
    ...errorResponses(['invalid_request', 'invalid_cursor'], {
      messages: { forbidden: 'The API key does not have the scope orders:read.' },
    }),
  },
};

/** Every operation of the interface at its path. */
export const PATHS: ZodOpenApiPathsObject = {
  '/pets': { get: listPets, post: createPet },
  '/pets/{petId}': { get: getPet },
  '/store/orders': { get: listOrders },
};
