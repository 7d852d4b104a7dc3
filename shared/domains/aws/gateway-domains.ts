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
  GetStageCommand,
  LimitExceededException,
  NotFoundException,
  TooManyRequestsException,
  UpdateBasePathMappingCommand,
  UpdateDomainNameCommand,
} from '@aws-sdk/client-api-gateway';
import { controlPlaneClient, oneAttemptClient } from '../../aws/control-plane.ts';
import { CLAIM_TAG, DOMAIN_TAG, domainTagOf, ENVIRONMENT_TAG } from '../../aws/ownership-tags.ts';
import {
  type ApiStage,
  ApiUnknown,
  AttachedByOthers,
  type Front,
  type FrontClaim,
  FrontFull,
  FrontRefused,
  FrontTaken,
  isSameRoute,
  NotAttached,
  type Ticket,
} from '../front.ts';
import { claimOf } from '../life/domain.ts';
import type { Change, GatewaySlots } from './gateway-slots.ts';

/** The front made of API Gateway's domain names. The slots of gateway-slots.ts space their changes. */
export function gatewayFront(environment: string, slots: GatewaySlots): Front {
  const gateway = controlPlaneClient(APIGatewayClient);
  // Without retries: the SDK would wait the half minute that API Gateway asks for, and the function could run out of time.
  const withoutRetries = oneAttemptClient(APIGatewayClient);
  const mappings = gatewayMappings(gateway);

  const read = (name: string) =>
    gateway.send(new GetDomainNameCommand({ domainName: name })).catch(ignoreNotFound);

  const find: Front['find'] = async claim => {
    const found = await read(claim.domain);
    if (!found) return undefined;
    const {
      regionalDomainName: host = '',
      regionalHostedZoneId: hostedZoneId = '',
      regionalCertificateArn: certificateArn = '',
      tags = {},
    } = found;
    const isOurs = tags[ENVIRONMENT_TAG] === environment && tags[CLAIM_TAG] === claimOf(claim);
    return { host, hostedZoneId, certificateArn, isOurs };
  };

  /** Makes a change if it's this ticket's turn. */
  const inTurn = async (change: Change, ticket: Ticket, make: () => Promise<unknown>) => {
    const waiting = await slots.turn(change, ticket);
    if (waiting) return waiting;
    try {
      await make();
      return undefined;
    } catch (error) {
      if (error instanceof TooManyRequestsException) return slots.nextTurn(change);
      throw error;
    }
  };

  /**
   * A change of a domain name that was found but may have been deleted since: the call then finds nothing, or is denied, because
   * grants check the tags.
   */
  const orGone = async <Result>(claim: FrontClaim, change: Promise<Result>): Promise<Result> => {
    try {
      return await change;
    } catch (error) {
      const isDenied = error instanceof Error && error.name === 'AccessDeniedException';
      const isGone = error instanceof NotFoundException || (isDenied && !(await read(claim.domain)));
      throw isGone ? gone(claim) : error;
    }
  };

  const requireOurs = async (claim: FrontClaim): Promise<void> => {
    const found = await find(claim);
    if (!found) throw gone(claim);
    if (!found.isOurs) throw foreign(claim);
  };

  return {
    find,
    routeOf: ({ domain }) => mappings.find(domain),

    async hasStage({ apiId, stage }) {
      const get = new GetStageCommand({ restApiId: apiId, stageName: stage });
      return (await gateway.send(get).catch(ignoreNotFound)) !== undefined;
    },

    async isForeign(name) {
      const found = await read(name);
      return found !== undefined && found.tags?.[ENVIRONMENT_TAG] !== environment;
    },

    async attach(claim, certificateArn, ticket = null) {
      const { domain } = claim;
      const present = await find(claim);
      if (present && !present.isOurs) throw foreign(claim);
      if (present?.certificateArn === certificateArn) return undefined;
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
      const path = '/regionalCertificateArn';
      const patchOperations = [{ op: 'replace' as const, path, value: certificateArn }];
      const update = new UpdateDomainNameCommand({ domainName: domain, patchOperations });
      try {
        return await (present
          ? inTurn('update', ticket, () => orGone(claim, withoutRetries.send(update)))
          : inTurn('create', ticket, () => withoutRetries.send(creation)));
      } catch (error) {
        throw refusedOr(error);
      }
    },

    async route(claim, apiStage) {
      await requireOurs(claim);
      await orGone(claim, mappings.set(claim.domain, apiStage)).catch(refusedStage);
    },

    async unroute(claim) {
      const found = await find(claim);
      if (!found?.isOurs) return;
      await orGone(claim, mappings.remove(claim.domain)).catch(ignoreGone);
    },

    async detach(claim, ticket = null) {
      const found = await find(claim);
      if (!found?.isOurs) return undefined;
      const deletion = new DeleteDomainNameCommand({ domainName: claim.domain });
      return inTurn('delete', ticket, () => orGone(claim, withoutRetries.send(deletion)).catch(ignoreGone));
    },
  };
}

function gone({ domain }: FrontClaim): NotAttached {
  return new NotAttached(`API Gateway has no domain name ${domain}.`);
}

function ignoreGone(error: unknown): undefined {
  if (error instanceof NotAttached) return undefined;
  throw error;
}

/** The API may have been deleted at any time. */
function refusedStage(error: unknown): never {
  throw error instanceof BadRequestException ? new ApiUnknown(error.message, { cause: error }) : error;
}

function foreign({ domain }: FrontClaim): AttachedByOthers {
  return new AttachedByOthers(
    `${domain} exists at API Gateway and is not ours: it belongs to another environment or team of the account.`,
  );
}

/**
 * API Gateway doesn't know yet that the certificate is issued, another account has the name, or there are too many names. The
 * first two may be the same error: then only API Gateway's message tells them apart.
 */
function refusedOr(error: unknown): unknown {
  if (error instanceof LimitExceededException) return new FrontFull(error.message, { cause: error });
  const isConflict = error instanceof ConflictException;
  if (!isConflict && !(error instanceof BadRequestException)) return error;
  const isTaken = isConflict || /already exists/i.test(error.message);
  return new (isTaken ? FrontTaken : FrontRefused)(error.message, { cause: error });
}

/** API Gateway's base path of a mapping at the root. */
const ROOT = '(none)';

/** Removals delete mappings, but not more often than this while one is written. */
const MAX_ATTEMPTS = 3;

/** The mappings of domain names at the root. The caller has checked whose domain name it is. */
function gatewayMappings(gateway: APIGatewayClient) {
  const find = async (domainName: string): Promise<ApiStage | undefined> => {
    const found = await gateway
      .send(new GetBasePathMappingCommand({ domainName, basePath: ROOT }))
      .catch(ignoreNotFound);
    return found && { apiId: found.restApiId ?? '', stage: found.stage ?? '' };
  };

  /** False if there's already a mapping; throws NotFoundException if there's no such domain name. */
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
        if (isSameRoute(present, required)) return;
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

/** Catches a call to API Gateway about something that may not exist. */
function ignoreNotFound(error: unknown): undefined {
  if (error instanceof NotFoundException) return undefined;
  throw error;
}
