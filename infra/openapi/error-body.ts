import * as z from 'zod/mini';
import { type ErrorBody, STATUS_BY_CODE } from '../../shared/http/errors.ts';
import { describeSchema } from './describe-schema.ts';

const ERROR_CODES = Object.keys(STATUS_BY_CODE);

/** The schema of the interface's Error. Only the document needs it: the functions make Error bodies and read none. */
export const ErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  status: z.number(),
} satisfies Record<keyof ErrorBody, z.ZodMiniType>);

describeSchema(ErrorSchema, { id: 'Error', description: 'The body of every error answer.' });
describeSchema(ErrorSchema.shape.code, {
  description:
    'Machine-readable error code. Further codes may be added: treat one that you do not know by its status.',
  examples: ERROR_CODES,
  // Not an enum: a client that was generated from one would reject the answers with codes of later versions.
  override: { 'x-extensible-enum': ERROR_CODES },
});
describeSchema(ErrorSchema.shape.message, {
  description: 'Human-readable description. It names every fault at once and may change: do not parse it.',
});
describeSchema(ErrorSchema.shape.status, {
  description: 'The HTTP status code.',
  override: { type: 'integer', minimum: 400, maximum: 599 },
});
