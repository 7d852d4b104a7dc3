import { partsOf, type Template } from './templates.ts';

export interface TemplateRoute {
  readonly method: string;
  /** With the version, such as /v1/pets/{petId}. */
  readonly path: string;
  readonly isOpen: boolean;
}

/** The methods of an API that lead to a function. */
export function routesOf(template: Template, api: string): TemplateRoute[] {
  const pathOf = (resourceId: string | undefined): string => {
    const resource = template.Resources[resourceId ?? ''];
    if (resource?.Type !== 'AWS::ApiGateway::Resource') return '';
    return `${pathOf(resource.Properties.ParentId.Ref)}/${resource.Properties.PathPart}`;
  };
  return partsOf(template, api, 'AWS::ApiGateway::Method')
    .filter(({ Properties }) => Properties.Integration.Type !== 'MOCK')
    .map(({ Properties }) => ({
      method: Properties.HttpMethod,
      path: pathOf(Properties.ResourceId.Ref),
      isOpen: Properties.AuthorizationType === 'NONE',
    }));
}
