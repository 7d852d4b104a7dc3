import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { answerWith, cacheable } from '../../../shared/http/cacheable.ts';

const page = cacheable('text', { 'Content-Type': 'text/plain' });

function asked(headers: Record<string, string> | null) {
  const requestContext = { extendedRequestId: 'id-of-the-request' };
  return answerWith(page, { headers, requestContext } as unknown as APIGatewayProxyEvent);
}

test('200: the text with its tag, for whoever does not have it', () => {
  for (const headers of [null, {}, { 'If-None-Match': '"other"' }, { 'If-None-Match': '' }]) {
    expect(asked(headers)).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'text/plain',
        ETag: page.etag,
        Vary: 'Accept-Encoding',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': 'id-of-the-request',
      },
      body: 'text',
    });
  }
});

test.each(['If-None-Match', 'if-none-match'])('304: whoever has it already, and says so by %s', name => {
  for (const tags of [page.etag, page.etag.slice('W/'.length), `"a", ${page.etag}`, '*']) {
    expect(asked({ [name]: tags })).toMatchObject({
      statusCode: 304,
      body: '',
      headers: { ETag: page.etag },
    });
  }
});

test('another text has another tag', () => {
  expect(cacheable('text', {}).etag).toBe(page.etag);
  expect(cacheable('another', {}).etag).not.toBe(page.etag);
});
