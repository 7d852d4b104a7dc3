import {
  type APIGatewayClient,
  ConflictException,
  CreateBasePathMappingCommand,
  DeleteBasePathMappingCommand,
  GetBasePathMappingCommand,
  UpdateBasePathMappingCommand,
} from '@aws-sdk/client-api-gateway';
import { ignoreNotFound } from './ignore-not-found.ts';

/** API Gateway's base path of a mapping at the root. */
const ROOT = '(none)';

/** Removals delete mappings; none is deleted more often than this while it is written. */
const MAX_ATTEMPTS = 3;

/** The API and stage that a domain is mapped to. */
export interface ApiStage {
  readonly apiId: string;
  readonly stage: string;
}

/** The mappings of domain names at the root. Whose a domain name is, the caller has found out. */
export function gatewayMappings(gateway: APIGatewayClient) {
  const find = async (domainName: string): Promise<ApiStage | undefined> => {
    const found = await gateway
      .send(new GetBasePathMappingCommand({ domainName, basePath: ROOT }))
      .catch(ignoreNotFound);
    return found && { apiId: found.restApiId ?? '', stage: found.stage ?? '' };
  };

  /** False when there is a mapping, whichever that is; throws NotFoundException when there is no such domain name. */
  const create = async (domainName: string, { apiId, stage }: ApiStage): Promise<boolean> => {
    try {
      await gateway.send(
        new CreateBasePathMappingCommand({ domainName, basePath: ROOT, restApiId: apiId, stage }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConflictException) return false;
      throw error;
    }
  };

  /** False when the mapping is gone. */
  const change = async (domainName: string, { apiId, stage }: ApiStage): Promise<boolean> => {
    const patchOperations = [
      { op: 'replace' as const, path: '/restapiId', value: apiId },
      { op: 'replace' as const, path: '/stage', value: stage },
    ];
    const update = new UpdateBasePathMappingCommand({ domainName, basePath: ROOT, patchOperations });
    return (await gateway.send(update).catch(ignoreNotFound)) !== undefined;
  };

  return {
    find,
    create,

    /** Creates or changes the mapping; throws NotFoundException when there is no such domain name. */
    async set(domainName: string, required: ApiStage): Promise<void> {
      // A removal may delete the mapping between any two of these calls.
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        if (await create(domainName, required)) return;
        const present = await find(domainName);
        if (present?.apiId === required.apiId && present.stage === required.stage) return;
        if (present && (await change(domainName, required))) return;
      }
      throw new Error(`The mapping of ${domainName} was deleted again and again while it was written.`);
    },

    async remove(domainName: string): Promise<void> {
      await gateway
        .send(new DeleteBasePathMappingCommand({ domainName, basePath: ROOT }))
        .catch(ignoreNotFound);
    },
  };
}
