import * as z from 'zod';
import { type Certificate, covers } from '../acm/certificates.ts';
import { ACCOUNT_ID, PARTITION, REGION } from '../cloudformation/pseudo-parameters.ts';
import { ApiGatewayError } from './api-gateway-error.ts';
import { type DomainName, type DomainNames, regionalDomainName } from './domain-names.ts';
import { type Operations, read } from './operation.ts';
import { PageQuery, page } from './page.ts';
import { replacement } from './patch-operations.ts';

export interface DomainNameOperationsOptions {
  readonly domainNames: DomainNames;
  findCertificate(arn: string): Certificate | undefined;
  readonly waitScale: number;
  now(): number;
}

/** Of the load balancers of API Gateway in us-east-1. */
const HOSTED_ZONE_ID = 'Z1UJRXOUMOOFQ8';
const MAX_DOMAIN_NAMES = 120;
/** The account may create, update or delete one name in this time. */
const SLOT_MS = 30_000;

const LABEL = '(?!-)[a-z0-9-]{1,63}(?<!-)';

const NewDomainName = z.strictObject({
  domainName: z
    .string()
    .max(253, 'Domain name is too long')
    .regex(new RegExp(`^(${LABEL}\\.)+${LABEL}$`), 'Invalid domain name specified'),
  regionalCertificateArn: z.string('A certificate was not provided for the endpoint type REGIONAL.'),
  endpointConfiguration: z.strictObject(
    {
      types: z.tuple(
        [z.literal('REGIONAL', 'Only the endpoint type REGIONAL is known on one machine.')],
        'Only the endpoint type REGIONAL is known on one machine.',
      ),
      ipAddressType: z.literal('ipv4').optional(),
    },
    'Only the endpoint type REGIONAL is known on one machine.',
  ),
  securityPolicy: z
    .literal('TLS_1_2', 'Only the security policy TLS_1_2 is known on one machine.')
    .default('TLS_1_2'),
  tags: z.record(z.string(), z.string()).default({}),
});

/** CreateDomainName, GetDomainName, GetDomainNames, UpdateDomainName and DeleteDomainName. */
export function domainNameOperations(options: DomainNameOperationsOptions): Operations {
  const { domainNames, findCertificate, waitScale, now } = options;
  let nextSlotMs = 0;

  /**
   * Takes the one slot that the three share here: what keeps within it keeps within AWS's limits, whether those are
   * counted for each operation or for all.
   */
  function takeSlot(): void {
    const waitMs = nextSlotMs - now();
    if (waitMs > 0) {
      throw new ApiGatewayError('TooManyRequestsException', 'Too Many Requests', Math.ceil(waitMs / 1000));
    }
    nextSlotMs = now() + SLOT_MS * waitScale;
  }

  function requireCertificate(arn: string, domainName: string): void {
    const certificate = findCertificate(arn);
    const fault =
      certificate === undefined
        ? `Invalid certificate ARN: ${arn}. The certificate must be owned by the account ${ACCOUNT_ID} and be in '${REGION}'.`
        : certificate.status !== 'ISSUED'
          ? `The certificate ${arn} cannot be used: its status is ${certificate.status}, not ISSUED.`
          : covers(certificate, domainName)
            ? undefined
            : `The domain name ${domainName} is not covered by the certificate ${arn}.`;
    if (fault !== undefined) throw new ApiGatewayError('BadRequestException', fault);
  }

  return {
    'POST /domainnames'({ body }) {
      takeSlot();
      const { endpointConfiguration: _, regionalCertificateArn, ...rest } = read(NewDomainName, body);
      if (domainNames.find(rest.domainName) !== undefined) {
        throw new ApiGatewayError('ConflictException', 'The domain name you provided already exists.');
      }
      if (domainNames.list().length >= MAX_DOMAIN_NAMES) {
        const message = `The maximum number of domain names, ${MAX_DOMAIN_NAMES}, has been reached.`;
        throw new ApiGatewayError('LimitExceededException', message);
      }
      requireCertificate(regionalCertificateArn, rest.domainName);
      const added = domainNames.add({ ...rest, certificateArn: regionalCertificateArn });
      return { status: 201, body: representation(added) };
    },

    'GET /domainnames'({ query }) {
      const listed = domainNames.list().map(item => ({ id: item.domainName, item }));
      return { status: 200, body: page(listed, read(PageQuery, query), ({ item }) => representation(item)) };
    },

    'GET /domainnames/{domainName}'({ parameters }) {
      return { status: 200, body: representation(existingDomainName(domainNames, parameters.domainName)) };
    },

    'PATCH /domainnames/{domainName}'({ parameters, body }) {
      takeSlot();
      const { domainName } = existingDomainName(domainNames, parameters.domainName);
      const certificateArn = replacement(body, ['/regionalCertificateArn']).get('/regionalCertificateArn');
      if (certificateArn !== undefined) {
        requireCertificate(certificateArn, domainName);
        domainNames.changeCertificate(domainName, certificateArn);
      }
      return { status: 200, body: representation(existingDomainName(domainNames, domainName)) };
    },

    'DELETE /domainnames/{domainName}'({ parameters }) {
      takeSlot();
      domainNames.remove(existingDomainName(domainNames, parameters.domainName).domainName);
      return { status: 202 };
    },
  };
}

/** The domain name, or the error for one that is not there. */
export function existingDomainName(domainNames: DomainNames, name = ''): DomainName {
  const domainName = domainNames.find(name);
  if (domainName === undefined) {
    throw new ApiGatewayError('NotFoundException', 'Invalid domain name identifier specified');
  }
  return domainName;
}

function representation(domainName: DomainName) {
  return {
    domainName: domainName.domainName,
    domainNameArn: `arn:${PARTITION}:apigateway:${REGION}::/domainnames/${domainName.domainName}`,
    regionalDomainName: regionalDomainName(domainName),
    regionalHostedZoneId: HOSTED_ZONE_ID,
    regionalCertificateArn: domainName.certificateArn,
    endpointConfiguration: { types: ['REGIONAL'], ipAddressType: 'ipv4' },
    domainNameStatus: 'AVAILABLE',
    securityPolicy: domainName.securityPolicy,
    routingMode: 'BASE_PATH_MAPPING_ONLY',
    tags: domainName.tags,
  };
}
