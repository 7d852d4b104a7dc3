import { describe, expect, test } from 'vitest';
import { readBody } from '../../../shared/http/body.ts';
import { proxyEvent } from '../../functions/proxy-event.ts';

function read(
  body: string | undefined,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
) {
  return readBody(proxyEvent({ method: 'POST', headers, ...(body !== undefined && { body }) }));
}

describe('a body in base64, as API Gateway encodes it', () => {
  const headers = { 'Content-Type': 'application/json' };
  const readEncoded = (body: Buffer) =>
    readBody({
      ...proxyEvent({ method: 'POST', headers, body: body.toString('base64') }),
      isBase64Encoded: true,
    });

  test('is decoded as UTF-8', () => {
    expect(readEncoded(Buffer.from('{"name":"Zoë"}'))).toEqual({ name: 'Zoë' });
  });

  test('413: is measured decoded', () => {
    const json = (length: number) => Buffer.from(`"${'x'.repeat(length - 2)}"`);
    expect(readEncoded(json(16_384))).toHaveLength(16_382);
    expect(() => readEncoded(json(16_385))).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  });

  test.each([
    ['in a field', Buffer.from('{"name":"caf\xe9","categoryId":1}', 'latin1'), 'name is not UTF-8'],
    [
      'in two fields',
      Buffer.from('{"name":"\xff","breed":"\xe9"}', 'latin1'),
      'name is not UTF-8; breed is not UTF-8',
    ],
    ['in an encoded surrogate', Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1'), 'name is not UTF-8'],
    ['in an overlong encoding', Buffer.from('{"name":"\xc0\xaf"}', 'latin1'), 'name is not UTF-8'],
    ['in the name of a field', Buffer.from('{"caf\xe9":"x"}', 'latin1'), 'The body is not UTF-8.'],
    ['in a nested value', Buffer.from('{"name":["\xe9"]}', 'latin1'), 'The body is not UTF-8.'],
    ['in an element', Buffer.from('["\xe9"]', 'latin1'), 'The body is not UTF-8.'],
    ['outside of JSON', Buffer.from('\xe9', 'latin1'), 'The body is not UTF-8.'],
    ['in null', Buffer.from('null\xe9', 'latin1'), 'The body is not UTF-8.'],
  ])('400: bytes that are not UTF-8 %s', (_, body, message) => {
    expect(() => readEncoded(body)).toThrow(expect.objectContaining({ code: 'invalid_request', message }));
  });

  test('400: decodes to something that is not JSON', () => {
    expect(() => readEncoded(Buffer.from([0xff, 0xfe]))).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});

describe('Content-Type', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    ' application/json ',
    'application/json;',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset = "utf-8" ;',
  ])('%j is accepted', contentType => {
    expect(read('{}', { 'Content-Type': contentType })).toEqual({});
  });

  test.each(['Content-Type', 'content-type', 'CONTENT-TYPE'])('the header is found when written %s', name => {
    expect(read('{}', { [name]: 'application/json' })).toEqual({});
    expect(() => read('{}', { [name]: 'text/plain' })).toThrow(
      expect.objectContaining({ code: 'unsupported_media_type' }),
    );
  });

  test.each([
    '',
    'text/plain',
    'text/json',
    'application/jsonx',
    'application/json-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json, text/plain',
    'text/plain; application/json',
  ])('415: %j', contentType => {
    expect(() => read('{}', { 'Content-Type': contentType })).toThrow(
      expect.objectContaining({ code: 'unsupported_media_type' }),
    );
  });

  test('415: no Content-Type, with a body', () => {
    expect(() => read('{}', {})).toThrow(expect.objectContaining({ code: 'unsupported_media_type' }));
  });

  test('415: another Content-Type, without a body', () => {
    expect(() => read(undefined, { 'Content-Type': 'text/plain' })).toThrow(
      expect.objectContaining({ code: 'unsupported_media_type' }),
    );
  });

  test.each([
    ['after the type', `application/json${' '.repeat(10_000)}x`],
    ['after the charset', `application/json; charset=utf-8${' '.repeat(10_000)}x`],
    ['before the charset', `application/json;${' '.repeat(10_000)}x`],
  ])('415: 10,000 blanks %s are matched in linear time', (_, contentType) => {
    const before = process.threadCpuUsage();
    expect(() => read('{}', { 'Content-Type': contentType })).toThrow();
    expect(process.threadCpuUsage(before).user).toBeLessThan(50_000);
  });
});

describe('no body', () => {
  test('is undefined with and without a Content-Type', () => {
    expect(read(undefined)).toBeUndefined();
    expect(read('')).toBeUndefined();
    expect(read(undefined, {})).toBeUndefined();
    expect(read('', {})).toBeUndefined();
  });
});

describe('size', () => {
  const quotes = 2;

  test.each([
    ['a', 1],
    ['é', 2],
    ['€', 3],
    ['🐕', 4],
  ])('is measured in bytes, with a body of %s', (character, bytes) => {
    const fitting = Math.floor((16_384 - quotes) / bytes);
    const padding = 'a'.repeat(16_384 - quotes - fitting * bytes);
    const text = `${character.repeat(fitting)}${padding}`;
    expect(Buffer.byteLength(`"${text}"`)).toBe(16_384);
    expect(read(`"${text}"`)).toBe(text);
    expect(() => read(`"${text}a"`)).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  });

  test('413: a body that is too large and not JSON', () => {
    expect(() => read('{'.repeat(16_385))).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  });
});

test.each(['{', 'name=Rex', '{"name":"Rex",}', ' ', '[1]]', '\ufeff{}', 'undefined'])(
  '400: %j is not JSON',
  body => {
    expect(() => read(body)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: 'The body is not JSON.' }),
    );
  },
);

test('400: a body nested as deep as its size allows', () => {
  const body = `${'['.repeat(8192)}${']'.repeat(8192)}`;
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

test('integers are exact', () => {
  expect(read('{"a":9223372036854775807}')).toEqual({ a: 9223372036854775807n });
});
