import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queryParameters } from '../../../infra/local/testing/served-api.ts';
import { redirectResponse } from '../../../shared/http/redirect-response.ts';
import { anyCharacter, anyText } from '../../any-text.ts';
import { proxyEvent } from '../../functions/proxy-event.ts';

const TARGET = { to: 'zoo.example', status: 301 };

function location(called: { path?: string; query?: Record<string, string | string[]> }): string {
  return String(redirectResponse(proxyEvent(called), TARGET).headers.Location);
}

test.each([
  [301, 'max-age=300'],
  [308, 'max-age=300'],
  [302, undefined],
  [307, undefined],
])('%i: to the same path and query of the other host, with Cache-Control %s', (status, cacheControl) => {
  const event = proxyEvent({ path: '/a/b', query: { c: 'd' } });
  const response = redirectResponse(event, { to: 'zoo.example', status });
  expect(response.statusCode).toBe(status);
  expect(response.headers.Location).toBe('https://zoo.example/a/b?c=d');
  expect(response.headers['Cache-Control']).toBe(cacheControl);
});

/** What RFC 3986 allows in a segment of a path: these as they are, and any other character in percent signs. */
const pathCharacter = fc.oneof(
  fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@"),
  anyCharacter.map(encodeURIComponent),
);
const anyPath = fc
  .array(fc.string({ unit: pathCharacter }))
  .map(segments => segments.map(segment => `/${segment}`).join(''));

describe('the path is kept as it was called', () => {
  test.each([
    ['/'],
    ['/a/'],
    ['//a//b//'],
    ['/a/../b/./c'],
    ['/space%20and%2Fslash%3Fquestion%23hash%25percent'],
    ['/literal%252Fslash'],
    ['/%CE%BB-%E4%B8%96%E7%95%8C'],
    ['/lower%e2%82%ac'],
    ['/no%FFutf-8'],
    ["/a-z_~!$&'()*+,;=:@/v1.2"],
  ])('%s', path => {
    expect(location({ path })).toBe(`https://zoo.example${path}`);
  });

  test('for any path', () => {
    fc.assert(
      fc.property(anyPath, path => {
        expect(location({ path })).toBe(`https://zoo.example${path || '/'}`);
      }),
    );
  });
});

test.each([
  ['a space', '/a b', '/a%20b'],
  ['a percent sign by itself', '/100%/%zz', '/100%25/%25zz'],
  ['a question mark', '/a?b=c', '/a%3Fb=c'],
  ['a hash', '/a#b', '/a%23b'],
  ['a backslash', '/\\evil.example', '/%5Cevil.example'],
  ['a line break', '/a\r\nSet-Cookie: b=c', '/a%0D%0ASet-Cookie:%20b=c'],
  ['a character of another script', '/λ😀', '/%CE%BB%F0%9F%98%80'],
  ['a lone surrogate', '/\ud800', '/%EF%BF%BD'],
  ['no slash at the beginning', '@evil.example', '/@evil.example'],
  ['nothing', '', '/'],
])('a character that a path must not contain is encoded: %s', (_, path, expected) => {
  expect(location({ path })).toBe(`https://zoo.example${expected}`);
});

describe('the query keeps', () => {
  test.each<[string, Record<string, string | string[]>, string]>([
    ['a repeated parameter', { a: ['1', '2', '1'], b: '3' }, '?a=1&a=2&a=1&b=3'],
    ['an empty value', { flag: '', b: '1' }, '?flag=&b=1'],
    ['an empty name', { '': 'x' }, '?=x'],
    ['separators', { 'a&b': 'c=d;e&f' }, '?a%26b=c%3Dd%3Be%26f'],
    ['a plus and a space', { q: '1 + 1' }, '?q=1%20%2B%201'],
    ['a percent sign', { q: '100%25' }, '?q=100%2525'],
    ['another script', { λ: '世界😀' }, '?%CE%BB=%E4%B8%96%E7%95%8C%F0%9F%98%80'],
    ['a line break', { a: '1\r\nSet-Cookie: b=c' }, '?a=1%0D%0ASet-Cookie%3A%20b%3Dc'],
    ['a lone surrogate, replaced', { a: '\udc00' }, '?a=%EF%BF%BD'],
    [
      'names that every object has',
      JSON.parse('{"__proto__":"x","constructor":"y"}'),
      '?__proto__=x&constructor=y',
    ],
  ])('%s', (_, query, expected) => {
    expect(location({ path: '/', query })).toBe(`https://zoo.example/${expected}`);
  });

  /** What API Gateway reads of a query, and passes to the function behind it. */
  const readOf = (query: string) => {
    const grouped = Map.groupBy(queryParameters(query), ([name]) => name);
    return Object.fromEntries(
      grouped.entries().map(([name, pairs]) => [name, pairs.map(([, value]) => value)]),
    );
  };
  const queryOf = (query: string) =>
    location({ path: '/', query: readOf(query) }).slice('https://zoo.example/'.length);

  test.each([
    ['z=1&a=2&m=3', '?z=1&a=2&m=3'],
    ['a=2&b=&a=1&flag', '?a=2&a=1&b=&flag='],
    ['q=a%20b&r=%2B%26%3D%3B%25', '?q=a%20b&r=%2B%26%3D%3B%25'],
    ['q=a+b', '?q=a%20b'],
    ['a=1;b=2', '?a=1&b=2'],
    ['q=%FF', '?q=%EF%BF%BD'],
    ['', ''],
  ])('the parameters of ?%s as %s', (query, expected) => {
    expect(queryOf(query)).toBe(expected);
  });

  test('for the API behind the target all parameters of any query, in the order of their values', () => {
    const encodings = ['%20', '%2B', '%26', '%3B', '%25', '%FF', '%C3', '%A9'];
    const part = fc.constantFrom(...'ab1=&;+?/:\xe9', ...encodings);
    fc.assert(
      fc.property(fc.string({ unit: part }), query => {
        expect(readOf(queryOf(query).slice(1))).toEqual(readOf(query));
      }),
    );
  });
});

test('no request can change the host or add a header', () => {
  const text = anyText();
  const start = fc.constantFrom('', '/', '//', '///', '/\\', '\\\\', '@', ':', '.', 'https://', '/?', '/#');
  fc.assert(
    fc.property(start, text, fc.dictionary(text, text), (before, rest, query) => {
      const called = location({ path: `${before}${rest}`, query });
      expect(called).toMatch(/^https:\/\/zoo\.example\/[!-~]*$/);
      expect(new URL(called).origin).toBe('https://zoo.example');
    }),
  );
});
