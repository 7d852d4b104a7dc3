import { describe, expect, test } from 'vitest';
import { resourcesOf, routesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the API of %s', stack => {
  test('is open to everybody at the documentation and the proof of domains, and nowhere else', () => {
    const open = routesOf(templateOf(stack), 'PublicApi')
      .filter(({ isOpen }) => isOpen)
      .map(({ method, path }) => `${method} ${path}`);
    expect(open.toSorted()).toEqual([
      'GET /v1/docs',
      expect.stringMatching(/^GET \/v1\/docs\/scalar-[0-9a-f]{12}\.js$/),
      'GET /v1/domain-proof',
      'GET /v1/openapi.json',
      'HEAD /v1/docs',
      expect.stringMatching(/^HEAD \/v1\/docs\/scalar-[0-9a-f]{12}\.js$/),
      'HEAD /v1/domain-proof',
      'HEAD /v1/openapi.json',
    ]);
  });

  test('throttles each open route on its own, the script of the reference page most of all', () => {
    const stages = [...resourcesOf(templateOf(stack), 'AWS::ApiGateway::Stage')];
    const [, stage] = stages.find(([name]) => name.startsWith('PublicApi')) ?? [];
    const [common, ...own] = stage?.Properties.MethodSettings ?? [];
    const throttled = (path: unknown, rate: number, burst: number) =>
      ['GET', 'HEAD'].map(HttpMethod => ({
        ...common,
        ResourcePath: path,
        HttpMethod,
        ThrottlingRateLimit: rate,
        ThrottlingBurstLimit: burst,
      }));
    expect(own).toEqual([
      ...throttled('/~1v1~1domain-proof', 10, 100),
      ...throttled('/~1v1~1openapi.json', 10, 100),
      ...throttled('/~1v1~1docs', 10, 100),
      ...throttled(expect.stringMatching(/^\/~1v1~1docs~1scalar-[0-9a-f]{12}\.js$/), 1, 20),
    ]);
  });
});
