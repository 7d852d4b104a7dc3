import { expect, test } from 'vitest';
import { inStage, pageAt, pathOf, type Route, routeOf } from '../../../../infra/dashboard/page/routes.ts';

const STAGES = ['staging', 'production'];

const ROUTES: Readonly<Record<string, Route>> = {
  '/staging/projects': { page: 'projects', stage: 'staging' },
  '/production/projects/shop': { page: 'project', stage: 'production', project: 'shop' },
  '/staging/projects/shop/domains': { page: 'domains', stage: 'staging', project: 'shop' },
  '/staging/projects/shop/domains/www.example.com': {
    page: 'domain',
    stage: 'staging',
    project: 'shop',
    domain: 'www.example.com',
  },
  '/staging/domains': { page: 'all-domains', stage: 'staging' },
  '/production/keys': { page: 'keys', stage: 'production' },
  '/staging/orders': { page: 'orders', stage: 'staging' },
  '/staging/audit': { page: 'audit', stage: 'staging' },
};

test.each(Object.entries(ROUTES))('%s is the path of its page', (path, route) => {
  expect(routeOf(path, STAGES)).toEqual(route);
  expect(pathOf(route)).toBe(path);
});

test('the start page is that of the first environment', () => {
  expect(routeOf('/', STAGES)).toEqual({ page: 'projects', stage: 'staging' });
  expect(routeOf('/production', STAGES)).toEqual({ page: 'projects', stage: 'production' });
});

test.each([
  '/elsewhere',
  '/staging/x',
  '/staging/keys/x',
  '/staging/projects/a/x',
  '/staging/projects/a/domains/b/c',
])('there is nothing at %s', path => {
  expect(routeOf(path, STAGES)).toEqual({ page: 'unknown', stage: 'staging' });
});

test('a name with URL characters comes back unchanged', () => {
  const route: Route = { page: 'project', stage: 'staging', project: 'a/b?c#%<script>' };
  expect(routeOf(pathOf(route), STAGES)).toEqual(route);
  expect(routeOf('/staging/projects/%', STAGES)).toMatchObject({ project: '%' });
});

test('another environment is entered at the same section, not at a project that it may not have', () => {
  expect(inStage({ page: 'keys', stage: 'staging' }, 'production')).toEqual({
    page: 'keys',
    stage: 'production',
  });
  expect(inStage({ page: 'project', stage: 'staging', project: 'shop' }, 'production')).toEqual({
    page: 'projects',
    stage: 'production',
  });
});

const PAGE = 'http://a1.localhost:4180/staging/keys?q=Acme';

test.each(['http://b2.localhost:4180', 'http://127.0.0.1:4180'])('a page goes on at %s', origin => {
  expect(pageAt(origin, PAGE)).toBe(`${origin}/staging/keys?q=Acme`);
});

test.each([
  undefined,
  '',
  'http://a1.localhost:4180',
  'http://b2.localhost:4181',
  'https://b2.localhost:4180',
  'http://evil.example:4180',
  'http://b2.localhost.evil.example:4180',
  'http://b2.localhost:4180@evil.example',
  'javascript:alert(1)',
])('a page goes on nowhere else, such as %s', origin => {
  expect(pageAt(origin, PAGE)).toBeUndefined();
});
