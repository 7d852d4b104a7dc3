import * as z from 'zod/mini';
import { type ErrorBody, type ErrorCode, STATUS_BY_CODE } from '../../shared/http/errors.ts';
import { describeSchema } from './describe-schema.ts';

/** The schema of the interface's Error. Only the document needs it: the functions make Error bodies and read none. */
export const ErrorSchema = z.object({
  code: z.enum(Object.keys(STATUS_BY_CODE) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  status: z.number(),
} satisfies Record<keyof ErrorBody, z.ZodMiniType>);

describeSchema(ErrorSchema, { id: 'Error', description: 'The body of every error answer.' });
describeSchema(ErrorSchema.shape.code, { description: 'Machine-readable error code.' });
describeSchema(ErrorSchema.shape.message, {
  description: 'Human-readable description. It names every fault at once and may change: do not parse it.',
});
describeSchema(ErrorSchema.shape.status, {
  description: 'The HTTP status code.',
  override: { type: 'integer', minimum: 400, maximum: 599 },
});
