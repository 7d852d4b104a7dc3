import { createHash } from 'node:crypto';

/**
 * Identifies a read's result. Whoever has the result computes the revision from its JSON and sends it with the next read as
 * `known`: the operator function then doesn't resend an unchanged result.
 */
export function revisionOf(result: unknown): string {
  return createHash('sha256').update(JSON.stringify(result)).digest('base64url').slice(0, 16);
}
