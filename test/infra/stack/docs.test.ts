import { describe, expect, test } from 'vitest';
import { resourcesOf, routesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the API of %s', stack => {
  test('is open to everybody at the documentation and the proof of domains, and nowhere else', () => {
    const open = routesOf(templateOf(stack), 'PublicApi')
      .filter(({ isOpen }) => isOpen)
      .map(({ method, path }) => `${method} ${path}`);
    expect(open.toSorted()).toEqual([
      'GET /v1/docs',
      'GET /v1/domain-proof',
      'GET /v1/openapi.json',
      'HEAD /v1/docs',
      'HEAD /v1/domain-proof',
      'HEAD /v1/openapi.json',
    ]);
  });

  test('throttles each open route on its own', () => {
    const stages = [...resourcesOf(templateOf(stack), 'AWS::ApiGateway::Stage')];
    const [, stage] = stages.find(([name]) => name.startsWith('PublicApi')) ?? [];
    const [common, ...own] = stage?.Properties.MethodSettings ?? [];
    const throttled = (path: string) =>
      ['GET', 'HEAD'].map(HttpMethod => ({
        ...common,
        ResourcePath: path,
        HttpMethod,
        ThrottlingRateLimit: 10,
        ThrottlingBurstLimit: 100,
      }));
    expect(own).toEqual([
      ...throttled('/~1v1~1domain-proof'),
      ...throttled('/~1v1~1openapi.json'),
      ...throttled('/~1v1~1docs'),
    ]);
  });
});
