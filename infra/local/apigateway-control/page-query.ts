import * as z from 'zod';
import { page } from '../aws-api/paging.ts';

/** API Gateway gives 25 items unless it is asked for another number, of at most 500. */
const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 500;

/** The members that ask for a page, and where they are in the query. */
export const PageQuery = z.strictObject({
  limit: z.coerce.number().pipe(z.int().min(1).max(MAX_LIMIT)).default(DEFAULT_LIMIT),
  position: z.string().default(''),
});
export const PAGE_QUERY = { limit: 'limit', position: 'position' };

/**
 * A page of items that are ordered by id. The position is the last id shown: an item that is deleted meanwhile does not
 * move the next page.
 */
export function itemsPage<Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit, position }: z.output<typeof PageQuery>,
  represent: (item: Item) => unknown,
): { items: readonly unknown[]; position: string | undefined } {
  const { shown, last } = page(items, limit, ({ id }) => id <= position);
  return { items: shown.map(represent), position: last?.id };
}
