import { describe, expect, test } from 'vitest';
import { routesOf } from './api-routes.ts';
import { STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the API of %s', stack => {
  test('is open to everybody at the documentation and nowhere else', () => {
    const open = routesOf(templateOf(stack), 'PublicApi')
      .filter(({ isOpen }) => isOpen)
      .map(({ method, path }) => `${method} ${path}`);
    expect(open.toSorted()).toEqual([
      'GET /v1/docs',
      expect.stringMatching(/^GET \/v1\/docs\/scalar-[0-9a-f]{12}\.js$/),
      'GET /v1/openapi.json',
    ]);
  });
});
