import { NotFoundException } from '@aws-sdk/client-api-gateway';

/** For the catch of a call to API Gateway that may name what does not exist. */
export function ignoreNotFound(error: unknown): undefined {
  if (error instanceof NotFoundException) return undefined;
  throw error;
}
