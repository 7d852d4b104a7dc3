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
  type GetDomainNameCommandOutput,
  GetStageCommand,
  LimitExceededException,
  NotFoundException,
  TooManyRequestsException,
  UpdateBasePathMappingCommand,
  UpdateDomainNameCommand,
} from '@aws-sdk/client-api-gateway';
import { controlPlaneClient, oneAttemptClient } from '../../aws/control-plane.ts';
import { CLAIM_TAG, DOMAIN_TAG, domainTagOf, ENVIRONMENT_TAG } from '../../aws/ownership-tags.ts';
import { claimOf, type Domain } from '../life/domain.ts';

/** The claim that a domain name of API Gateway is created for: a custom domain's, or that of default URLs. */
type GatewayClaim = Pick<Domain, 'domain' | 'target'>;

/** A domain name of API Gateway: the host that serves it, with its zone, and the certificate it has. */
export interface GatewayDomain {
  readonly host: string;
  readonly hostedZoneId: string;
  readonly certificateArn: string;
  /** Whether its tags prove that it was created for this claim, by this environment. */
  readonly isOurs: boolean;
}

/** API Gateway accepts no change of a domain name at the moment: book another slot. */
export class GatewayBusy extends Error {
  override readonly name = 'GatewayBusy';
}

/** API Gateway rejects the domain name; the message is its own. It may accept it later, as certificates spread. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';
}

/** The domain name belongs to another environment, team or claim. It was not changed. */
export class DomainNameForeign extends Error {
  override readonly name = 'DomainNameForeign';
}

/** API Gateway does not have the domain name, so it cannot be mapped. */
export class DomainNameGone extends Error {
  override readonly name = 'DomainNameGone';
}

/** API Gateway has no such API, or the API no such stage. */
export class ApiUnknown extends Error {
  override readonly name = 'ApiUnknown';
}

/** Whether a domain cannot be mapped until a verification brings its domain name back. */
export function isDomainNameMissing(error: unknown): boolean {
  return error instanceof DomainNameGone || error instanceof DomainNameForeign;
}

/**
 * The custom domain names of API Gateway. The account's other environments and teams have theirs there, too: a domain
 * name without the tags of the claim and of this environment is never changed. Every call is idempotent. Those that need
 * a slot (gateway-slots.ts) are allowed once in 30 s; they throw GatewayBusy.
 */
export interface GatewayDomains {
  /** Whether API Gateway has a domain name that this environment did not create. */
  isForeign(name: string): Promise<boolean>;
  find(claim: GatewayClaim): Promise<GatewayDomain | undefined>;
  /** Creates the domain name, or gives it this certificate. Needs a slot; throws GatewayRefused, DomainNameForeign, too. */
  ensure(claim: GatewayClaim, certificateArn: string): Promise<GatewayDomain>;
  /** Whether the account has an API with this stage, which domains can be mapped to. */
  hasStage(apiStage: ApiStage): Promise<boolean>;
  /** What the domain is mapped to, if it is. */
  mappingOf(claim: GatewayClaim): Promise<ApiStage | undefined>;
  /**
   * Maps a domain that is not mapped; false when it has any mapping already. Throws DomainNameForeign, DomainNameGone,
   * ApiUnknown.
   */
  mapFirst(claim: GatewayClaim, apiStage: ApiStage): Promise<boolean>;
  /** Maps the domain; throws DomainNameForeign, DomainNameGone, ApiUnknown. */
  map(claim: GatewayClaim, apiStage: ApiStage): Promise<void>;
  /** Deletes the mapping of a domain name that is ours: the domain is no longer served. */
  unmap(claim: GatewayClaim): Promise<void>;
  /** Deletes the domain name if it is ours. Needs a slot. */
  remove(claim: GatewayClaim): Promise<void>;
}

