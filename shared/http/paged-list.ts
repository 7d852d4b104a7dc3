import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import type { OperationDeclaration } from '../operation-declaration.ts';
import type { Page, PageRequest } from '../paging.ts';
import { cursors } from './cursor.ts';
import { type ApiResponse, json } from './response.ts';
import { calledUrl } from './urls.ts';

type Filter<Name extends string> = { readonly [Key in Name]?: string | undefined };

interface ListEvent<Query> extends APIGatewayProxyEvent {
  request: { query: Query & { limit: number; cursor?: string | undefined } };
}

/**
 * The handler of a list: returns a page in ascending order of id, with a Link header to the next page. All query parameters
 * except `limit` and `cursor` are filters. A cursor is valid for one filter: it's signed with the values in the order of
 * the declaration, so cursors stay valid when a filter is added at the end.
 */
export function pagedList<Query extends Filter<keyof Query & string>, Element extends { id: bigint }>(
  { name, request }: ListDeclaration,
  cursorSecret: string,
  read: (request: PageRequest<Query>) => Promise<Page<Element>>,
): (event: ListEvent<Query>) => Promise<ApiResponse> {
  const listCursors = cursors(cursorSecret, name);
  const filters = Object.keys(request.shape.query.shape).filter(key => key !== 'limit' && key !== 'cursor');

  return async event => {
    const { limit, cursor, ...query } = event.request.query;
    const filter = query as unknown as Filter<string>;
    const signed = filters
      .map(key => encodeURIComponent(filter[key] ?? ''))
      .join('\n')
      .trimEnd();
    const after = cursor === undefined ? undefined : listCursors.open(cursor, signed);
    if (cursor !== undefined && after === undefined) {
      throw new ApiError('invalid_cursor');
    }
    const { elements, hasMore } = await read({ ...query, limit, after } as unknown as PageRequest<Query>);
    const last = elements.at(-1);
    if (!hasMore || !last) return json(200, elements);

    const next = new URLSearchParams({ limit: String(limit) });
    for (const key of filters) if (filter[key] !== undefined) next.set(key, filter[key]);
    next.set('cursor', listCursors.after(last.id, signed));
    return json(200, elements, { Link: `<${calledUrl(event)}?${next}>; rel="next"` });
  };
}

type ListDeclaration = OperationDeclaration & { request: { shape: { query: { shape: object } } } };
