import { expect, test } from 'vitest';
import { calledUrl } from '../../../shared/http/urls.ts';
import { proxyEvent } from '../../functions/proxy-event.ts';

test('the address that the client called, stage included, query not', () => {
  const event = proxyEvent({ path: '/v1/pets/12', query: { limit: '5' } });
  expect(calledUrl(event)).toBe('https://api.example.com/staging/v1/pets/12');
});

test('on one machine it is http, on a custom domain there is no stage', () => {
  const event = proxyEvent({ headers: { 'X-Forwarded-Proto': 'http' } });
  const requestContext = { ...event.requestContext, domainName: 'zoo.example:8443', path: '/v1/pets' };
  expect(calledUrl({ ...event, requestContext })).toBe('http://zoo.example:8443/v1/pets');
});

test('without any header, as in the console’s test of a method, it is https', () => {
  expect(calledUrl({ ...proxyEvent(), headers: null as never })).toBe(
    'https://api.example.com/staging/v1/pets',
  );
});
