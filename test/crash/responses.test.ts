import { describe, expect, test } from 'vitest';
import { Findings } from './findings.ts';
import { checkResponse } from './responses.ts';

const headers = { 'x-request-id': 'request-1' };
const error = (status: number, code: string) => ({
  status,
  headers: { ...headers, 'retry-after': '1' },
  text: JSON.stringify({ code, message: 'because', status }),
});

function checked(response: Parameters<typeof checkResponse>[1], expected: readonly number[] = [200]) {
  const { report, violations } = new Findings();
  checkResponse('GET /pets', response, expected, report);
  return violations.map(violation => violation.split(':')[0]);
}

describe('the check of a response', () => {
  test.each([
    [{ status: 200, headers, text: '[]' }],
    [error(429, 'rate_limited')],
    [error(500, 'internal_error')],
    [error(503, 'unavailable')],
    [error(504, 'timeout')],
  ])('accepts %j', response => {
    expect(checked(response)).toEqual([]);
  });

  test.each([
    [409, 'conflict', ['false refusal']],
    [422, 'idempotency_mismatch', ['false refusal']],
    [401, 'unauthorized', ['false refusal']],
    [404, 'not_found', ['undocumented response']],
    [418, 'teapot', ['undocumented response']],
    [400, 'not_found', ['undocumented response']],
  ])('reports %i %s', (status, code, kinds) => {
    expect(checked(error(status, code))).toEqual(kinds);
  });

  test('reports 200 for a key that must be refused', () => {
    expect(checked({ status: 200, headers, text: '[]' }, [401])).toEqual(['revoked key accepted']);
  });

  test.each([
    ['no X-Request-Id', { status: 200, headers: {}, text: '[]' }],
    ['no Error body', { status: 503, headers, text: '<html>' }],
    ['another status in the body', { ...error(503, 'unavailable'), text: error(504, 'timeout').text }],
    ['503 without Retry-After', { ...error(503, 'unavailable'), headers }],
    ['a field too many', { ...error(400, 'x'), text: '{"code":"x","message":"","status":400,"stack":""}' }],
  ])('reports %s', (_title, response) => {
    expect(checked(response, [200, 503])).toEqual(['undocumented response']);
  });
});
