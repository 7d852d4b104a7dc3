import type { DomainName as ShownDomainName } from '@aws-sdk/client-api-gateway';
import * as z from 'zod';
import { type Certificate, covers } from '../acm/certificates.ts';
import { notSupported } from '../aws-api/aws-api-error.ts';
import { type Operation, operationOf, type Permission, type Written } from '../aws-api/operation.ts';
import { oncePerInterval } from '../aws-api/rate-limits.ts';
import { ACCOUNT_ID, PARTITION, REGION } from '../cloudformation/pseudo-parameters.ts';
import { GATEWAY_HOSTED_ZONE_ID } from '../route53/aws-names.ts';
import type { Surroundings } from '../surroundings.ts';
import {
  ApiGatewayError,
  apiGatewayArn,
  itemsPage,
  PageRequest,
  PatchOperations,
  replacements,
  taggingPermissions,
} from './api-gateway-operation.ts';
import {
  type BasePathMapping,
  type DomainName,
  type DomainNames,
  regionalDomainName,
} from './domain-names.ts';

const operation = operationOf<typeof import('@aws-sdk/client-api-gateway')>();

interface DomainNameOperationsOptions extends Surroundings {
  readonly domainNames: DomainNames;
  findCertificate(arn: string): Certificate | undefined;
  /** Whether an issued certificate has reached API Gateway. */
  hasSpread(certificate: Certificate): boolean;
}

/** AWS admits one creation, one update and one deletion of domain names per account in this time. */
const SLOT_MS = 30_000;

/**
 * The first custom domain name of an account makes API Gateway create its service-linked role in the name of the caller.
 * Whether the role exists already is not known, so every creation takes the permission.
 */
const SERVICE_LINKED_ROLE: Permission = {
  action: 'iam:CreateServiceLinkedRole',
  resource: `arn:${PARTITION}:iam::${ACCOUNT_ID}:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway`,
  conditionKeys: { 'iam:AWSServiceName': ['ops.apigateway.amazonaws.com'] },
};

const LABEL = '(?!-)[a-z0-9-]{1,63}(?<!-)';
const ONLY_REGIONAL = 'Only the endpoint type REGIONAL is supported by the local AWS.';

const NewDomainName = z.strictObject({
  domainName: z
    .string()
    .max(253, 'Domain name is too long')
    // A wildcard stands for the first label only.
    .regex(new RegExp(`^(\\*\\.)?(${LABEL}\\.)+${LABEL}$`), 'Invalid domain name specified'),
  regionalCertificateArn: z.string('A certificate was not provided for the endpoint type REGIONAL.'),
  endpointConfiguration: z.strictObject(
    {
      types: z.tuple([z.literal('REGIONAL', ONLY_REGIONAL)], ONLY_REGIONAL),
      ipAddressType: z.enum(['ipv4', 'dualstack']).default('ipv4'),
    },
    ONLY_REGIONAL,
  ),
  securityPolicy: z
    .literal('TLS_1_2', 'Only the security policy TLS_1_2 is supported by the local AWS.')
    .default('TLS_1_2'),
  tags: z.record(z.string(), z.string()).optional(),
});

const OneDomainName = z.strictObject({ domainName: z.string() });

export function domainNameOperations(options: DomainNameOperationsOptions): readonly Operation[] {
  const { domainNames, findCertificate, hasSpread, waitScale, now, behavior } = options;

  const resourceTags = ({ domainName }: z.output<typeof OneDomainName>) => domainNames.find(domainName)?.tags;

  const rate = () =>
    oncePerInterval({
      intervalMs: SLOT_MS * waitScale,
      now,
      refusal: retryAfterSeconds =>
        new ApiGatewayError('TooManyRequestsException', 'Too Many Requests', { retryAfterSeconds }),
    });

  function requireCertificate(arn: string, domainName: string): void {
    const certificate = findCertificate(arn);
    const fault =
      certificate === undefined
        ? `Invalid certificate ARN: ${arn}. The certificate must be owned by the account ${ACCOUNT_ID} and be in '${REGION}'.`
        : certificate.status !== 'ISSUED' || !hasSpread(certificate)
          ? `The certificate ${arn} cannot be used: its status is ${certificate.status}, not ISSUED since a while.`
          : covers(certificate, domainName)
            ? undefined
            : `The domain name ${domainName} is not covered by the certificate ${arn}.`;
    if (fault !== undefined) throw new ApiGatewayError('BadRequestException', fault);
  }

  return [
    operation({
      name: 'CreateDomainName',
      input: NewDomainName,
      requestTags: ({ tags }) => tags,
      alsoRequires: ({ tags }) => [SERVICE_LINKED_ROLE, ...taggingPermissions(tags, '/domainnames')],
      isForOtherAccounts: true,
      rate: rate(),
      perform({ endpointConfiguration, regionalCertificateArn, tags = {}, ...rest }, { otherAccountId }) {
        if (domainNames.isTaken(rest.domainName, otherAccountId !== undefined)) {
          const isOwn = otherAccountId === undefined && domainNames.find(rest.domainName) !== undefined;
          throw new ApiGatewayError(
            isOwn ? 'BadRequestException' : 'ConflictException',
            'The domain name you provided already exists.',
          );
        }
        if (otherAccountId !== undefined) {
          domainNames.takeForOtherAccount(rest.domainName);
          return { domainName: rest.domainName };
        }
        const most = behavior().maxDomainNames();
        if (domainNames.list().length >= most) {
          const message = `The maximum number of domain names, ${most}, has been reached.`;
          throw new ApiGatewayError('LimitExceededException', message);
        }
        requireCertificate(regionalCertificateArn, rest.domainName);
        const { ipAddressType } = endpointConfiguration;
        return representation(
          domainNames.add({ ...rest, ipAddressType, tags, certificateArn: regionalCertificateArn }),
        );
      },
    }),

    operation({
      name: 'GetDomainNames',
      input: PageRequest,
      perform(request) {
        const listed = domainNames.list().map(domainName => ({ id: domainName.domainName, domainName }));
        return itemsPage(listed, request, ({ domainName }) => representation(domainName));
      },
    }),

    operation({
      name: 'GetDomainName',
      input: OneDomainName,
      resourceTags,
      perform: ({ domainName }) => representation(requireDomainName(domainNames, domainName)),
    }),

    operation({
      name: 'UpdateDomainName',
      input: OneDomainName.extend({ patchOperations: PatchOperations }),
      resourceTags,
      rate: rate(),
      perform({ domainName, patchOperations }) {
        requireDomainName(domainNames, domainName);
        const path = '/regionalCertificateArn';
        const certificateArn = replacements(patchOperations, [path]).get(path);
        if (certificateArn !== undefined) {
          requireCertificate(certificateArn, domainName);
          domainNames.changeCertificate(domainName, certificateArn);
        }
        return representation(requireDomainName(domainNames, domainName));
      },
    }),

    operation({
      name: 'DeleteDomainName',
      input: OneDomainName,
      resourceTags,
      rate: rate(),
      perform({ domainName }) {
        domainNames.remove(requireDomainName(domainNames, domainName).domainName);
      },
    }),
  ];
}

