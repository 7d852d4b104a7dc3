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
export declare class PagedList<Item> implements AsyncIterable<Item> {
    #private;
    /** @internal */
    constructor(first: URL, load: LoadPage<Item>);
    [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>;
    /** Iterates page by page. */
    pages(): AsyncGenerator<Page<Item>, void, undefined>;
}
