import * as z from 'zod';

/** MaxItems as Route 53 takes it, and the most that it gives at once. */
export function maxItems(most: number) {
  return z.coerce
    .number()
    .int()
    .min(1)
    .default(most)
    .transform(asked => Math.min(asked, most));
}

export interface Page<Item> {
  readonly shown: readonly Item[];
  /** The first of the next page. */
  readonly next?: Item | undefined;
}

/** A page of items from the first that is not before where it shall start. */
export function page<Item>(
  items: readonly Item[],
  limit: number,
  isBefore: (item: Item) => boolean,
): Page<Item> {
  const rest = items.filter(item => !isBefore(item));
  return { shown: rest.slice(0, limit), next: rest[limit] };
}
