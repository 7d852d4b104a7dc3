import * as z from 'zod';
import { type Page, page } from '../aws-api/paging.ts';
import { StepFunctionsError } from './step-functions-error.ts';

/** Step Functions gives 100 items unless it is asked for another number, of at most 1,000; 0 is that default. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** The members that ask for a page. The token is the number of items before the page. */
export const PageRequest = z.strictObject({
  maxResults: z.int().min(0).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  nextToken: z.string().optional(),
});

export function requestedPage<Item>(
  items: readonly Item[],
  { maxResults, nextToken }: z.output<typeof PageRequest>,
): Page<Item> & { readonly nextToken: string | undefined } {
  const start = Number(nextToken ?? 0);
  if (!Number.isInteger(start) || start < 0) {
    throw new StepFunctionsError('InvalidToken', `Invalid Token: '${nextToken}'`);
  }
  const limit = maxResults || DEFAULT_LIMIT;
  const shownPage = page(items, limit, (_, index) => index < start);
  return { ...shownPage, nextToken: shownPage.next === undefined ? undefined : String(start + limit) };
}
