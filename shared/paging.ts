import * as z from 'zod/mini';

const ONE_TO_ONE_HUNDRED = /^([1-9]\d?|100)$/;
const DEFAULT_LIMIT = 20;

/** Query parameter `limit`: the maximum number of elements of a page, 1 to 100, 20 by default. */
export const Limit = z._default(
  z.pipe(
    z.string().check(z.regex(ONE_TO_ONE_HUNDRED, 'must be an integer from 1 to 100')),
    z.transform(Number),
  ),
  DEFAULT_LIMIT,
);

/** Query parameter `cursor`: where the page starts. The Link header of the previous page contains it. */
export const Cursor = z.optional(z.string());

/** The parameters of a list that select elements, with their types. */
export type FilterOf<List extends { request: { shape: { query: z.ZodMiniObject } } }> = Readonly<
  Omit<z.infer<List['request']['shape']['query']>, 'limit' | 'cursor'>
>;

/** One page of a list whose elements are in ascending order of id. */
export interface Page<Element> {
  readonly elements: Element[];
  /** Whether more elements follow the last one of this page. */
  readonly hasMore: boolean;
}

/** Which elements to list, and which page of them. */
export type PageRequest<Filter> = Filter & {
  readonly limit: number;
  /** The id that the page starts after. */
  readonly after?: bigint | undefined;
};
