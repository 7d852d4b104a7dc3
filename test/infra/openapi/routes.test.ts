import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../infra/openapi/document.ts';
import { OPENAPI_ROUTE, REFERENCE_ROUTE } from '../../../shared/docs/routes.ts';
import { routesOf } from '../stack/api-routes.ts';
import { STACKS, templateOf } from '../stack/templates.ts';

/** The routes that the document does not describe: the document itself, and the page and script that render it. */
const DOCUMENTATION = [
  OPENAPI_ROUTE.path,
  REFERENCE_ROUTE.path,
  new RegExp(`^${REFERENCE_ROUTE.path}/scalar-\\w+\\.js$`),
];

const isDocumentation = (path: string) =>
  DOCUMENTATION.some(route => (typeof route === 'string' ? route === path : route.test(path)));

/** Method, path and who may call, such as `GET /pets with a key`. */
const line = (method: string, path: string, isOpen: boolean) =>
  `${method.toUpperCase()} ${path} ${isOpen ? 'without a key' : 'with a key'}`;

const documented = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, methods]) =>
  Object.entries<{ security?: unknown[] }>(methods as never).map(([method, { security = [] }]) =>
    line(method, path, security.length === 0),
  ),
);

describe.each(STACKS)('the API of %s', stack => {
  const routes = routesOf(templateOf(stack), 'PublicApi').map(({ method, path, isOpen }) => {
    expect(path).toMatch(/^\/v1\//);
    return { method, path: path.slice('/v1'.length), isOpen };
  });
  const deployed = routes
    .filter(({ path }) => !isDocumentation(path))
    .map(({ method, path, isOpen }) => line(method, path, isOpen));

  test('has every operation of the document', () => {
    expect(documented.length).toBeGreaterThan(0);
    expect(documented.filter(operation => !deployed.includes(operation))).toEqual([]);
  });

  test('has no route that the document does not describe, the documentation aside', () => {
    // HEAD answers as GET does, and the document says so for all paths at once.
    const described = deployed.map(route => route.replace(/^HEAD /, 'GET '));
    expect(described.filter(route => !documented.includes(route))).toEqual([]);
    const gets = routes.filter(({ method, path }) => method === 'GET' && isDocumentation(path));
    expect(gets).toHaveLength(DOCUMENTATION.length);
  });
});
