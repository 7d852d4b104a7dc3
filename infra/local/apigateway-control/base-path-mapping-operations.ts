import * as z from 'zod';
import type { RestApis } from '../apigateway/rest-apis.ts';
import { notSupported } from '../aws-api/aws-api-error.ts';
import { type RestOperation, restOperation } from '../aws-api/operation.ts';
import { ApiGatewayError } from './api-gateway-error.ts';
import { requireDomainName } from './domain-name-operations.ts';
import type { BasePathMapping, DomainNames } from './domain-names.ts';
import { itemsPage, PAGE_QUERY, PageQuery } from './page-query.ts';
import { PatchOperations, replacements } from './patch-operations.ts';

/** API Gateway's name for the root of a domain name. */
const ROOT = '(none)';

const MAPPINGS = '/domainnames/{domainName}/basepathmappings';
const OneMapping = z.strictObject({ domainName: z.string(), basePath: z.string() });

/** The operations on the mapping of a domain name's root. */
export function basePathMappingOperations(
  domainNames: DomainNames,
  restApis: () => RestApis | undefined,
): readonly RestOperation[] {
  function requireStage({ restApiId, stage }: BasePathMapping): void {
    const stages = [...(restApis()?.stages ?? [])];
    if (stages.every(([, { apiId }]) => apiId !== restApiId)) {
      throw new ApiGatewayError('BadRequestException', 'Invalid REST API identifier specified');
    }
    if (stages.every(([name, { apiId }]) => apiId !== restApiId || name !== stage)) {
      throw new ApiGatewayError('BadRequestException', 'Invalid stage identifier specified');
    }
  }

  function requireMapping({ domainName, basePath }: z.output<typeof OneMapping>): BasePathMapping {
    const { mapping } = requireDomainName(domainNames, domainName);
    if (mapping === undefined || basePath !== ROOT) {
      throw new ApiGatewayError('NotFoundException', 'Invalid base path mapping identifier specified');
    }
    return mapping;
  }

  return [
    restOperation({
      name: 'CreateBasePathMapping',
      http: { route: `POST ${MAPPINGS}`, status: 201 },
      input: z.strictObject({
        domainName: z.string(),
        basePath: z.string().default(ROOT),
        restApiId: z.string('Invalid REST API identifier specified'),
        stage: z.string('A mapping without a stage is not supported by the local runtime.'),
      }),
      perform({ domainName, basePath, ...mapping }) {
        const { mapping: existing } = requireDomainName(domainNames, domainName);
        if (basePath !== ROOT && basePath !== '') {
          throw notSupported(`The base path ${basePath}`, `only ${ROOT} is`);
        }
        if (existing !== undefined) {
          throw new ApiGatewayError('ConflictException', 'Base path already exists for this domain name');
        }
        requireStage(mapping);
        domainNames.map(domainName, mapping);
        return representation(mapping);
      },
    }),

    restOperation({
      name: 'GetBasePathMappings',
      http: { route: `GET ${MAPPINGS}`, query: PAGE_QUERY },
      input: PageQuery.extend({ domainName: z.string() }),
      perform({ domainName, ...request }) {
        const { mapping } = requireDomainName(domainNames, domainName);
        const listed = mapping === undefined ? [] : [{ ...mapping, id: ROOT }];
        return itemsPage(listed, request, representation);
      },
    }),

    restOperation({
      name: 'GetBasePathMapping',
      http: { route: `GET ${MAPPINGS}/{basePath}` },
      input: OneMapping,
      perform: input => representation(requireMapping(input)),
    }),

    restOperation({
      name: 'UpdateBasePathMapping',
      http: { route: `PATCH ${MAPPINGS}/{basePath}` },
      input: OneMapping.extend({ patchOperations: PatchOperations }),
      perform({ patchOperations, ...input }) {
        const { restApiId, stage } = requireMapping(input);
        const replaced = replacements(patchOperations, ['/restapiId', '/stage']);
        const mapping = {
          restApiId: replaced.get('/restapiId') ?? restApiId,
          stage: replaced.get('/stage') ?? stage,
        };
        requireStage(mapping);
        domainNames.map(input.domainName, mapping);
        return representation(mapping);
      },
    }),

    restOperation({
      name: 'DeleteBasePathMapping',
      http: { route: `DELETE ${MAPPINGS}/{basePath}`, status: 202 },
      input: OneMapping,
      perform(input) {
        requireMapping(input);
        domainNames.map(input.domainName, undefined);
      },
    }),
  ];
}

function representation({ restApiId, stage }: BasePathMapping) {
  return { basePath: ROOT, restApiId, stage };
}
