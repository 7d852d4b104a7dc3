/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** Where the next page starts: the `cursor` to list on from. Undefined on the last page. */
  readonly nextCursor: string | undefined;
}

/** A page, and the URL of the next one. */
export interface LoadedPage<Item> {
  readonly items: Item[];
  readonly next: URL | undefined;
}

/** Reads a page. The URLs of the pages that were read include its own. */
export type LoadPage<Item> = (url: URL, readPages: ReadonlySet<string>) => Promise<LoadedPage<Item>>;

/** A list that is read page by page while it is iterated. Each iteration starts at the first page. */
export class PagedList<Item> implements AsyncIterable<Item> {
  readonly #first: URL;
  readonly #load: LoadPage<Item>;

  /** @internal */
  constructor(first: URL, load: LoadPage<Item>) {
    this.#first = first;
    this.#load = load;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** Iterates page by page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const readPages = new Set<string>();
    for (let url: URL | undefined = this.#first; url; ) {
      readPages.add(url.href);
      const { items, next }: LoadedPage<Item> = await this.#load(url, readPages);
      yield { items, nextCursor: next?.searchParams.get('cursor') ?? undefined };
      url = next;
    }
  }
}
