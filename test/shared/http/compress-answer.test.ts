import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Answer, empty, json } from '../../../shared/http/answer.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { proxyEvent } from '../../functions/proxy-event.ts';
import { capturedLog } from './captured-log.ts';

type Handler = (event: unknown, context: unknown) => Promise<Answer>;

/** What the pipeline makes of an answer for a client that sends these headers. */
function answerTo(headers: Record<string, string>, original: () => Answer): Promise<Answer> {
  const handler = endpoint().handler(async () => original()) as unknown as Handler;
  return handler(proxyEvent({ headers }), {});
}

/** A JSON text of this many bytes, the two quotes included. Its last character has two bytes. */
const textOf = (bytes: number) => `${'a'.repeat(bytes - 4)}é`;
const LARGE = json(200, textOf(1025));
const GZIP = { 'Accept-Encoding': 'gzip' };
const copy = (answer: Answer) => () => structuredClone(answer);

describe('an answer above 1,024 bytes', () => {
  test('is compressed where the client accepts gzip', async () => {
    const { statusCode, headers, body, isBase64Encoded } = await answerTo(GZIP, copy(LARGE));
    expect([statusCode, isBase64Encoded]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      Vary: 'Accept-Encoding',
    });
    const compressed = Buffer.from(body, 'base64');
    expect(compressed.length).toBeLessThan(1024);
    expect(gunzipSync(compressed).toString()).toBe(LARGE.body);
  });

  test.each([
    ['does not accept gzip', { 'Accept-Encoding': 'br' }],
    ['does not say what it accepts', {}],
  ])('stays plain where the client %s, and says that it depends on that', async (_, headers) => {
    const answer = await answerTo(headers as Record<string, string>, copy(LARGE));
    expect(answer.body).toBe(LARGE.body);
    expect(answer.headers.Vary).toBe('Accept-Encoding');
    expect(answer).not.toHaveProperty('isBase64Encoded');
    expect(answer.headers).not.toHaveProperty('Content-Encoding');
  });

  test('keeps the names that are in its Vary', async () => {
    const answer = await answerTo(GZIP, () => json(200, textOf(2000), { Vary: 'Origin' }));
    expect(answer.headers.Vary).toBe('Origin, Accept-Encoding');
  });
});

describe('an answer is never compressed', () => {
  test('with 1,024 bytes or fewer', async () => {
    expect(Buffer.byteLength(json(200, textOf(1024)).body)).toBe(1024);
    const answer = await answerTo(GZIP, () => json(200, textOf(1024)));
    expect(answer.body).toBe(json(200, textOf(1024)).body);
    expect(answer.headers.Vary).toBe('Accept-Encoding');
  });

  test('when it is an error', async () => {
    await capturedLog(async () => {
      const answer = await answerTo(GZIP, () => {
        throw new ApiError('invalid_request', 'x'.repeat(2000));
      });
      expect(JSON.parse(answer.body)).toMatchObject({ status: 400 });
      expect(answer.headers).not.toHaveProperty('Vary');
    });
  });

  test('a second time', async () => {
    const binary = { ...LARGE, body: Buffer.alloc(2000).toString('base64'), isBase64Encoded: true };
    const encoded = json(200, textOf(2000), { 'Content-Encoding': 'br' });
    for (const original of [binary, encoded]) {
      const answer = await answerTo(GZIP, copy(original));
      expect(answer.body).toBe(original.body);
      expect(answer.headers['Content-Encoding']).toBe(original.headers['Content-Encoding']);
    }
  });

  test('without a body', async () => {
    const { headers } = await answerTo(GZIP, () => empty(204));
    expect(headers).not.toHaveProperty('Vary');
  });
});
