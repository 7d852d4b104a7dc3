import { describe, expect, test } from 'vitest';
import { filterPattern } from '../../logs/filter-pattern.ts';

const EVENT = JSON.stringify({
  requestId: 'JKJaXmPLvHcESHA=',
  status: 503,
  statusText: '503',
  error: { name: 'TimeoutError', stack: null },
  isCold: true,
  causes: [{ name: 'ECONNREFUSED' }],
  path: '/v1/pets?x',
});

describe('a pattern of terms', () => {
  test.each([
    ['', 'anything'],
    ['ERROR', '[ERROR 401] refused'],
    ['ERROR refused', 'refused: ERROR'],
    ['"ERROR 401"', '[ERROR 401] refused'],
    ['"a \\"b\\""', 'a "b" c'],
    ['?ERROR ?WARN', 'WARN: hot'],
    ['ERROR -DEBUG', 'ERROR: hot'],
    ['"x="', '{"id":"x="}'],
  ])('%j matches %j', (pattern, message) => {
    expect(filterPattern(pattern)(message)).toBe(true);
  });

  test.each([
    ['ERROR', 'error'],
    ['ERROR', 'ERRORS'],
    ['ERROR refused', 'ERROR'],
    ['"ERROR 401"', '401 ERROR'],
    ['?ERROR ?WARN', 'INFO'],
    ['ERROR -DEBUG', 'ERROR in DEBUG'],
  ])('%j does not match %j', (pattern, message) => {
    expect(filterPattern(pattern)(message)).toBe(false);
  });

  test.each(['a.b', '"open', 'a,b', '%a%'])('rejects %j', pattern => {
    expect(() => filterPattern(pattern)).toThrow();
  });
});

describe('a JSON pattern', () => {
  test.each([
    '{ $.requestId = "JKJaXmPLvHcESHA=" }',
    '{$.status=503}',
    '{ $.status >= 500 && $.status < 600 }',
    '{ $.statusText = "503" }',
    '{ $.error.name = Timeout* }',
    '{ $.error.stack IS NULL }',
    '{ $.isCold IS TRUE }',
    '{ $.causes[0].name = "ECONN*" }',
    '{ $.missing NOT EXISTS }',
    '{ ($.status = 1) || ($.status = 503 && $.isCold IS TRUE) }',
    '{ $.requestId != "other" }',
  ])('%s matches', pattern => {
    expect(filterPattern(pattern)(EVENT)).toBe(true);
  });

  test.each([
    '{ $.requestId = "JKJaXmPLvHcESHB=" }',
    '{ $.statusText = 503 }',
    '{ $.status = "503" }',
    '{ $.status > 503 }',
    '{ $.missing = "x" }',
    '{ $.missing != "x" }',
    '{ $.isCold IS FALSE }',
    '{ $.path = "/v1/pets*y" }',
  ])('%s does not match', pattern => {
    expect(filterPattern(pattern)(EVENT)).toBe(false);
  });

  test.each(['plain text', '"{}"', '7', 'null'])('does not match the message %s', message => {
    expect(filterPattern('{ $.a NOT EXISTS }')(message)).toBe(false);
  });

  test.each([
    '{',
    '{}',
    '{ $.a }',
    '{ a = 1 }',
    '{ $.a = 1',
    '{ $.a = 1 } x',
    '{ $.a == 1 }',
    '{ $.a > "x" }',
    '{ $.a = us-east }',
    '{ $.a IS NICE }',
    '{ ($.a = 1 }',
    '{ $.a = %x% }',
  ])('rejects %s', pattern => {
    expect(() => filterPattern(pattern)).toThrow();
  });
});
