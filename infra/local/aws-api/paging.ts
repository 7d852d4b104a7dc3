/** A page of a list. */
export interface Page<Item> {
  readonly shown: readonly Item[];
  /** The first item of the next page, for services whose token is where the next page starts. */
  readonly next: Item | undefined;
  /** The last item shown, if a page follows, for services whose token is where this page ended. */
  readonly last: Item | undefined;
}

/** The page of a list from the first item that is not before its start. */
export function page<Item>(
  items: readonly Item[],
  limit: number,
  isBefore: (item: Item, index: number) => boolean,
): Page<Item> {
  const rest = items.filter((item, index) => !isBefore(item, index));
  const shown = rest.slice(0, limit);
  const next = rest[limit];
  return { shown, next, last: next === undefined ? undefined : shown.at(-1) };
}
