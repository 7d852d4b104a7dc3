import { expect, test } from 'vitest';
import { basePath, baseUrl, calledUrl } from '../../../shared/http/urls.ts';
import { proxyEvent } from '../../functions/proxy-event.ts';

test('the called URL has the stage and not the query', () => {
  const event = proxyEvent({ path: '/v1/pets/12', query: { limit: '5' } });
  expect(calledUrl(event)).toBe('https://api.example.com/staging/v1/pets/12');
});

test('the called URL is http in the local AWS and has no stage at a custom domain', () => {
  const event = proxyEvent({ headers: { 'X-Forwarded-Proto': 'http' } });
  const requestContext = { ...event.requestContext, domainName: 'zoo.example:8443', path: '/v1/pets' };
  expect(calledUrl({ ...event, requestContext })).toBe('http://zoo.example:8443/v1/pets');
  expect(baseUrl({ ...event, requestContext }, '/pets')).toBe('http://zoo.example:8443/v1');
});

test('the called URL is https when the event has no headers, as in the console’s test of a method', () => {
  expect(calledUrl({ ...proxyEvent(), headers: null as never })).toBe(
    'https://api.example.com/staging/v1/pets',
  );
});

test.each([
  ['/v1/pets', '/pets'],
  ['/v1/pets/', '/pets'],
  ['/v1/pets/12', '/pets/{petId}'],
  ['/v1/pets/pets/', '/pets/{petId}'],
  ['/v1/pets/12%2F13', '/pets/{petId}'],
  ['/v1/store/orders', '/store/orders'],
])('the base URL is what comes before the path: %s called, %s declared', (called, path) => {
  const event = proxyEvent({ path: called });
  expect(basePath(event, path)).toBe('/staging/v1');
  expect(baseUrl(event, path)).toBe('https://api.example.com/staging/v1');
});
