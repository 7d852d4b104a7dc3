import {
  APIGatewayClient,
  BadRequestException,
  ConflictException,
  CreateBasePathMappingCommand,
  CreateDomainNameCommand,
  DeleteBasePathMappingCommand,
  DeleteDomainNameCommand,
  GetBasePathMappingCommand,
  GetDomainNameCommand,
  LimitExceededException,
  NotFoundException,
  TooManyRequestsException,
  UpdateBasePathMappingCommand,
  UpdateDomainNameCommand,
} from '@aws-sdk/client-api-gateway';

/** API Gateway's base path of a mapping at the root. */
const ROOT = '(none)';

/** A domain name of API Gateway: the host that serves it, with its zone, and the certificate it has. */
export interface GatewayDomain {
  readonly host: string;
  readonly hostedZoneId: string;
  readonly certificateArn: string;
}

/** The API and stage that a domain is mapped to. */
export interface ApiStage {
  readonly apiId: string;
  readonly stage: string;
}

/** API Gateway accepts no change of a domain name at the moment: book another slot. */
export class GatewayBusy extends Error {
  override readonly name = 'GatewayBusy';
}

/** API Gateway rejects the domain name; the message is its own. It may accept it later, as certificates spread. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';
}

/**
 * The custom domain names of API Gateway. Every call is idempotent. Those that need a slot (gateway-slots.ts) are allowed
 * once in 30 s; they throw GatewayBusy.
 */
export interface GatewayDomains {
  find(domain: string): Promise<GatewayDomain | undefined>;
  /** Creates the domain name, or gives it this certificate. Needs a slot; throws GatewayRefused, too. */
  ensure(domain: string, certificateArn: string): Promise<GatewayDomain>;
  /** Maps a domain that is not mapped; false when it has a mapping already, whichever that is. */
  mapFirst(domain: string, apiStage: ApiStage): Promise<boolean>;
  map(domain: string, apiStage: ApiStage): Promise<void>;
  /** Deletes the mapping: the domain is no longer served. */
  unmap(domain: string): Promise<void>;
  /** Deletes the domain name. Needs a slot. */
  remove(domain: string): Promise<void>;
}

export function gatewayDomains(): GatewayDomains {
  const gateway = new APIGatewayClient({ maxAttempts: 4 });
  // Without retries: the SDK would wait for the half minute that API Gateway asks for, longer than the function lives.
  const withoutRetries = new APIGatewayClient({ maxAttempts: 1 });

  const find: GatewayDomains['find'] = async domain => {
    try {
      return view(await gateway.send(new GetDomainNameCommand({ domainName: domain })));
    } catch (error) {
      return ignore(error, NotFoundException);
    }
  };

  const mapFirst: GatewayDomains['mapFirst'] = async (domain, { apiId, stage }) => {
    const mapping = { domainName: domain, basePath: ROOT };
    try {
      await gateway.send(new CreateBasePathMappingCommand({ ...mapping, restApiId: apiId, stage }));
      return true;
    } catch (error) {
      if (error instanceof ConflictException) return false;
      throw error;
    }
  };

  return {
    find,
    mapFirst,

    async ensure(domain, certificateArn) {
      try {
        const present = await find(domain);
        if (present?.certificateArn === certificateArn) return present;
        if (present) {
          const path = '/regionalCertificateArn';
          const patchOperations = [{ op: 'replace' as const, path, value: certificateArn }];
          return view(
            await withoutRetries.send(new UpdateDomainNameCommand({ domainName: domain, patchOperations })),
          );
        }
        return view(
          await withoutRetries.send(
            new CreateDomainNameCommand({
              domainName: domain,
              regionalCertificateArn: certificateArn,
              endpointConfiguration: { types: ['REGIONAL'] },
              securityPolicy: 'TLS_1_2',
            }),
          ),
        );
      } catch (error) {
        throw busyOr(refusedOr(error));
      }
    },

    async map(domain, apiStage) {
      if (await mapFirst(domain, apiStage)) return;
      const mapping = { domainName: domain, basePath: ROOT };
      const { apiId, stage } = apiStage;
      const present = await gateway.send(new GetBasePathMappingCommand(mapping));
      if (present.restApiId === apiId && present.stage === stage) return;
      const patchOperations = [
        { op: 'replace' as const, path: '/restapiId', value: apiId },
        { op: 'replace' as const, path: '/stage', value: stage },
      ];
      await gateway.send(new UpdateBasePathMappingCommand({ ...mapping, patchOperations }));
    },

    async unmap(domain) {
      await gateway
        .send(new DeleteBasePathMappingCommand({ domainName: domain, basePath: ROOT }))
        .catch(error => ignore(error, NotFoundException));
    },

    async remove(domain) {
      try {
        await withoutRetries.send(new DeleteDomainNameCommand({ domainName: domain }));
      } catch (error) {
        if (!(error instanceof NotFoundException)) throw busyOr(error);
      }
    },
  };
}

function view(domainName: {
  regionalDomainName?: string | undefined;
  regionalHostedZoneId?: string | undefined;
  regionalCertificateArn?: string | undefined;
}): GatewayDomain {
  const { regionalDomainName = '', regionalHostedZoneId = '', regionalCertificateArn = '' } = domainName;
  return {
    host: regionalDomainName,
    hostedZoneId: regionalHostedZoneId,
    certificateArn: regionalCertificateArn,
  };
}

function busyOr(error: unknown): unknown {
  return error instanceof TooManyRequestsException ? new GatewayBusy(error.message, { cause: error }) : error;
}

/** API Gateway does not know the certificate as issued yet, another account has the name, or there are too many. */
function refusedOr(error: unknown): unknown {
  const isRefusal =
    error instanceof BadRequestException ||
    error instanceof ConflictException ||
    error instanceof LimitExceededException;
  return isRefusal ? new GatewayRefused(error.message, { cause: error }) : error;
}

function ignore(error: unknown, expected: new (...parameters: never[]) => Error): undefined {
  if (error instanceof expected) return undefined;
  throw error;
}
