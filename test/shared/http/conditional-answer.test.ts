import { expect, test } from 'vitest';
import { conditionalAnswer, representation } from '../../../shared/http/conditional-answer.ts';
import { proxyEvent } from '../../functions/proxy-event.ts';

const page = representation('text', { 'Content-Type': 'text/plain' });

function answerTo(headers: Record<string, string> | null) {
  return conditionalAnswer(page, { ...proxyEvent(), headers: headers as never });
}

test('200: the body with its entity tag, for a client that does not have it', () => {
  for (const headers of [null, {}, { 'If-None-Match': '"other"' }, { 'If-None-Match': '' }]) {
    expect(answerTo(headers)).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'text/plain',
        ETag: page.etag,
        Vary: 'Accept-Encoding',
        'X-Content-Type-Options': 'nosniff',
      },
      body: 'text',
    });
  }
});

test.each(['If-None-Match', 'if-none-match'])('304: %s has the entity tag', name => {
  for (const tags of [page.etag, page.etag.slice('W/'.length), `"a", ${page.etag}`, '*']) {
    expect(answerTo({ [name]: tags })).toMatchObject({
      statusCode: 304,
      body: '',
      headers: { ETag: page.etag },
    });
  }
});

test('the entity tag depends on the body alone', () => {
  expect(representation('text', {}).etag).toBe(page.etag);
  expect(representation('another', {}).etag).not.toBe(page.etag);
});
