import * as z from 'zod';
import { StepFunctionsError } from './step-functions-error.ts';

/** Step Functions gives 100 items unless it is asked for another number, of at most 1,000; 0 is that default. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** The part of a request that asks for a page. The token is the number of items before it. */
export const PageRequest = z.strictObject({
  maxResults: z.int().min(0).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  nextToken: z.string().optional(),
});

export function page<Item>(
  items: readonly Item[],
  { maxResults, nextToken }: z.output<typeof PageRequest>,
): { items: readonly Item[]; nextToken?: string } {
  const start = Number(nextToken ?? 0);
  if (!Number.isInteger(start) || start < 0) {
    throw new StepFunctionsError('InvalidToken', `Invalid Token: '${nextToken}'`);
  }
  const end = start + (maxResults || DEFAULT_LIMIT);
  return { items: items.slice(start, end), ...(end < items.length && { nextToken: String(end) }) };
}
