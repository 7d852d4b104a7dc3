import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  mappedTarget,
  pathSegments,
  queryParameters,
  requestTarget,
} from '../../../../infra/local/apigateway/request-target.ts';

describe('a target', () => {
  test.each([
    ['/test/v1/pets?limit=5', { stageName: 'test', path: '/v1/pets', query: 'limit=5' }],
    ['/test', { stageName: 'test', path: '/', query: '' }],
    ['/test/', { stageName: 'test', path: '/', query: '' }],
    ['/test?a=b?c', { stageName: 'test', path: '/', query: 'a=b?c' }],
    ['http://localhost:3000/test/v1', { stageName: 'test', path: '/v1', query: '' }],
    ['/', { stageName: '', path: '/', query: '' }],
    ['*', { stageName: '', path: '/', query: '' }],
  ])('%s is split', (url, expected) => {
    const calledPath = `/${expected.stageName}${expected.path}`;
    expect(requestTarget(url)).toEqual({ ...expected, calledPath });
  });

  test.each([
    ['/v1/pets?limit=5', '/v1/pets', 'limit=5'],
    ['/', '/', ''],
    ['https://zoo.example/v1', '/v1', ''],
    ['https://zoo.example', '/', ''],
  ])('%s of a custom domain name contains no stage', (url, path, query) => {
    expect(mappedTarget(url, 'test')).toEqual({ stageName: 'test', path, calledPath: path, query });
  });
});

describe('a path', () => {
  test.each([
    ['/', []],
    ['/v1/pets', ['v1', 'pets']],
    ['/v1/pets/', ['v1', 'pets']],
    ['/v1//pets', ['v1', '', 'pets']],
    ['/a%20b', ['a%20b']],
  ])('%s has the segments %j', (path, expected) => {
    expect(pathSegments(path)).toEqual(expected);
  });

  test.each(['%', '%2', '%zz', 'a%2gb'])('%s, a malformed escape, is a segment as it is', segment => {
    expect(pathSegments(`/pets/${segment}`)).toEqual(['pets', segment]);
  });
});

describe('a query', () => {
  test.each([
    ['', []],
    ['&&', []],
    ['a', [['a', '']]],
    ['a=1=2', [['a', '1=2']]],
    ['=1', [['', '1']]],
    [
      'a=b+c&d%2B=e%20f',
      [
        ['a', 'b c'],
        ['d+', 'e f'],
      ],
    ],
    [
      'a=1;b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=2&a=1',
      [
        ['a', '2'],
        ['a', '1'],
      ],
    ],
    ['a=%FF', [['a', '\uFFFD']]],
  ])('%s is read as %j', (query, expected) => {
    expect(queryParameters(query)).toEqual(expected);
  });

  test.each(['a=%', '%4=1', 'a=%zz'])('400: %s is malformed', query => {
    expect(() => queryParameters(query)).toThrow('BAD_REQUEST_PARAMETERS');
  });

  const pairs = fc.array(
    fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' })),
  );

  test('of a form encoder is decoded to the same values', () => {
    fc.assert(
      fc.property(pairs, written => {
        expect(queryParameters(new URLSearchParams(written).toString())).toEqual(written);
      }),
    );
  });

  test('of any text is decoded or answered with 400', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), query => {
        const malformed = /%(?![0-9A-Fa-f]{2})/.test(query);
        if (malformed) expect(() => queryParameters(query)).toThrow('BAD_REQUEST_PARAMETERS');
        else expect(queryParameters(query)).toBeInstanceOf(Array);
      }),
    );
  });
});