function requireDomainName(domainNames: DomainNames, name: string): DomainName {
  const domainName = domainNames.find(name);
  if (domainName === undefined) {
    throw new ApiGatewayError('NotFoundException', 'Invalid domain name identifier specified');
  }
  return domainName;
}

function representation(domainName: DomainName): Written<ShownDomainName> {
  return {
    domainName: domainName.domainName,
    domainNameArn: apiGatewayArn(`/domainnames/${domainName.domainName}`),
    regionalDomainName: regionalDomainName(domainName),
    regionalHostedZoneId: GATEWAY_HOSTED_ZONE_ID,
    regionalCertificateArn: domainName.certificateArn,
    endpointConfiguration: { types: ['REGIONAL'], ipAddressType: domainName.ipAddressType },
    domainNameStatus: 'AVAILABLE',
    securityPolicy: domainName.securityPolicy,
    routingMode: 'BASE_PATH_MAPPING_ONLY',
    tags: domainName.tags,
  };
}

/** API Gateway's name for the root of a domain name. */
const ROOT = '(none)';

const OneMapping = z.strictObject({ domainName: z.string(), basePath: z.string() });

/** Stages by name, each with its API. */
export type Stages = Iterable<readonly [name: string, stage: { readonly apiId: string }]>;

/** The operations on the mapping of a domain name's root. */
export function basePathMappingOperations(
  domainNames: DomainNames,
  stagesOf: () => Stages,
): readonly Operation[] {
  function requireStage({ restApiId, stage }: BasePathMapping): void {
    const stages = [...stagesOf()];
    if (stages.every(([, { apiId }]) => apiId !== restApiId)) {
      throw new ApiGatewayError('BadRequestException', 'Invalid REST API identifier specified');
    }
    if (stages.every(([name, { apiId }]) => apiId !== restApiId || name !== stage)) {
      throw new ApiGatewayError('BadRequestException', 'Invalid stage identifier specified');
    }
  }

  /** A mapping inherits the tags of its domain name; AWS does not say so of one that is being created. */
  const resourceTags = ({ domainName }: z.output<typeof OneMapping>) => domainNames.find(domainName)?.tags;

  function requireMapping({ domainName, basePath }: z.output<typeof OneMapping>): BasePathMapping {
    const { mapping } = requireDomainName(domainNames, domainName);
    if (mapping === undefined || basePath !== ROOT) {
      throw new ApiGatewayError('NotFoundException', 'Invalid base path mapping identifier specified');
    }
    return mapping;
  }

  return [
    operation({
      name: 'CreateBasePathMapping',
      input: z.strictObject({
        domainName: z.string(),
        basePath: z.string().default(ROOT),
        restApiId: z.string('Invalid REST API identifier specified'),
        stage: z.string('A mapping without a stage is not supported by the local AWS.'),
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
        return mappingRepresentation(mapping);
      },
    }),

    operation({
      name: 'GetBasePathMappings',
      input: PageRequest.extend({ domainName: z.string() }),
      perform({ domainName, ...request }) {
        const { mapping } = requireDomainName(domainNames, domainName);
        const listed = mapping === undefined ? [] : [{ ...mapping, id: ROOT }];
        return itemsPage(listed, request, mappingRepresentation);
      },
    }),

    operation({
      name: 'GetBasePathMapping',
      input: OneMapping,
      resourceTags,
      perform: input => mappingRepresentation(requireMapping(input)),
    }),

    operation({
      name: 'UpdateBasePathMapping',
      input: OneMapping.extend({ patchOperations: PatchOperations }),
      resourceTags,
      perform({ patchOperations, ...input }) {
        const { restApiId, stage } = requireMapping(input);
        const replaced = replacements(patchOperations, ['/restapiId', '/stage']);
        const mapping = {
          restApiId: replaced.get('/restapiId') ?? restApiId,
          stage: replaced.get('/stage') ?? stage,
        };
        requireStage(mapping);
        domainNames.map(input.domainName, mapping);
        return mappingRepresentation(mapping);
      },
    }),

    operation({
      name: 'DeleteBasePathMapping',
      input: OneMapping,
      resourceTags,
      perform(input) {
        requireMapping(input);
        domainNames.map(input.domainName, undefined);
      },
    }),
  ];
}

function mappingRepresentation({ restApiId, stage }: BasePathMapping) {
  return { basePath: ROOT, restApiId, stage };
}
