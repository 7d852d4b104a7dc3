import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../shared/errors.ts';
import { prefersGzip } from '../../../shared/http/compression.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { type ApiResponse, empty, json } from '../../../shared/http/response.ts';
import { proxyEvent } from '../../functions/proxy-event.ts';

type Handler = (event: unknown, context: unknown) => Promise<ApiResponse>;

/** What the pipeline makes of a response for a client that sends these headers. */
function responseTo(headers: Record<string, string>, original: () => ApiResponse): Promise<ApiResponse> {
  const handler = endpoint().handler(async () => original()) as unknown as Handler;
  return handler(proxyEvent({ headers }), {});
}

/** A JSON text of this many bytes, the two quotes included. Its last character has two bytes. */
const textOf = (bytes: number) => `${'a'.repeat(bytes - 4)}é`;
const LARGE = json(200, textOf(1025));
const GZIP = { Accept: '*/*', 'Accept-Encoding': 'gzip' };
const copy = (response: ApiResponse) => () => structuredClone(response);

describe('a response above 1,024 bytes', () => {
  test('is compressed where the client accepts gzip', async () => {
    const { statusCode, headers, body, isBase64Encoded } = await responseTo(GZIP, copy(LARGE));
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
    ['has no Accept header', { 'Accept-Encoding': 'gzip' }],
  ])('stays plain where the client %s, and says that it depends on that', async (_, headers) => {
    const response = await responseTo(headers as Record<string, string>, copy(LARGE));
    expect(response.body).toBe(LARGE.body);
    expect(response.headers.Vary).toBe('Accept-Encoding');
    expect(response).not.toHaveProperty('isBase64Encoded');
    expect(response.headers).not.toHaveProperty('Content-Encoding');
  });

  test('keeps the names that are in its Vary', async () => {
    const response = await responseTo(GZIP, () => json(200, textOf(2000), { Vary: 'Origin' }));
    expect(response.headers.Vary).toBe('Origin, Accept-Encoding');
  });
});

describe('a response is never compressed', () => {
  test('with 1,024 bytes or fewer', async () => {
    expect(Buffer.byteLength(json(200, textOf(1024)).body)).toBe(1024);
    const response = await responseTo(GZIP, () => json(200, textOf(1024)));
    expect(response.body).toBe(json(200, textOf(1024)).body);
    expect(response.headers.Vary).toBe('Accept-Encoding');
  });

  test('when it is an error', async () => {
    const response = await responseTo(GZIP, () => {
      throw new ApiError('invalid_request', 'x'.repeat(2000));
    });
    expect(JSON.parse(response.body)).toMatchObject({ status: 400 });
    expect(response.headers).not.toHaveProperty('Vary');
  });

  test('a second time', async () => {
    const binary = { ...LARGE, body: Buffer.alloc(2000).toString('base64'), isBase64Encoded: true };
    const encoded = json(200, textOf(2000), { 'Content-Encoding': 'br' });
    for (const original of [binary, encoded]) {
      const response = await responseTo(GZIP, copy(original));
      expect(response.body).toBe(original.body);
      expect(response.headers['Content-Encoding']).toBe(original.headers['Content-Encoding']);
    }
  });

  test('without a body', async () => {
    const { headers } = await responseTo(GZIP, () => empty(204));
    expect(headers).not.toHaveProperty('Vary');
  });
});

const prefers = (headers: Record<string, string | string[]>) => prefersGzip(proxyEvent({ headers }));

test.each([
  'gzip',
  'GZIP',
  'x-gzip',
  'gzip, deflate, br',
  'br;q=1.0, gzip;q=0.8',
  'br;q=1.0 , gzip ; Q=0.001',
  '*',
  'br, *;q=0.1',
  'gzip;q=0.5, identity;q=0.5',
  'gzip, *;q=0',
])('a client prefers gzip with %j', accepted => {
  expect(prefers({ 'Accept-Encoding': accepted })).toBe(true);
});

test.each([
  'gzip;q=0.5, identity',
  '*;q=0.2, identity;q=0.3',
  '',
  'identity',
  'br',
  'gzip;q=0',
  'gzip;q=0.000',
  '*;q=0',
  'gzip;q=0, *',
  'gzip;q=2',
  'gzip;q=high',
  'gzip;q=-1',
  'xgzip',
])('a client refuses gzip or prefers plain responses with %j', accepted => {
  expect(prefers({ 'Accept-Encoding': accepted })).toBe(false);
});

test('several headers count together, whatever the case of their names', () => {
  expect(prefers({ 'Accept-Encoding': ['br', 'gzip'] })).toBe(true);
  expect(prefers({ 'accept-encoding': 'br', 'ACCEPT-ENCODING': 'gzip' })).toBe(true);
  expect(prefers({ 'accept-encoding': 'gzip', 'Accept-Encoding': 'identity;q=1, gzip;q=0.1' })).toBe(false);
});
