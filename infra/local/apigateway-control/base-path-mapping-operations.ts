import * as z from 'zod';
import type { RestApis } from '../apigateway/rest-apis.ts';
import { ApiGatewayError } from './api-gateway-error.ts';
import { existingDomainName } from './domain-name-operations.ts';
import type { BasePathMapping, DomainNames } from './domain-names.ts';
import { type Operations, read } from './operation.ts';
import { PageQuery, page } from './page.ts';
import { replacement } from './patch-operations.ts';

/** API Gateway's word for the root of a domain name. */
const ROOT = '(none)';

const NewBasePathMapping = z.strictObject({
  basePath: z.string().default(ROOT),
  restApiId: z.string('Invalid REST API identifier specified'),
  stage: z.string('A mapping without a stage is not supported by the local runtime.'),
});

/**
 * CreateBasePathMapping, GetBasePathMapping, GetBasePathMappings, UpdateBasePathMapping and DeleteBasePathMapping, of
 * the base path (none).
 */
export function basePathMappingOperations(
  domainNames: DomainNames,
  restApis: () => RestApis | undefined,
): Operations {
  function requireStage({ restApiId, stage }: BasePathMapping): void {
    const stages = [...(restApis()?.stages ?? [])];
    if (stages.every(([, { apiId }]) => apiId !== restApiId)) {
      throw new ApiGatewayError('BadRequestException', 'Invalid REST API identifier specified');
    }
    if (stages.every(([name, { apiId }]) => apiId !== restApiId || name !== stage)) {
      throw new ApiGatewayError('BadRequestException', 'Invalid stage identifier specified');
    }
  }

  function existingMapping({ domainName, basePath }: Readonly<Record<string, string>>): BasePathMapping {
    const { mapping } = existingDomainName(domainNames, domainName);
    if (mapping === undefined || basePath !== ROOT) {
      throw new ApiGatewayError('NotFoundException', 'Invalid base path mapping identifier specified');
    }
    return mapping;
  }

  return {
    'POST /domainnames/{domainName}/basepathmappings'({ parameters, body }) {
      const { domainName, mapping: existing } = existingDomainName(domainNames, parameters.domainName);
      const { basePath, ...mapping } = read(NewBasePathMapping, body);
      if (basePath !== ROOT && basePath !== '') {
        const message = `The base path ${basePath} is not supported by the local runtime: only ${ROOT} is.`;
        throw new ApiGatewayError('NotImplemented', message);
      }
      if (existing !== undefined) {
        throw new ApiGatewayError('ConflictException', 'Base path already exists for this domain name');
      }
      requireStage(mapping);
      domainNames.map(domainName, mapping);
      return { status: 201, body: representation(mapping) };
    },

    'GET /domainnames/{domainName}/basepathmappings'({ parameters, query }) {
      const { mapping } = existingDomainName(domainNames, parameters.domainName);
      const listed = mapping === undefined ? [] : [{ ...mapping, id: ROOT }];
      return { status: 200, body: page(listed, read(PageQuery, query), representation) };
    },

    'GET /domainnames/{domainName}/basepathmappings/{basePath}'({ parameters }) {
      return { status: 200, body: representation(existingMapping(parameters)) };
    },

    'PATCH /domainnames/{domainName}/basepathmappings/{basePath}'({ parameters, body }) {
      const { domainName = '' } = parameters;
      const { restApiId, stage } = existingMapping(parameters);
      const replaced = replacement(body, ['/restapiId', '/stage']);
      const mapping = {
        restApiId: replaced.get('/restapiId') ?? restApiId,
        stage: replaced.get('/stage') ?? stage,
      };
      requireStage(mapping);
      domainNames.map(domainName, mapping);
      return { status: 200, body: representation(mapping) };
    },

    'DELETE /domainnames/{domainName}/basepathmappings/{basePath}'({ parameters }) {
      existingMapping(parameters);
      domainNames.map(parameters.domainName ?? '', undefined);
      return { status: 202 };
    },
  };
}

function representation({ restApiId, stage }: BasePathMapping) {
  return { basePath: ROOT, restApiId, stage };
}
