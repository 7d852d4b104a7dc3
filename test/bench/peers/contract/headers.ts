import type { APIGatewayProxyEvent } from 'aws-lambda';
import { cursors } from '../../../../shared/http/cursor.ts';
import { baseUrl, calledUrl } from '../../../../shared/http/urls.ts';
import { ApiError } from './rules.ts';

const petCursors = cursors(process.env.CURSOR_SECRET ?? '', 'listPets');

/** The headers of every response. */
export function commonHeaders(event: APIGatewayProxyEvent): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'X-Request-Id': event.requestContext.extendedRequestId ?? 'none',
    'Cache-Control': 'no-store',
  };
}

/** The headers of every response with one pet, which is deprecated. The link of a 200 has the status of the pet. */
export function deprecation(event: APIGatewayProxyEvent, status?: string): Record<string, string> {
  const list = `${baseUrl(event, '/pets/{petId}')}/pets${status === undefined ? '' : `?status=${status}`}`;
  return {
    Deprecation: `@${Date.UTC(2025, 11, 5) / 1000}`,
    Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    Link: `<${list}>; rel="successor-version"`,
  };
}

/** The id that a page starts after. */
export function openCursor(cursor: string | undefined, status: string | undefined): bigint | undefined {
  if (cursor === undefined) return undefined;
  const after = petCursors.open(cursor, status);
  if (after === undefined) {
    throw new ApiError('invalid_cursor', 'cursor is not valid for this list');
  }
  return after;
}

/** The Link header to the page after the one that ends with this id. */
export function nextPage(
  event: APIGatewayProxyEvent,
  limit: number,
  status: string | undefined,
  lastId: bigint,
): string {
  const query = new URLSearchParams({ limit: String(limit), ...(status && { status }) });
  query.set('cursor', petCursors.after(lastId, status));
  return `<${calledUrl(event)}?${query}>; rel="next"`;
}
