import { describe, expect, test } from 'vitest';
import { Violations } from '../ledger/violations.ts';
import { checkResponse } from './api-client.ts';

const headers = { 'x-request-id': 'request-1' };
const error = (status: number, code: string) => ({
  status,
  headers: { ...headers, 'retry-after': '1' },
  text: JSON.stringify({ code, message: 'because', status }),
});

function checked(response: Parameters<typeof checkResponse>[1], expected: readonly number[] = [200]) {
  const violations = new Violations(() => 0);
  const isExpected = checkResponse('GET /pets', response, expected, violations.add);
  return [isExpected, violations.kept.map(({ kind }) => kind)];
}

describe('the check of a response', () => {
  test('accepts an expected response', () => {
    expect(checked({ status: 200, headers, text: '[]' })).toEqual([true, []]);
    expect(checked(error(404, 'not_found'), [200, 404])).toEqual([true, []]);
  });

  test.each([
    [429, 'rate_limited'],
    [500, 'internal_error'],
    [503, 'unavailable'],
    [504, 'timeout'],
  ])('accepts %i, and says that the request was not carried out', (status, code) => {
    expect(checked(error(status, code))).toEqual([false, []]);
  });

  test.each([
    [409, 'conflict', ['false conflict']],
    [422, 'idempotency_mismatch', ['false conflict']],
    [401, 'unauthorized', ['valid key refused']],
    [403, 'forbidden', ['valid key refused']],
    [404, 'not_found', ['undocumented response']],
    [418, 'teapot', ['undocumented response']],
    [400, 'not_found', ['undocumented response']],
  ])('reports %i %s', (status, code, kinds) => {
    expect(checked(error(status, code))).toEqual([false, kinds]);
  });

  test.each([
    ['no X-Request-Id', { status: 200, headers: {}, text: '[]' }],
    ['no Error body', { status: 503, headers, text: '<html>' }],
    ['another status in the body', { ...error(503, 'unavailable'), text: error(504, 'timeout').text }],
    ['503 without Retry-After', { ...error(503, 'unavailable'), headers }],
    ['a field too many', { ...error(400, 'x'), text: '{"code":"x","message":"","status":400,"stack":""}' }],
  ])('reports %s', (_title, response) => {
    expect(checked(response, [200, 503]).at(1)).toEqual(['undocumented response']);
  });
});
