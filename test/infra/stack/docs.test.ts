import { describe, expect, test } from 'vitest';
import { routesOf } from './api-routes.ts';
import { resourcesOf, STACKS, templateOf } from './templates.ts';

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

  test('throttles the script of the reference page on its own, far below the other methods', () => {
    const stages = [...resourcesOf(templateOf(stack), 'AWS::ApiGateway::Stage')];
    const [, stage] = stages.find(([name]) => name.startsWith('PublicApi')) ?? [];
    const [common, own, ...others] = stage?.Properties.MethodSettings ?? [];
    expect(own).toEqual({
      ...common,
      ResourcePath: expect.stringMatching(/^\/~1v1~1docs~1scalar-[0-9a-f]{12}\.js$/),
      HttpMethod: 'GET',
      ThrottlingRateLimit: 4,
      ThrottlingBurstLimit: 40,
    });
    expect(others).toEqual([]);
    expect(common.ThrottlingRateLimit).toBeGreaterThan(100 * own.ThrottlingRateLimit);
  });
});
