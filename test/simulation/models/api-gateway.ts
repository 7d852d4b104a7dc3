import {
  BadRequestException,
  ConflictException,
  type CreateBasePathMappingCommandInput,
  type CreateDomainNameCommandInput,
  LimitExceededException,
  NotFoundException,
  TooManyRequestsException,
  type UpdateBasePathMappingCommandInput,
  type UpdateDomainNameCommandInput,
} from '@aws-sdk/client-api-gateway';
import { CLAIM_TAG } from '../../../shared/aws/ownership-tags.ts';
import { claimOf, type Domain } from '../../../shared/domains/life/domain.ts';
import type { Observed, Reach, Reached } from '../../../shared/domains/reach.ts';
import { type Actor, SECOND_MS, type VirtualTime } from '../virtual-time.ts';
import type { AcmModel } from './acm.ts';
import type { Call } from './calls.ts';
import { addressOf, type PublicDns } from './public-dns.ts';

interface Mapping {
  readonly apiId: string;
  readonly stage: string;
  readonly mappedAtMs: number;
  readonly by: Actor;
}

export interface DomainName {
  readonly host: string;
  certificateArn: string;
  readonly tags: Readonly<Record<string, string>>;
  mapping: Mapping | undefined;
}

/** API Gateway accepts one creation, change or deletion of a domain name in this time, in the whole account. */
const SLOT_MS = 30 * SECOND_MS;

/** The custom domain names of the account, each with at most one mapping, that of the root path. */
export class GatewayModel {
  readonly names = new Map<string, DomainName>();
  /** How many domain names the account may have. */
  quota = Number.POSITIVE_INFINITY;
  /** How many creations were refused for it. */
  quotaRefusals = 0;
  /** Called when the deletion of a mapping is requested, whether or not the mapping exists. */
  onUnmap: (domain: string, by: Actor) => void = () => {};
  /** Called when a domain name was created, or the change of an existing one is requested. */
  onChange: (domain: string, name: DomainName, change: 'creation' | 'change', by: Actor) => void = () => {};
  readonly #time: VirtualTime;
  readonly #acm: AcmModel;
  /** How long an issued certificate takes to reach API Gateway. */
  readonly #spreadMs: () => number;
  #lastChangeMs = Number.NEGATIVE_INFINITY;
  #count = 0;
  #spreadByArn = new Map<string, number>();

  constructor(time: VirtualTime, acm: AcmModel, spreadMs: () => number) {
    this.#time = time;
    this.#acm = acm;
    this.#spreadMs = spreadMs;
    acm.isAttached = arn => [...this.names.values()].some(({ certificateArn }) => certificateArn === arn);
  }

  /** Another user of the account changes a domain name. */
  useSlot(): void {
    this.#lastChangeMs = this.#time.nowMs;
  }

  /** Another user of the account creates a domain name with a mapping, unless the name exists. */
  createForeign(domain: string, certificateArn: string): DomainName | undefined {
    if (this.names.has(domain)) return undefined;
    const mapping = { apiId: 'foreign-api', stage: 'foreign', mappedAtMs: this.#time.nowMs, by: NOBODY };
    const name = { host: this.#newHost(), certificateArn, tags: {}, mapping };
    this.names.set(domain, name);
    return name;
  }

  /** Whether the domain name of a claim is there and mapped. */
  isMapped({ domain, target }: Pick<Domain, 'domain' | 'target'>): boolean {
    const found = this.names.get(domain);
    return found?.mapping !== undefined && found.tags[CLAIM_TAG] === claimOf({ target });
  }

  readonly service = ({ operation, input, actor }: Call): unknown => {
    const { domainName = '' } = input as { domainName?: string };
    const present = this.names.get(domainName);
    if (present && /^(Create|Update|Delete)/.test(operation) && operation !== 'CreateDomainName') {
      this.onChange(domainName, present, 'change', actor);
    }
    switch (operation) {
      case 'GetDomainName':
        return toOutput(this.#requireName(domainName));
      case 'CreateDomainName':
        return toOutput(this.#create(domainName, input as CreateDomainNameCommandInput, actor));
      case 'UpdateDomainName':
        return toOutput(this.#update(domainName, input as UpdateDomainNameCommandInput));
      case 'DeleteDomainName':
        return this.#delete(domainName);
      case 'CreateBasePathMapping':
        return this.#map(domainName, input as CreateBasePathMappingCommandInput, actor);
      case 'GetBasePathMapping': {
        const { apiId, stage } = this.#requireMapping(domainName);
        return { restApiId: apiId, stage };
      }
      case 'UpdateBasePathMapping':
        return this.#remap(domainName, input as UpdateBasePathMappingCommandInput, actor);
      case 'DeleteBasePathMapping':
        return this.#unmap(domainName, actor);
      default:
        throw new Error(`The model of API Gateway does not support ${operation}.`);
    }
  };

  #requireName(domain: string): DomainName {
    const name = this.names.get(domain);
    if (name) return name;
    throw new NotFoundException({ message: 'Invalid domain name identifier specified', $metadata: {} });
  }

  #requireMapping(domain: string): Mapping {
    const { mapping } = this.#requireName(domain);
    if (mapping) return mapping;
    throw new NotFoundException({ message: 'Invalid base path mapping identifier specified', $metadata: {} });
  }

  #takeSlot(): void {
    if (this.#time.nowMs < this.#lastChangeMs + SLOT_MS) {
      throw new TooManyRequestsException({ message: 'Too Many Requests', $metadata: {} });
    }
    this.#lastChangeMs = this.#time.nowMs;
  }

  #requireIssued(arn: string): void {
    const certificate = this.#acm.find(arn);
    const spreadMs = this.#spreadByArn.get(arn) ?? this.#spreadMs();
    this.#spreadByArn.set(arn, spreadMs);
    const isUsable =
      certificate?.status === 'ISSUED' && this.#time.nowMs >= certificate.issuedAtMs + spreadMs;
    if (!isUsable) throw new BadRequestException({ message: 'Unable to use the certificate', $metadata: {} });
  }

  #create(
    domain: string,
    { regionalCertificateArn = '', tags = {} }: CreateDomainNameCommandInput,
    by: Actor,
  ): DomainName {
    this.#takeSlot();
    if (this.names.has(domain)) {
      throw new BadRequestException({
        message: 'The domain name you provided already exists',
        $metadata: {},
      });
    }
    this.#requireIssued(regionalCertificateArn);
    if (this.names.size >= this.quota) {
      this.quotaRefusals += 1;
      throw new LimitExceededException({ message: 'Too many domain names', $metadata: {} });
    }
    const name: DomainName = {
      host: this.#newHost(),
      certificateArn: regionalCertificateArn,
      tags,
      mapping: undefined,
    };
    this.names.set(domain, name);
    this.onChange(domain, name, 'creation', by);
    return name;
  }