export function gatewayDomains(environment: string): GatewayDomains {
  const gateway = controlPlaneClient(APIGatewayClient);
  // Without retries: the SDK would wait for the half minute that API Gateway asks for, longer than the function lives.
  const withoutRetries = oneAttemptClient(APIGatewayClient);
  const mappings = gatewayMappings(gateway);

  const read = (name: string) =>
    gateway.send(new GetDomainNameCommand({ domainName: name })).catch(ignoreNotFound);

  const view = (claim: GatewayClaim, found: GetDomainNameCommandOutput): GatewayDomain => {
    const {
      regionalDomainName = '',
      regionalHostedZoneId = '',
      regionalCertificateArn = '',
      tags = {},
    } = found;
    return {
      host: regionalDomainName,
      hostedZoneId: regionalHostedZoneId,
      certificateArn: regionalCertificateArn,
      isOurs: tags[ENVIRONMENT_TAG] === environment && tags[CLAIM_TAG] === claimOf(claim),
    };
  };

  const find: GatewayDomains['find'] = async claim => {
    const found = await read(claim.domain);
    return found && view(claim, found);
  };

  const requireOurs = async (claim: GatewayClaim): Promise<void> => {
    const found = await find(claim);
    if (!found) throw gone(claim);
    if (!found.isOurs) throw foreign(claim);
  };

  return {
    find,
    mappingOf: ({ domain }) => mappings.find(domain),

    async hasStage({ apiId, stage }) {
      const get = new GetStageCommand({ restApiId: apiId, stageName: stage });
      return (await gateway.send(get).catch(ignoreNotFound)) !== undefined;
    },

    async isForeign(name) {
      const found = await read(name);
      return found !== undefined && found.tags?.[ENVIRONMENT_TAG] !== environment;
    },

    async ensure(claim, certificateArn) {
      const { domain } = claim;
      try {
        const present = await find(claim);
        if (present && !present.isOurs) throw foreign(claim);
        if (present?.certificateArn === certificateArn) return present;
        if (present) {
          const path = '/regionalCertificateArn';
          const patchOperations = [{ op: 'replace' as const, path, value: certificateArn }];
          const update = new UpdateDomainNameCommand({ domainName: domain, patchOperations });
          return { ...view(claim, await withoutRetries.send(update)), isOurs: true };
        }
        const creation = new CreateDomainNameCommand({
          domainName: domain,
          regionalCertificateArn: certificateArn,
          endpointConfiguration: { types: ['REGIONAL'], ipAddressType: 'dualstack' },
          securityPolicy: 'TLS_1_2',
          tags: {
            [ENVIRONMENT_TAG]: environment,
            [CLAIM_TAG]: claimOf(claim),
            [DOMAIN_TAG]: domainTagOf(claim),
          },
        });
        return { ...view(claim, await withoutRetries.send(creation)), isOurs: true };
      } catch (error) {
        throw busyOr(refusedOr(error));
      }
    },

    async mapFirst(claim, apiStage) {
      await requireOurs(claim);
      return orGone(claim, mappings.create(claim.domain, apiStage));
    },

    async map(claim, apiStage) {
      await requireOurs(claim);
      await orGone(claim, mappings.set(claim.domain, apiStage));
    },

    async unmap(claim) {
      const found = await find(claim);
      if (!found?.isOurs) return;
      await mappings.remove(claim.domain);
    },

    async remove(claim) {
      const found = await find(claim);
      if (!found?.isOurs) return;
      try {
        await withoutRetries.send(new DeleteDomainNameCommand({ domainName: claim.domain }));
      } catch (error) {
        if (!(error instanceof NotFoundException)) throw busyOr(error);
      }
    },
  };
}

function gone({ domain }: GatewayClaim): DomainNameGone {
  return new DomainNameGone(`API Gateway has no domain name ${domain}.`);
}

/** The domain name may be deleted after it was found, and the API at any time. */
async function orGone<Result>(claim: GatewayClaim, mapping: Promise<Result>): Promise<Result> {
  try {
    return await mapping;
  } catch (error) {
    if (error instanceof BadRequestException) throw new ApiUnknown(error.message, { cause: error });
    throw error instanceof NotFoundException ? gone(claim) : error;
  }
}

function foreign({ domain }: GatewayClaim): DomainNameForeign {
  return new DomainNameForeign(
    `${domain} exists at API Gateway and is not ours: it belongs to another environment or team of the account.`,
  );
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

/** API Gateway's base path of a mapping at the root. */
const ROOT = '(none)';

/** Removals delete mappings; none is deleted more often than this while it is written. */
const MAX_ATTEMPTS = 3;

/** The API and stage that a domain is mapped to. */
export interface ApiStage {
  readonly apiId: string;
  readonly stage: string;
}

/** The mappings of domain names at the root. The caller has checked whose domain name it is. */
export function gatewayMappings(gateway: APIGatewayClient) {
  const find = async (domainName: string): Promise<ApiStage | undefined> => {
    const found = await gateway
      .send(new GetBasePathMappingCommand({ domainName, basePath: ROOT }))
      .catch(ignoreNotFound);
    return found && { apiId: found.restApiId ?? '', stage: found.stage ?? '' };
  };

  /** False when there is any mapping; throws NotFoundException when there is no such domain name. */
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

/** For the catch of a call to API Gateway that may name what does not exist. */
function ignoreNotFound(error: unknown): undefined {
  if (error instanceof NotFoundException) return undefined;
  throw error;
}
