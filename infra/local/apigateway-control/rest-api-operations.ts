import * as z from 'zod';
import {
  familyOf,
  GATEWAY_RESPONSE_DEFAULTS,
  type GatewayResponseType,
} from '../apigateway/gateway-fault.ts';
import { DEFAULT_TEMPLATE } from '../apigateway/gateway-responses.ts';
import type { RestApis } from '../apigateway/rest-apis.ts';
import { type Operation, operationOf } from '../aws-api/operation.ts';
import { KeptFile } from '../host/data-folder.ts';
import {
  ApiGatewayError,
  itemsPage,
  PageRequest,
  PatchOperations,
  replacements,
} from './api-gateway-operation.ts';

const operation = operationOf<typeof import('@aws-sdk/client-api-gateway')>();

/** What was changed of a REST API and its stages since it was deployed. */
const Settings = z.strictObject({
  restApiId: z.string(),
  disableExecuteApiEndpoint: z.boolean(),
  /** Whether the data plane refuses requests to the default endpoint: the setting as of the last update of a stage. */
  isDefaultEndpointClosed: z.boolean(),
  stageDescriptions: z.record(z.string(), z.string()),
});
type Settings = Readonly<z.infer<typeof Settings>>;

const Content = z.strictObject({ restApis: z.array(Settings).readonly() });

/**
 * The settings of REST APIs that operations have changed, kept in a file of the form {"restApis": [{"restApiId": "…", …}]},
 * written before a change takes effect.
 */
export class RestApiSettings {
  /** The REST APIs of which an update is in progress, which refuse another one. */
  readonly updating = new Set<string>();
  readonly #file: KeptFile<typeof Content>;
  #restApis: readonly Settings[];

  constructor(file?: string) {
    this.#file = new KeptFile(file, Content);
    this.#restApis = this.#file.read()?.restApis ?? [];
  }

  of(restApiId: string): Settings {
    return (
      this.#restApis.find(settings => settings.restApiId === restApiId) ?? {
        restApiId,
        disableExecuteApiEndpoint: false,
        isDefaultEndpointClosed: false,
        stageDescriptions: {},
      }
    );
  }

  /** Takes effect with the next update of a stage. */
  setDisableExecuteApiEndpoint(restApiId: string, disableExecuteApiEndpoint: boolean): void {
    this.#replace({ ...this.of(restApiId), disableExecuteApiEndpoint });
  }

  /** Updates a stage, unless it has the description already. */
  describeStage(restApiId: string, stageName: string, description: string): void {
    const before = this.of(restApiId);
    if (before.stageDescriptions[stageName] === description) return;
    this.#replace({
      ...before,
      stageDescriptions: { ...before.stageDescriptions, [stageName]: description },
      isDefaultEndpointClosed: before.disableExecuteApiEndpoint,
    });
  }

  #replace(settings: Settings): void {
    const others = this.#restApis.filter(({ restApiId }) => restApiId !== settings.restApiId);
    const restApis = [...others, settings];
    this.#file.keep({ restApis });
    this.#restApis = restApis;
  }
}

const OneRestApi = z.strictObject({ restApiId: z.string() });
const OneStage = OneRestApi.extend({ stageName: z.string() });

const GATEWAY_RESPONSE_TYPES = (Object.keys(GATEWAY_RESPONSE_DEFAULTS) as GatewayResponseType[]).map(id => ({
  id,
}));

