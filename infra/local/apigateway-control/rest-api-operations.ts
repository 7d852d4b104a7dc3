import * as z from 'zod';
import type { RestApis } from '../apigateway/rest-apis.ts';
import { type RestOperation, restOperation } from '../aws-api/operation.ts';
import { ApiGatewayError } from './api-gateway-error.ts';
import { PatchOperations, replacements } from './patch-operations.ts';
import type { RestApiSettings } from './rest-api-settings.ts';

const OneRestApi = z.strictObject({ restApiId: z.string() });
const OneStage = OneRestApi.extend({ stageName: z.string() });

/** The operations on the REST APIs and stages that are deployed. They have the members that can be changed, and no others. */
export function restApiOperations(
  restApis: () => RestApis | undefined,
  settings: RestApiSettings,
): readonly RestOperation[] {
  function requireRestApi(restApiId: string): void {
    const apiIds = [...(restApis()?.stages.values() ?? [])].map(({ apiId }) => apiId);
    if (!apiIds.includes(restApiId)) {
      throw new ApiGatewayError('NotFoundException', 'Invalid API identifier specified');
    }
  }

  function requireStage(restApiId: string, stageName: string): void {
    requireRestApi(restApiId);
    if (restApis()?.stages.get(stageName)?.apiId !== restApiId) {
      throw new ApiGatewayError('NotFoundException', 'Invalid stage identifier specified');
    }
  }

  const representation = (restApiId: string) => {
    const { disableExecuteApiEndpoint } = settings.of(restApiId);
    return { id: restApiId, disableExecuteApiEndpoint };
  };

  const stageRepresentation = (restApiId: string, stageName: string) => {
    const description = settings.of(restApiId).stageDescriptions[stageName];
    return { stageName, ...(description !== undefined && { description }) };
  };

  return [
    restOperation({
      name: 'GetRestApi',
      http: { route: 'GET /restapis/{restApiId}' },
      input: OneRestApi,
      perform({ restApiId }) {
        requireRestApi(restApiId);
        return representation(restApiId);
      },
    }),

    restOperation({
      name: 'UpdateRestApi',
      http: { route: 'PATCH /restapis/{restApiId}' },
      input: OneRestApi.extend({ patchOperations: PatchOperations }),
      perform({ restApiId, patchOperations }) {
        requireRestApi(restApiId);
        const path = '/disableExecuteApiEndpoint';
        const value = replacements(patchOperations, [path]).get(path);
        if (value !== undefined) settings.setDisableExecuteApiEndpoint(restApiId, booleanOf(value));
        return representation(restApiId);
      },
    }),

    restOperation({
      name: 'GetStage',
      http: { route: 'GET /restapis/{restApiId}/stages/{stageName}' },
      input: OneStage,
      perform({ restApiId, stageName }) {
        requireStage(restApiId, stageName);
        return stageRepresentation(restApiId, stageName);
      },
    }),

    restOperation({
      name: 'UpdateStage',
      http: { route: 'PATCH /restapis/{restApiId}/stages/{stageName}' },
      input: OneStage.extend({ patchOperations: PatchOperations }),
      perform({ restApiId, stageName, patchOperations }) {
        requireStage(restApiId, stageName);
        const description = replacements(patchOperations, ['/description']).get('/description');
        if (description !== undefined) settings.describeStage(restApiId, stageName, description);
        return stageRepresentation(restApiId, stageName);
      },
    }),
  ];
}

function booleanOf(value: string): boolean {
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw new ApiGatewayError('BadRequestException', `Invalid boolean value: ${value}`);
}
