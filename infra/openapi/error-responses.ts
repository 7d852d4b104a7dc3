import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { BODY_NOT_JSON_TYPE, BODY_TOO_LARGE } from '../../shared/http/body.ts';
import { type ErrorCode, errorBody, STATUS_BY_CODE } from '../../shared/http/errors.ts';
import { ErrorSchema } from './error-body.ts';
import { type HeaderComponents, headers } from './response-headers.ts';

interface ErrorProse {
  readonly description: string;
  /** A message as the service gives it, where that is not the default of the code. */
  readonly exampleMessage?: string;
  readonly headers?: HeaderComponents;
}

/** Every error that an operation can answer with. */
const PROSE: Readonly<Partial<Record<ErrorCode, ErrorProse>>> = {
  invalid_request: {
    description: 'A parameter, header or the body is not valid; the message names every fault.',
    exampleMessage: 'limit must be an integer from 1 to 100',
  },
  invalid_cursor: {
    description: 'The cursor is not one that this service gave for this list and filter.',
  },
  unauthorized: {
    description: 'The API key is missing or invalid.',
    headers: { 'WWW-Authenticate': 'WWW-Authenticate' },
  },
  forbidden: { description: 'The API key may not do this.' },
  not_found: { description: 'The requested resource could not be found.' },
  payload_too_large: {
    description: 'The body is larger than 16 KiB.',
    exampleMessage: BODY_TOO_LARGE,
  },
  unsupported_media_type: {
    description: 'The body is not `application/json`.',
    exampleMessage: BODY_NOT_JSON_TYPE,
  },
  idempotency_mismatch: { description: 'The Idempotency-Key was used before with another body.' },
  rate_limited: { description: 'Too many requests.', headers: { 'Retry-After': 'Retry-After' } },
  internal_error: { description: 'Something went wrong on our side.' },
  unavailable: {
    description: 'The service cannot answer at the moment.',
    headers: { 'Retry-After': 'Retry-After' },
  },
  timeout: { description: 'The service did not answer in time.' },
};

/** What every operation can answer, whatever the request. */
const ERRORS_OF_EVERY_OPERATION = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal_error',
  'unavailable',
  'timeout',
] as const;

/** What API Gateway answers before it asks the function of the operation, and so without the operation's headers. */
const ERRORS_OF_GATEWAY: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'rate_limited', 'timeout']);

export interface ErrorResponsesOptions {
  /** Example messages of this operation. */
  readonly messages?: Partial<Record<ErrorCode, string>>;
  /** Headers that every answer of the operation's function carries. */
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
