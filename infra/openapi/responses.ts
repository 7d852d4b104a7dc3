import * as z from 'zod/mini';
import type { oas31, ZodOpenApiResponsesObject } from 'zod-openapi';
import {
  BODY_NOT_JSON_TYPE,
  BODY_TOO_LARGE,
  type ErrorBody,
  type ErrorCode,
  errorBody,
  STATUS_BY_CODE,
} from '../../shared/errors.ts';
import { deprecationDates } from '../../shared/http/deprecation-headers.ts';
import type { OperationError } from '../../shared/operations.ts';
import { describeSchema } from './describe-schema.ts';

/** The responses of operations as the document describes them: their headers, the Error, and one response for each error. */

const EXAMPLE_DATES = deprecationDates({ since: '2025-12-05', sunset: '2030-12-05' });

/** The response headers of the interface, as components of the document. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this request. Include it when you report a problem.',
    required: true,
    schema: { type: 'string', minLength: 1 },
    example: 'Gq2hTBbKIAMEVTw=',
  },
  'Cache-Control': {
    description: 'Responses depend on the API key and must not be stored.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  NextPage: {
    description: 'The URL of the next page (RFC 8288), `<…>; rel="next"`. Absent on the last page.',
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
    description: 'When the operation was deprecated (RFC 9745), in seconds since 1970.',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
    example: EXAMPLE_DATES.Deprecation,
  },
  Sunset: {
    description: 'When the operation will be removed (RFC 8594).',
    schema: { type: 'string' },
    example: EXAMPLE_DATES.Sunset,
  },
  Location: {
    description: 'The URL of the new animal.',
    required: true,
    schema: { type: 'string', pattern: '^https?://' },
    example: 'https://api.example.org/production/v1/pets/482915375738880',
  },
  'Idempotency-Replayed': {
    description: 'Present if this repeats the response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'The required authentication (RFC 6750).',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer realm="petstore"',
  },
  'Retry-After': {
    description: 'How many seconds to wait before trying again.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1',
  },
} as const satisfies Record<string, oas31.HeaderObject>;

/** The components of a response's headers, by the names that the headers have on the wire. */
export type HeaderComponents = Readonly<Record<string, keyof typeof RESPONSE_HEADERS>>;

/** References to the headers of every response and to these. */
export function headers(more: HeaderComponents = {}): Record<string, oas31.ReferenceObject> {
  const all = { 'X-Request-Id': 'X-Request-Id', 'Cache-Control': 'Cache-Control', ...more };
  return Object.fromEntries(
    Object.entries(all).map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }]),
  );
}

/** Headers of every response of a deprecated operation's function. */
export const DEPRECATION_HEADERS: HeaderComponents = {
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  Link: 'Successor',
};

const ERROR_CODES = Object.keys(STATUS_BY_CODE);

/** The schema of the interface's Error. Only the document needs it: the functions make Error bodies and read none. */
export const ErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  status: z.number(),
} satisfies Record<keyof ErrorBody, z.ZodMiniType>);

describeSchema(ErrorSchema, { id: 'Error', description: 'The body of every error response.' });
describeSchema(ErrorSchema.shape.code, {
  description:
    "Machine-readable error code. New codes may be added: if you don't know one, go by the status.",
  examples: ERROR_CODES,
  // Not an enum: a client that was generated from one would reject responses with codes of later versions.
  override: { 'x-extensible-enum': ERROR_CODES },
});
describeSchema(ErrorSchema.shape.message, {
  description:
    "Human-readable description of everything that is wrong. Its wording may change, so don't parse it.",
});
describeSchema(ErrorSchema.shape.status, {
  description: 'The HTTP status code.',
  override: { type: 'integer', minimum: 400, maximum: 599 },
});

interface ErrorProse {
  readonly description: string;
  /** A message as the service gives it, where that is not the default of the code. */
  readonly exampleMessage?: string;
  readonly headers?: HeaderComponents;
}

/** Every error that an operation can return. The compiler asks for those that operations declare. */
const PROSE: Readonly<Partial<Record<ErrorCode, ErrorProse>> & Record<OperationError, ErrorProse>> = {
  invalid_request: {
    description: 'A parameter, a header or the body is invalid. The message says what is wrong.',
    exampleMessage: 'limit must be an integer from 1 to 100',
  },
  invalid_cursor: {
    description: 'The cursor is not valid for this list and filter.',
  },
  unauthorized: {
    description: 'The API key is missing or invalid.',
    headers: { 'WWW-Authenticate': 'WWW-Authenticate' },
  },
  forbidden: { description: 'The API key lacks the required scope.' },
  not_found: { description: 'The requested resource could not be found.' },
  payload_too_large: {
    description: 'The body is larger than 16 KiB.',
    exampleMessage: BODY_TOO_LARGE,
  },
  unsupported_media_type: {
    description: "The body isn't `application/json`, or has a `Content-Encoding`.",
    exampleMessage: BODY_NOT_JSON_TYPE,
  },
  idempotency_mismatch: { description: 'The Idempotency-Key was already used with a different body.' },
  rate_limited: { description: 'Too many requests.', headers: { 'Retry-After': 'Retry-After' } },
  internal_error: { description: 'Something went wrong on our side.' },
  unavailable: {
    description: 'The service is temporarily unavailable.',
    headers: { 'Retry-After': 'Retry-After' },
  },
  timeout: { description: "The service didn't respond in time." },
};

/** What every operation can return, whatever the request. */
const ERRORS_OF_EVERY_OPERATION = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal_error',
  'unavailable',
  'timeout',
] as const;

/** What API Gateway returns before it invokes the operation's function, and so without the function's headers. */
const ERRORS_OF_GATEWAY: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'rate_limited', 'timeout']);

export interface ErrorResponsesOptions {
  /** Example messages of this operation. */
  readonly messages?: Partial<Record<ErrorCode, string>>;
  /** Headers of every response of the operation's function. */
  readonly operationHeaders?: HeaderComponents | undefined;
}

/** The error responses of an operation, one for each status: those of every operation, and its own. */
export function errorResponses(
  ownCodes: readonly ErrorCode[],
  options: ErrorResponsesOptions = {},
): ZodOpenApiResponsesObject {
  const codes = [...ownCodes, ...ERRORS_OF_EVERY_OPERATION];
  const byStatus = Map.groupBy(codes, code => STATUS_BY_CODE[code]);
  const statuses = [...byStatus].toSorted(([left], [right]) => left - right);
  return Object.fromEntries(
    statuses.map(([status, codesOfStatus]) => [String(status), errorResponse(codesOfStatus, options)]),
  );
}

function errorResponse(
  codes: readonly ErrorCode[],
  { messages = {}, operationHeaders }: ErrorResponsesOptions,
) {
  const errors = codes.map(code => ({ code, ...proseOf(code) }));
  const isOfFunction = codes.some(code => !ERRORS_OF_GATEWAY.has(code));
  return {
    description: errors.map(({ code, description }) => `\`${code}\`: ${description}`).join('\n\n'),
    headers: headers(
      Object.assign({}, isOfFunction && operationHeaders, ...errors.map(error => error.headers)),
    ),
    content: {
      'application/json': {
        schema: ErrorSchema,
        examples: Object.fromEntries(
          errors.map(({ code, description, exampleMessage }) => [
            code,
            { summary: description, value: errorBody(code, messages[code] ?? exampleMessage) },
          ]),
        ),
      },
    },
  };
}

function proseOf(code: ErrorCode): ErrorProse {
  const prose = PROSE[code];
  if (!prose) throw new Error(`The document has no description of the error ${code}.`);
  return prose;
}