  #newHost(): string {
    this.#count += 1;
    return `d-${this.#count}.execute-api.us-east-1.amazonaws.com`;
  }

  #update(domain: string, { patchOperations = [] }: UpdateDomainNameCommandInput): DomainName {
    const name = this.#requireName(domain);
    this.#takeSlot();
    const arn = patchOperations[0]?.value ?? '';
    this.#requireIssued(arn);
    this.#acm.release(name.certificateArn);
    name.certificateArn = arn;
    return name;
  }

  #delete(domain: string) {
    const name = this.#requireName(domain);
    this.#takeSlot();
    this.names.delete(domain);
    this.#acm.release(name.certificateArn);
    return {};
  }

  #map(domain: string, { restApiId = '', stage = '' }: CreateBasePathMappingCommandInput, by: Actor) {
    const name = this.#requireName(domain);
    if (name.mapping) throw new ConflictException({ message: 'Base path already exists', $metadata: {} });
    name.mapping = { apiId: restApiId, stage, mappedAtMs: this.#time.nowMs, by };
    return {};
  }

  #remap(domain: string, { patchOperations = [] }: UpdateBasePathMappingCommandInput, by: Actor) {
    const { apiId, stage } = this.#requireMapping(domain);
    const patched = (path: string) => patchOperations.find(operation => operation.path === path)?.value;
    this.#requireName(domain).mapping = {
      apiId: patched('/restapiId') ?? apiId,
      stage: patched('/stage') ?? stage,
      mappedAtMs: this.#time.nowMs,
      by,
    };
    return {};
  }

  #unmap(domain: string, by: Actor) {
    this.onUnmap(domain, by);
    this.#requireMapping(domain);
    this.#requireName(domain).mapping = undefined;
    return {};
  }
}

/** Stands for users of the account who are not the service. */
const NOBODY: Actor = {
  name: 'another team',
  environment: 'none',
  project: undefined,
  hasMetFault: false,
  gaveUpAtMs: undefined,
  startedAtMs: 0,
  diedAtMs: undefined,
  isDone: true,
  die() {},
};

function toOutput({ host, certificateArn, tags }: DomainName) {
  return {
    regionalDomainName: host,
    regionalHostedZoneId: 'Z-GATEWAY',
    regionalCertificateArn: certificateArn,
    tags,
  };
}

interface HttpsParts {
  readonly dns: PublicDns;
  readonly gateway: GatewayModel;
  readonly acm: AcmModel;
  readonly time: VirtualTime;
  /** When a domain was last reached. */
  readonly reachedAtMs: Map<string, number>;
}

/**
 * HTTPS requests from the service for a domain, at the host of API Gateway and through the first resolver. The addresses of a
 * host of API Gateway serve the domain name of this host and no other.
 */
export function httpsModel({ dns, gateway, acm, time, reachedAtMs }: HttpsParts) {
  return ({ input }: Call): Observed => {
    const [domain, certificate, edgeHost, published = []] = input as Parameters<Reach>;
    const name = gateway.names.get(domain);
    const servedAt = (isServed: boolean): Reached => {
      if (!name || !isServed) return { kind: 'answer_foreign', why: 'Another server answers.' };
      const served = acm.find(name.certificateArn);
      if (served?.status !== 'ISSUED') return { kind: 'certificate_wrong', why: 'It is not valid.' };
      if (!certificate.serials.includes(acm.servedSerial(served))) {
        return { kind: 'certificate_wrong', why: 'It is another one.' };
      }
      if (!name.mapping) return { kind: 'answer_foreign', why: 'The domain is not mapped.' };
      return { kind: 'reached' };
    };
    const addresses = [domain, ...published].flatMap(host =>
      (['A', 'AAAA'] as const).flatMap(type => {
        const found = dns.resolvers[0]?.resolve(host, type);
        return found?.kind === 'records' ? found.values.map(address => ({ address, type })) : [];
      }),
    );
    const edge = servedAt(name?.host === edgeHost);
    if (addresses.length === 0) {
      return { edge, visitors: { kind: 'unreachable', why: 'The name has no IP address.' } };
    }
    const visitors = servedAt(
      addresses.every(({ address, type }) => name && address === addressOf(name.host, type)),
    );
    if (visitors.kind === 'reached') reachedAtMs.set(domain, time.nowMs);
    return { edge, visitors };
  };
}
