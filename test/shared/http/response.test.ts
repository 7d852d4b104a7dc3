import { expect, test } from 'vitest';
import { conditionalResponse, empty, json, representation } from '../../../shared/http/response.ts';
import { proxyEvent } from '../../functions/proxy-event.ts';

test('json has the body as JSON and its media type', () => {
  expect(json(201, { id: 2n ** 63n - 1n }, { Location: '/pets/1' })).toEqual({
    statusCode: 201,
    headers: { 'Content-Type': 'application/json', Location: '/pets/1' },
    body: '{"id":9223372036854775807}',
  });
});

test('empty has no body, no media type, and a copy of the headers', () => {
  const headers = { 'Cache-Control': 'private' };
  const response = empty(204, headers);
  expect(response).toEqual({ statusCode: 204, headers, body: '' });
  // The pipeline adds to the headers.
  expect(response.headers).not.toBe(headers);
});

const page = representation('text', { 'Content-Type': 'text/plain' });

function responseTo(headers: Record<string, string | string[]>) {
  return conditionalResponse(page, proxyEvent({ headers }));
}

test('200: the body with its entity tag, for a client that does not have it', () => {
  const { etag } = page;
  const headersOfClient = [
    {},
    { 'If-None-Match': '"other"' },
    { 'If-None-Match': '' },
    { 'If-None-Match': '"a", *' },
    { 'If-None-Match': etag.slice('W/"'.length, -1) },
    { 'If-None-Match': `"a,*,${etag}"` },
    { 'If-Match': etag },
  ];
  for (const headers of headersOfClient) {
    expect(responseTo(headers as Record<string, string>)).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'text/plain',
        ETag: page.etag,
        Vary: 'Accept-Encoding',
      },
      body: 'text',
    });
  }
});

test.each(['If-None-Match', 'if-none-match'])('304: %s has the entity tag', name => {
  const strong = page.etag.slice('W/'.length);
  const all = [page.etag, strong, `"a", ${page.etag}`, `"a,b",${strong} , W/"c"`, '*', ' * '];
  for (const tags of [...all, ['"a"', page.etag], [strong, '"b"']]) {
    expect(responseTo({ [name]: tags })).toMatchObject({
      statusCode: 304,
      body: '',
      headers: { ETag: page.etag, Vary: 'Accept-Encoding' },
    });
  }
});

test('the entity tag depends on the body alone', () => {
  expect(representation('text', {}).etag).toBe(page.etag);
  expect(representation('another', {}).etag).not.toBe(page.etag);
});
