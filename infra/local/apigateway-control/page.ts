import * as z from 'zod';

/** API Gateway gives 25 items unless it is asked for another number, of at most 500. */
const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 500;

/** The part of a query that asks for a page. */
export const PageQuery = z.strictObject({
  limit: z.coerce.number().pipe(z.int().min(1).max(MAX_LIMIT)).default(DEFAULT_LIMIT),
  position: z.string().default(''),
});

/** A page of items that are ordered by id. The position is the id before it, so that a page has its place whatever is removed. */
export function page<Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit, position }: z.output<typeof PageQuery>,
  represent: (item: Item) => unknown,
): { item: readonly unknown[]; position?: string } {
  const rest = items.filter(({ id }) => id > position);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  return {
    item: shown.map(represent),
    ...(last !== undefined && rest.length > shown.length && { position: last.id }),
  };
}