/** The operations on the REST APIs and stages that are deployed. Of their members they return those that something reads. */
export function restApiOperations(
  restApis: () => RestApis | undefined,
  settings: RestApiSettings,
): readonly Operation[] {
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
    const apiStatus = settings.updating.has(restApiId) ? 'UPDATING' : 'AVAILABLE';
    return { id: restApiId, disableExecuteApiEndpoint, apiStatus } as const;
  };

  const stageRepresentation = (restApiId: string, stageName: string) => {
    const description = settings.of(restApiId).stageDescriptions[stageName];
    const declared = restApis()?.methodSettingsOf(restApiId, stageName) ?? [];
    return {
      stageName,
      ...(description !== undefined && { description }),
      methodSettings: Object.fromEntries(declared.map(methodSetting)),
    };
  };

  return [
    operation({
      name: 'GetRestApi',
      input: OneRestApi,
      perform({ restApiId }) {
        requireRestApi(restApiId);
        return representation(restApiId);
      },
    }),

    operation({
      name: 'UpdateRestApi',
      input: OneRestApi.extend({ patchOperations: PatchOperations }),
      perform({ restApiId, patchOperations }) {
        requireRestApi(restApiId);
        if (settings.updating.has(restApiId)) {
          throw new ApiGatewayError('BadRequestException', 'Another update of the API is in progress');
        }
        const path = '/disableExecuteApiEndpoint';
        const value = replacements(patchOperations, [path]).get(path);
        if (value !== undefined) settings.setDisableExecuteApiEndpoint(restApiId, booleanOf(value));
        return representation(restApiId);
      },
    }),

    operation({
      name: 'GetStage',
      input: OneStage,
      perform({ restApiId, stageName }) {
        requireStage(restApiId, stageName);
        return stageRepresentation(restApiId, stageName);
      },
    }),

    operation({
      name: 'UpdateStage',
      input: OneStage.extend({ patchOperations: PatchOperations }),
      perform({ restApiId, stageName, patchOperations }) {
        requireStage(restApiId, stageName);
        const description = replacements(patchOperations, ['/description']).get('/description');
        if (description !== undefined) settings.describeStage(restApiId, stageName, description);
        return stageRepresentation(restApiId, stageName);
      },
    }),

    operation({
      name: 'GetGatewayResponses',
      input: PageRequest.extend({ restApiId: z.string() }),
      perform({ restApiId, ...query }) {
        requireRestApi(restApiId);
        const customised = restApis()?.gatewayResponsesOf(restApiId) ?? [];
        return itemsPage(GATEWAY_RESPONSE_TYPES, query, ({ id }) => {
          const [own, ofFamily] = [id, familyOf(GATEWAY_RESPONSE_DEFAULTS[id].status)].map(type =>
            customised.find(({ ResponseType }) => ResponseType === type),
          );
          const shown = own ?? ofFamily;
          return {
            responseType: id,
            statusCode: shown?.StatusCode,
            responseParameters: shown?.ResponseParameters ?? {},
            responseTemplates: {
              'application/json': shown?.ResponseTemplates['application/json'] ?? DEFAULT_TEMPLATE,
            },
            defaultResponse: own === undefined,
          };
        });
      },
    }),

    operation({
      name: 'GetAuthorizers',
      input: PageRequest.extend({ restApiId: z.string() }),
      perform({ restApiId, ...query }) {
        requireRestApi(restApiId);
        const authorizers = (restApis()?.authorizersOf(restApiId) ?? []).map(
          ({ physicalId: id, properties }) => ({ id, ...properties }),
        );
        return itemsPage(authorizers, query, authorizer => ({
          id: authorizer.id,
          type: authorizer.Type,
          authorizerUri: authorizer.AuthorizerUri,
          identitySource: authorizer.IdentitySource,
          identityValidationExpression: authorizer.IdentityValidationExpression,
          authorizerResultTtlInSeconds: authorizer.AuthorizerResultTtlInSeconds,
        }));
      },
    }),

    operation({
      name: 'FlushStageAuthorizersCache',
      input: OneStage,
      perform({ restApiId, stageName }) {
        requireStage(restApiId, stageName);
        restApis()?.flushAuthorizersCache(restApiId, stageName);
      },
    }),
  ];
}

/** A stage has its settings by path and method, such as `~1v1~1docs/GET`. */
function methodSetting({
  ResourcePath,
  HttpMethod,
  ThrottlingRateLimit: throttlingRateLimit,
  ThrottlingBurstLimit: throttlingBurstLimit,
}: ReturnType<RestApis['methodSettingsOf']>[number]) {
  return [`${ResourcePath.slice(1)}/${HttpMethod}`, { throttlingRateLimit, throttlingBurstLimit }] as const;
}

function booleanOf(value: string): boolean {
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw new ApiGatewayError('BadRequestException', `Invalid boolean value: ${value}`);
}
