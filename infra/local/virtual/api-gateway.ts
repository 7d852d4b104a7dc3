import type {
  CreateBasePathMappingCommandInput,
  CreateDomainNameCommandInput,
  UpdateBasePathMappingCommandInput,
  UpdateDomainNameCommandInput,
} from '@aws-sdk/client-api-gateway';
import { type Certificates, covers } from '../acm/certificates.ts';
import type { Issuance } from '../acm/issuance.ts';
import { ApiGatewayError } from '../apigateway-control/api-gateway-operation.ts';
import { SLOT_MS } from '../apigateway-control/domain-name-operations.ts';
import { GATEWAY_HOSTED_ZONE_ID } from '../route53/aws-names.ts';
import type { Call } from './calls.ts';
import type { Actor, VirtualTime } from './virtual-time.ts';

interface ApiStage {
  readonly apiId: string;
  readonly stage: string;
}

/** API Gateway limits each of these by itself. */
type Change = 'create' | 'update' | 'delete';

interface Mapping extends ApiStage {
  readonly mappedAtMs: number;
  readonly by: Actor;
}

export interface DomainName {
  readonly host: string;
  certificateArn: string;
  readonly tags: Readonly<Record<string, string>>;
  mapping: Mapping | undefined;
}

/** The custom domain names of the account, each with at most one mapping, that of the root path. */
export class GatewayModel {
  readonly names = new Map<string, DomainName>();
  /** The stage of each API of the account. */
  readonly apis = new Map<string, string>();
  /** How many domain names the account may have. */
  quota = Number.POSITIVE_INFINITY;
  /** How many creations were refused for it. */
  quotaRefusals = 0;
  /** Called when the deletion of a mapping is requested, whether or not the mapping exists. */
  onUnmap: (domain: string, by: Actor) => void = () => {};
  /** Called when a domain name was created, or the change of an existing one is requested. */
  onChange: (domain: string, name: DomainName, change: 'creation' | 'change', by: Actor) => void = () => {};
  readonly #time: VirtualTime;
  readonly #certificates: Certificates;
  readonly #issuance: () => Issuance;
  readonly #inUseMs: () => number;
  /** Until when a certificate stays in use after its last use. */
  readonly #inUseUntilMs = new Map<string, number>();
  /** When each kind of change was last accepted. */
  readonly #changedMs = new Map<Change, number>();
  #count = 0;

  constructor(
    time: VirtualTime,
    certificates: Certificates,
    issuance: () => Issuance,
    inUseMs: () => number,
  ) {
    this.#time = time;
    this.#certificates = certificates;
    this.#issuance = issuance;
    this.#inUseMs = inUseMs;
  }

  /** What uses a certificate. */
  usesOf(arn: string): string[] {
    const users = [...this.names].filter(([, { certificateArn }]) => certificateArn === arn);
    const isReleased = this.#time.nowMs >= (this.#inUseUntilMs.get(arn) ?? 0);
    return [...users.map(([domain]) => domain), ...(isReleased ? [] : ['a former user'])];
  }

  #release(arn: string): void {
    this.#inUseUntilMs.set(arn, this.#time.nowMs + this.#inUseMs());
  }

  /** Another user of the account changes a domain name. */
  useSlot(change: Change): void {
    this.#changedMs.set(change, this.#time.nowMs);
  }

  /** Another user of the account creates a domain name with a mapping, unless the name exists. */
  createForeign(domain: string, certificateArn: string): DomainName | undefined {
    if (this.names.has(domain)) return undefined;
    const mapping = { apiId: 'foreign-api', stage: 'foreign', mappedAtMs: this.#time.nowMs, by: NOBODY };
    const name = { host: this.#newHost(), certificateArn, tags: {}, mapping };
    this.names.set(domain, name);
    return name;
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
    throw new ApiGatewayError('NotFoundException', 'Invalid domain name identifier specified');
  }

  #requireMapping(domain: string): Mapping {
    const { mapping } = this.#requireName(domain);
    if (mapping) return mapping;
    throw new ApiGatewayError('NotFoundException', 'Invalid base path mapping identifier specified');
  }

  #takeSlot(change: Change): void {
    if (this.#time.nowMs < (this.#changedMs.get(change) ?? 0) + SLOT_MS) {
      throw new ApiGatewayError('TooManyRequestsException', 'Too Many Requests');
    }
    this.useSlot(change);
  }

  #requireUsable(arn: string, domain: string): void {
    const certificate = this.#certificates.find(arn);
    const isUsable = certificate?.status === 'ISSUED' && this.#issuance().hasSpread(certificate);
    if (!isUsable) throw new ApiGatewayError('BadRequestException', 'Unable to use the certificate');
    if (!covers(certificate, domain)) {
      throw new ApiGatewayError('BadRequestException', `The certificate ${arn} doesn't cover ${domain}`);
    }
  }

  #requireStage({ apiId, stage }: ApiStage): void {
    const present = this.apis.get(apiId);
    if (present === stage) return;
    const what = present === undefined ? 'REST API' : 'stage';
    throw new ApiGatewayError('BadRequestException', `Invalid ${what} identifier specified`);
  }

  #create(
    domain: string,
    { regionalCertificateArn = '', tags = {} }: CreateDomainNameCommandInput,
    by: Actor,
  ): DomainName {
    this.#takeSlot('create');
    if (this.names.has(domain)) {
      throw new ApiGatewayError('BadRequestException', 'The domain name you provided already exists');
    }
    this.#requireUsable(regionalCertificateArn, domain);
    if (this.names.size >= this.quota) {
      this.quotaRefusals += 1;
      throw new ApiGatewayError('LimitExceededException', 'Too many domain names');
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
    this.#takeSlot('update');
    const arn = patchOperations[0]?.value ?? '';
    this.#requireUsable(arn, domain);
    this.#release(name.certificateArn);
    name.certificateArn = arn;
    return name;
  }

  #delete(domain: string) {
    const name = this.#requireName(domain);
    this.#takeSlot('delete');
    this.names.delete(domain);
    this.#release(name.certificateArn);
    return {};
  }

  #map(domain: string, { restApiId = '', stage = '' }: CreateBasePathMappingCommandInput, by: Actor) {
    const name = this.#requireName(domain);
    if (name.mapping) throw new ApiGatewayError('ConflictException', 'Base path already exists');
    return this.#mapTo(name, { apiId: restApiId, stage }, by);
  }

  #remap(domain: string, { patchOperations = [] }: UpdateBasePathMappingCommandInput, by: Actor) {
    const { apiId, stage } = this.#requireMapping(domain);
    const patched = (path: string) => patchOperations.find(operation => operation.path === path)?.value;
    const to = { apiId: patched('/restapiId') ?? apiId, stage: patched('/stage') ?? stage };
    return this.#mapTo(this.#requireName(domain), to, by);
  }

  #mapTo(name: DomainName, to: ApiStage, by: Actor) {
    this.#requireStage(to);
    name.mapping = { ...to, mappedAtMs: this.#time.nowMs, by };
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
  purpose: {},
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
    regionalHostedZoneId: GATEWAY_HOSTED_ZONE_ID,
    regionalCertificateArn: certificateArn,
    tags,
  };
}
