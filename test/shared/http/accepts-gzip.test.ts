import { expect, test } from 'vitest';
import { acceptsGzip } from '../../../shared/http/accepts-gzip.ts';
import { proxyEvent } from '../../functions/proxy-event.ts';

const accepts = (headers: Record<string, string | string[]>) => acceptsGzip(proxyEvent({ headers }));

test('a client that sends no Accept-Encoding has not said whether it accepts gzip', () => {
  expect(accepts({})).toBeUndefined();
  expect(acceptsGzip({ ...proxyEvent(), multiValueHeaders: null as never })).toBeUndefined();
});

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
])('a client accepts gzip with %j', accepted => {
  expect(accepts({ 'Accept-Encoding': accepted })).toBe(true);
});

test.each([
  '',
  'identity',
  'br',
  'gzip;q=0',
  'gzip;q=0.000',
  '*;q=0',
  'gzip;q=0, *',
  'gzip;q=0.5, identity',
  '*;q=0.2, identity;q=0.3',
  'gzip;q=2',
  'gzip;q=high',
  'gzip;q=-1',
  'xgzip',
])('a client refuses gzip, or prefers plain answers, with %j', accepted => {
  expect(accepts({ 'Accept-Encoding': accepted })).toBe(false);
});

test('several headers count together, whatever the case of their names', () => {
  expect(accepts({ 'Accept-Encoding': ['br', 'gzip'] })).toBe(true);
  expect(accepts({ 'accept-encoding': 'br', 'ACCEPT-ENCODING': 'gzip' })).toBe(true);
  expect(accepts({ 'accept-encoding': 'gzip', 'Accept-Encoding': 'identity;q=1, gzip;q=0.1' })).toBe(false);
});
