import type { oas31 } from 'zod-openapi';
import { deprecationDates } from '../../shared/http/deprecation-headers.ts';
import { getPet } from '../../shared/pets/operations.ts';

const EXAMPLE_DATES = deprecationDates(getPet.deprecation);

/** The response headers of the interface, as components of the document. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this request. Quote it when you report something.',
    required: true,
    schema: { type: 'string', minLength: 1 },
    example: 'Gq2hTBbKIAMEVTw=',
  },
  'Cache-Control': {
    description: 'Answers depend on the API key and are not to be stored.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  NextPage: {
    description: 'The address of the next page (RFC 8288), `<…>; rel="next"`. Absent on the last page.',
    schema: { type: 'string' },
    example: '<https://api.example.org/production/v1/pets?limit=20&cursor=…>; rel="next"',
  },
  Successor: {
    description:
      'The operation to use instead (RFC 8288), `<…/pets?status=…>; rel="successor-version"`: the list that the animal is in.',
    schema: { type: 'string' },
    example: '<https://api.example.org/production/v1/pets?status=available>; rel="successor-version"',
  },
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745), in seconds since 1970.',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
    example: EXAMPLE_DATES.Deprecation,
  },
  Sunset: {
    description: 'When the operation is removed (RFC 8594).',
    schema: { type: 'string' },
    example: EXAMPLE_DATES.Sunset,
  },
  Location: {
    description: 'The address of the animal that was created.',
    required: true,
    schema: { type: 'string', pattern: '^https?://' },
    example: 'https://api.example.org/production/v1/pets/482915375738880',
  },
  'Idempotency-Replayed': {
    description: 'Present when this answer repeats that of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'The authentication that is required (RFC 6750).',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer realm="petstore"',
  },
  'Retry-After': {
    description: 'After how many seconds to try again.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1',
  },
} as const satisfies Record<string, oas31.HeaderObject>;

/** The components of a response's headers, by the names that the headers have on the wire. */
export type HeaderComponents = Readonly<Record<string, keyof typeof RESPONSE_HEADERS>>;

/** References to the headers of every answer and to these. */
export function headers(more: HeaderComponents = {}): Record<string, oas31.ReferenceObject> {
  const all = { 'X-Request-Id': 'X-Request-Id', 'Cache-Control': 'Cache-Control', ...more };
  return Object.fromEntries(
    Object.entries(all).map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }]),
  );
}

/** Headers of every answer that a function gives for a deprecated operation. */
export const DEPRECATION_HEADERS: HeaderComponents = {
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  Link: 'Successor',
};
