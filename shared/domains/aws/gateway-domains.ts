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
  LimitExceededException,
  NotFoundException,
  TooManyRequestsException,
  UpdateBasePathMappingCommand,
  UpdateDomainNameCommand,
} from '@aws-sdk/client-api-gateway';
import { controlPlaneRetries } from '../../aws/control-plane-retries.ts';
import { CLAIM_TAG, DOMAIN_TAG, ENVIRONMENT_TAG } from '../../aws/ownership-tags.ts';
import { claimOf, type Domain } from '../life/domain.ts';

/** API Gateway's base path of a mapping at the root. */
const ROOT = '(none)';

/** A mapping is deleted by a removal or by hand, and by nobody more often than this while it is written. */
const MAX_MAPPING_ATTEMPTS = 3;

/** The claim that a domain name of API Gateway is created for. */
export type GatewayClaim = Pick<Domain, 'domain' | 'target'>;

/** A domain name of API Gateway: the host that serves it, with its zone, and the certificate it has. */
export interface GatewayDomain {
  readonly host: string;
  readonly hostedZoneId: string;
  readonly certificateArn: string;
  /** Whether its tags prove that it was created for this claim, by this environment. */
  readonly isOurs: boolean;
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

/** The domain name belongs to another environment, team or claim. It was not changed. */
export class DomainNameForeign extends Error {
  override readonly name = 'DomainNameForeign';
}

/** API Gateway does not have the domain name, so it cannot be mapped. */
export class DomainNameGone extends Error {
  override readonly name = 'DomainNameGone';
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
  /** What the domain is mapped to, if it is. */
  mappingOf(claim: GatewayClaim): Promise<ApiStage | undefined>;
  /**
   * Maps a domain that is not mapped; false when it has a mapping already, whichever that is. Throws DomainNameForeign,
   * DomainNameGone.
   */
  mapFirst(claim: GatewayClaim, apiStage: ApiStage): Promise<boolean>;
  /** Maps the domain; throws DomainNameForeign, DomainNameGone. */
  map(claim: GatewayClaim, apiStage: ApiStage): Promise<void>;
  /** Deletes the mapping of a domain name that is ours: the domain is no longer served. */
  unmap(claim: GatewayClaim): Promise<void>;
  /** Deletes the domain name if it is ours. Needs a slot. */
  remove(claim: GatewayClaim): Promise<void>;
}

export function gatewayDomains(environment: string): GatewayDomains {
  const gateway = new APIGatewayClient(controlPlaneRetries());
  // Without retries: the SDK would wait for the half minute that API Gateway asks for, longer than the function lives.
  const withoutRetries = new APIGatewayClient({ maxAttempts: 1 });

  const read = (name: string) =>
    gateway
      .send(new GetDomainNameCommand({ domainName: name }))
      .catch(error => ignore(error, NotFoundException));

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

  const mapOurs = async ({ domain }: GatewayClaim, { apiId, stage }: ApiStage): Promise<boolean> => {
    const mapping = { domainName: domain, basePath: ROOT };
    try {
      await gateway.send(new CreateBasePathMappingCommand({ ...mapping, restApiId: apiId, stage }));
      return true;
    } catch (error) {
      if (error instanceof ConflictException) return false;
      if (error instanceof NotFoundException) throw gone({ domain });
      throw error;
    }
  };

  /** Changes the mapping of a domain name that is mapped; false when the mapping is gone. */
  const remapOurs = async ({ domain }: Pick<GatewayClaim, 'domain'>, { apiId, stage }: ApiStage) => {
    const patchOperations = [
      { op: 'replace' as const, path: '/restapiId', value: apiId },
      { op: 'replace' as const, path: '/stage', value: stage },
    ];
    const mapping = { domainName: domain, basePath: ROOT };
    const changed = await gateway
      .send(new UpdateBasePathMappingCommand({ ...mapping, patchOperations }))
      .catch(error => ignore(error, NotFoundException));
    return changed !== undefined;
  };

  const mappingOf: GatewayDomains['mappingOf'] = async ({ domain }) => {
    const mapping = { domainName: domain, basePath: ROOT };
    const found = await gateway
      .send(new GetBasePathMappingCommand(mapping))
      .catch(error => ignore(error, NotFoundException));
    return found && { apiId: found.restApiId ?? '', stage: found.stage ?? '' };
  };

  return {
    find,
    mappingOf,

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
          endpointConfiguration: { types: ['REGIONAL'] },
          securityPolicy: 'TLS_1_2',
          tags: { [ENVIRONMENT_TAG]: environment, [CLAIM_TAG]: claimOf(claim), [DOMAIN_TAG]: domain },
        });
        return { ...view(claim, await withoutRetries.send(creation)), isOurs: true };
      } catch (error) {
        throw busyOr(refusedOr(error));
      }
    },

    async mapFirst(claim, apiStage) {
      await requireOurs(claim);
      return mapOurs(claim, apiStage);
    },

    async map(claim, apiStage) {
      await requireOurs(claim);
      // A removal may delete the mapping between any two of these calls.
      for (let attempt = 1; attempt <= MAX_MAPPING_ATTEMPTS; attempt += 1) {
        if (await mapOurs(claim, apiStage)) return;
        const present = await mappingOf(claim);
        if (present?.apiId === apiStage.apiId && present.stage === apiStage.stage) return;
        if (present && (await remapOurs(claim, apiStage))) return;
      }
      throw gone(claim);
    },

    async unmap(claim) {
      const found = await find(claim);
      if (!found?.isOurs) return;
      await gateway
        .send(new DeleteBasePathMappingCommand({ domainName: claim.domain, basePath: ROOT }))
        .catch(error => ignore(error, NotFoundException));
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

function gone({ domain }: Pick<GatewayClaim, 'domain'>): DomainNameGone {
  return new DomainNameGone(`API Gateway has no domain name ${domain}, or its mapping is being deleted.`);
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

function ignore(error: unknown, expected: new (...parameters: never[]) => Error): undefined {
  if (error instanceof expected) return undefined;
  throw error;
}
