import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';

interface Method {
  readonly RestApiId: { readonly Ref: string };
  readonly ResourceId: { readonly Ref: string };
  readonly HttpMethod: string;
  readonly AuthorizationType: string;
  readonly Integration: { readonly Type: string };
}

interface ApiResource {
  readonly ParentId: { readonly Ref?: string };
  readonly PathPart: string;
}

describe.each(['Petstore-Production', 'Petstore-Staging'])('the API of %s', stack => {
  const template = JSON.parse(readFileSync(join(inject('assembly'), `${stack}.template.json`), 'utf8'));
  const resources: Record<string, { Type: string; Properties: unknown }> = template.Resources;

  function pathOf(resourceId: string | undefined): string {
    const resource = resources[resourceId ?? ''];
    if (resource?.Type !== 'AWS::ApiGateway::Resource') return '';
    const { ParentId, PathPart } = resource.Properties as ApiResource;
    return `${pathOf(ParentId.Ref)}/${PathPart}`;
  }

  test('the documentation, and nothing else that does something, is open to everybody', () => {
    const open = Object.values(resources)
      .filter(({ Type }) => Type === 'AWS::ApiGateway::Method')
      .map(({ Properties }) => Properties as Method)
      .filter(({ RestApiId }) => RestApiId.Ref.startsWith('PublicApi'))
      .filter(
        ({ AuthorizationType, Integration }) => AuthorizationType === 'NONE' && Integration.Type !== 'MOCK',
      )
      .map(({ HttpMethod, ResourceId }) => `${HttpMethod} ${pathOf(ResourceId.Ref)}`);
    expect(open.toSorted()).toEqual([
      'GET /v1/docs',
      expect.stringMatching(/^GET \/v1\/docs\/scalar-[0-9a-f]{12}\.js$/),
      'GET /v1/openapi.json',
    ]);
  });
});
