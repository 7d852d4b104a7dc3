import {
  APIGatewayClient,
  ConflictException,
  CreateBasePathMappingCommand,
  CreateDomainNameCommand,
  DeleteBasePathMappingCommand,
  DeleteDomainNameCommand,
  GetDomainNameCommand,
  NotFoundException,
} from '@aws-sdk/client-api-gateway';

/** API Gateway's base path of a mapping at the root. */
const ROOT = '(none)';

/** The custom domain names of API Gateway. Every call makes sure of something and may be repeated. */
export interface GatewayDomains {
  /** The host that serves the domain, or undefined when there is no such domain name yet. */
  hostOf(domain: string): Promise<string | undefined>;
  /** Creates the domain name. One such call is allowed in 30 s: take a slot first. */
  create(domain: string, certificateArn: string): Promise<string>;
  map(domain: string, apiId: string, stage: string): Promise<void>;
  /** From then on nothing is served. */
  unmap(domain: string): Promise<void>;
  /** Deletes the domain name. One such call is allowed in 30 s: take a slot first. */
  remove(domain: string): Promise<void>;
}

export function gatewayDomains(): GatewayDomains {
  const gateway = new APIGatewayClient({ maxAttempts: 4 });
  return {
    async hostOf(domain) {
      try {
        return (await gateway.send(new GetDomainNameCommand({ domainName: domain }))).regionalDomainName;
      } catch (error) {
        return ignore(error, NotFoundException);
      }
    },
    async create(domain, certificateArn) {
      const { regionalDomainName = '' } = await gateway.send(
        new CreateDomainNameCommand({
          domainName: domain,
          regionalCertificateArn: certificateArn,
          endpointConfiguration: { types: ['REGIONAL'] },
          securityPolicy: 'TLS_1_2',
        }),
      );
      return regionalDomainName;
    },
    async map(domain, apiId, stage) {
      const mapping = { domainName: domain, basePath: ROOT, restApiId: apiId, stage };
      await gateway
        .send(new CreateBasePathMappingCommand(mapping))
        .catch(error => ignore(error, ConflictException));
    },
    async unmap(domain) {
      await gateway
        .send(new DeleteBasePathMappingCommand({ domainName: domain, basePath: ROOT }))
        .catch(error => ignore(error, NotFoundException));
    },
    async remove(domain) {
      await gateway
        .send(new DeleteDomainNameCommand({ domainName: domain }))
        .catch(error => ignore(error, NotFoundException));
    },
  };
}

function ignore(error: unknown, expected: new (...parameters: never[]) => Error): undefined {
  if (error instanceof expected) return undefined;
  throw error;
}
