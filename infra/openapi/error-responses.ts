import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { ErrorBody, type ErrorCode, errorBody, STATUS_BY_CODE } from '../../shared/http/errors.ts';
import { headers } from './response-headers.ts';

interface ErrorNote {
  readonly description: string;
  readonly exampleMessage: string;
  readonly headers?: Parameters<typeof headers>[0];
}

/** Every error that an operation can answer with: when it does, and a message as the service gives it. */
const NOTES: Readonly<Partial<Record<ErrorCode, ErrorNote>>> = {
  invalid_request: {
    description: 'A parameter, header or the body is not valid; the message names every fault.',
    exampleMessage: 'limit must be an integer from 1 to 100',
  },
  invalid_cursor: {
    description: 'The cursor is not one that this service gave for this list and filter.',
    exampleMessage: 'cursor is not one that this service gave for this list',
  },
  unauthorized: {
    description: 'The API key is missing or invalid.',
    exampleMessage: 'The API key is missing or invalid.',
    headers: { 'WWW-Authenticate': 'WWW-Authenticate' },
  },
  forbidden: {
    description: 'The API key may not do this.',
    exampleMessage: 'The API key does not have the scope pets:read.',
  },
  not_found: {
    description: 'The requested resource could not be found.',
    exampleMessage: 'There is no animal with this id.',
  },
  payload_too_large: {
    description: 'The body is larger than 16 KiB.',
    exampleMessage: 'The body must not be larger than 16384 bytes.',
  },
  unsupported_media_type: {
    description: 'The body is not `application/json`.',
    exampleMessage: 'The body must be sent with Content-Type: application/json.',
  },
  idempotency_mismatch: {
    description: 'The Idempotency-Key was used before with another body.',
    exampleMessage: 'This Idempotency-Key was used before with another body.',
  },
  rate_limited: {
    description: 'Too many requests.',
    exampleMessage: 'Too many requests. Please slow down.',
    headers: { 'Retry-After': 'Retry-After' },
  },
  internal_error: {
    description: 'Something went wrong on our side.',
    exampleMessage: 'Something went wrong on our side. Please quote the X-Request-Id.',
  },
  unavailable: {
    description: 'The service cannot answer at the moment.',
    exampleMessage: 'The service cannot answer at the moment. Please try again.',
    headers: { 'Retry-After': 'Retry-After' },
  },
  timeout: {
    description: 'The service did not answer in time.',
    exampleMessage: 'The service did not answer in time. Please try again.',
  },
};

/** What any operation can answer, whatever was asked. */
const EVERYWHERE = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal_error',
  'unavailable',
  'timeout',
] as const;

export interface ErrorOptions {
  /** Messages that differ from the common example. */
  readonly messages?: Partial<Record<ErrorCode, string>>;
  /** Headers that the operation's own answers carry, errors included. */
  readonly operationHeaders?: Parameters<typeof headers>[0];
}

/** The error responses of an operation, one for each status: those that any operation has, and its own. */
export function errorResponses(
  own: readonly ErrorCode[],
  options: ErrorOptions = {},
): ZodOpenApiResponsesObject {
  const codes = [...own, ...EVERYWHERE];
  const byStatus = Map.groupBy(codes, code => STATUS_BY_CODE[code]);
  const statuses = [...byStatus].toSorted(([left], [right]) => left - right);
  return Object.fromEntries(
    statuses.map(([status, alike]) => [String(status), errorResponse(alike, options)]),
  );
}

function errorResponse(codes: readonly ErrorCode[], { messages = {}, operationHeaders }: ErrorOptions) {
  const notes = codes.map(code => ({ code, ...noteOf(code) }));
  return {
    description: notes.map(({ code, description }) => `\`${code}\`: ${description}`).join('\n\n'),
    headers: headers(Object.assign({}, operationHeaders, ...notes.map(note => note.headers))),
    content: {
      'application/json': {
        schema: ErrorBody,
        examples: Object.fromEntries(
          notes.map(({ code, description, exampleMessage }) => [
            code,
            { summary: description, value: errorBody(code, messages[code] ?? exampleMessage) },
          ]),
        ),
      },
    },
  };
}

function noteOf(code: ErrorCode): ErrorNote {
  const note = NOTES[code];
  if (!note) throw new Error(`No operation answers with ${code}.`);
  return note;
}
