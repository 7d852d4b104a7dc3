import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import type { Page, PageRequest } from '../paging.ts';
import { cursors } from './cursor.ts';
import { type ApiResponse, json } from './response.ts';
import { calledUrl } from './urls.ts';

interface ListEvent<Status extends string> extends APIGatewayProxyEvent {
  request: { query: { limit: number; status?: Status | undefined; cursor?: string | undefined } };
}

/** The handler of a list: returns a page in ascending order of id, with a Link header to the next page. */
export function pagedList<Status extends string, Element extends { id: bigint }>(
  operationName: string,
  cursorSecret: string,
  read: (request: PageRequest<Status>) => Promise<Page<Element>>,
): (event: ListEvent<Status>) => Promise<ApiResponse> {
  const listCursors = cursors(cursorSecret, operationName);

  return async event => {
    const { limit, status, cursor } = event.request.query;
    const after = cursor === undefined ? undefined : listCursors.open(cursor, status);
    if (cursor !== undefined && after === undefined) {
      throw new ApiError('invalid_cursor');
    }
    const { elements, hasMore } = await read({ limit, status, after });
    const last = elements.at(-1);
    if (!hasMore || !last) return json(200, elements);

    const query = new URLSearchParams({ limit: String(limit), ...(status && { status }) });
    query.set('cursor', listCursors.after(last.id, status));
    return json(200, elements, { Link: `<${calledUrl(event)}?${query}>; rel="next"` });
  };
}
