import { createHash } from 'node:crypto';
import * as z from 'zod';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import {
  type Declaration,
  noEffect,
  type Resource,
  type ResourceType,
  refusal,
  resourcesOf,
  shortId,
} from '../cloudformation/resource-type.ts';
import { KeptFile } from '../host/data-folder.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import { initialRecordSets, nameServers } from './aws-names.ts';
import { normalizedName } from './domain-name.ts';
import { RecordSet } from './record-set.ts';

/** The errors of the Route 53 API and their HTTP status. */
export const ROUTE53_STATUS_BY_ERROR = {
  AccessDenied: 403,
  HostedZoneAlreadyExists: 409,
  HostedZoneNotEmpty: 400,
  InvalidChangeBatch: 400,
  InvalidDomainName: 400,
  InvalidInput: 400,
  NoSuchHostedZone: 404,
  PriorRequestNotComplete: 400,
  ThrottlingException: 400,
};

/** AwsApiError with the names of the table above. */
export const Route53Error = AwsApiError<keyof typeof ROUTE53_STATUS_BY_ERROR>;

const HostedZone = z.strictObject({
  id: z.string(),
  name: z.string(),
  callerReference: z.string(),
  comment: z.string().optional(),
  recordSets: z.array(RecordSet).readonly(),
});
export type HostedZone = Readonly<z.infer<typeof HostedZone>>;

type NewHostedZone = Omit<HostedZone, 'id' | 'recordSets'>;

const Content = z.object({ hostedZones: z.array(HostedZone).readonly() });

/** Enough for 400 zones. An account has 500 at most unless AWS raises its quota. */
const ID_ATTEMPTS = 10_000;

export interface HostedZonesOptions extends Partial<Surroundings> {
  /** Where the zones are kept; in memory if absent. */
  readonly file?: string | undefined;
}

/**
 * The public hosted zones of the account with their records, in the order of their creation. They are kept in a file of
 * the form {"hostedZones": [{"id": "Z…", "recordSets": […], …}]}, written before a change takes effect.
 */
export class HostedZones {
  readonly #file: KeptFile<typeof Content>;
  readonly #appliedAtMs = new Map<string, number>();
  readonly surroundings: Surroundings;
  #hostedZones: readonly HostedZone[];

  constructor({ file, ...given }: HostedZonesOptions = {}) {
    this.#file = new KeptFile(file, Content);
    this.surroundings = surroundings(given);
    this.#hostedZones = this.#file.read()?.hostedZones ?? [];
  }

  list(): readonly HostedZone[] {
    return this.#hostedZones;
  }

  find(id: string): HostedZone | undefined {
    return this.list().find(zone => zone.id === id);
  }

  /** Adds a zone with the records that every zone has. */
  add(newZone: NewHostedZone, id = this.#newId()): HostedZone {
    const zone = { ...newZone, id, recordSets: initialRecordSets(id, newZone.name) };
    this.#replace([...this.list(), zone]);
    return zone;
  }

  remove(id: string): void {
    this.#replace(this.list().filter(zone => zone.id !== id));
  }

  /** Whether a change of the zone's records is being applied. */
  isApplyingChange(id: string): boolean {
    return this.surroundings.now() < (this.#appliedAtMs.get(id) ?? 0);
  }

  replaceRecordSets(id: string, recordSets: readonly RecordSet[]): void {
    const { now, behavior } = this.surroundings;
    this.#appliedAtMs.set(id, now() + behavior().applyingMs());
    this.#replace(this.list().map(zone => (zone.id === id ? { ...zone, recordSets } : zone)));
  }

  /**
   * An id whose name servers no other zone has: on AWS a server answers for all zones that have it, here for one zone
   * (dns/name-servers.ts).
   */
  #newId(): string {
    const taken = new Set(this.list().flatMap(({ id }) => nameServers(id)));
    for (let attempt = 1; ; attempt += 1) {
      const id = `Z${this.surroundings.newId('route53')}`;
      const isShared = nameServers(id).some(server => taken.has(server));
      if (!isShared || attempt === ID_ATTEMPTS) return id;
    }
  }

  #replace(hostedZones: readonly HostedZone[]): void {
    this.#file.keep({ hostedZones });
    this.#hostedZones = hostedZones;
  }
}

/** AWS::Route53::HostedZone, public. */
const HostedZoneProperties = z.strictObject({
  Name: z.string(),
  HostedZoneConfig: z.strictObject({ Comment: z.string().optional() }).optional(),
  HostedZoneTags: noEffect,
});

const ID_LENGTH = 20;

/** The id depends on the name: on AWS a change of the name replaces the zone. */
function id({ stack, logicalId, ...declaration }: Declaration): string {
  const name = String(declaration.property('Name'));
  return `Z${shortId({ ...declaration, stack, logicalId: `${logicalId}/${name}` }, ID_LENGTH).toUpperCase()}`;
}

export const hostedZoneType: ResourceType = {
  properties: HostedZoneProperties,
  ref: id,
  attributes: { Id: id, NameServers: declaration => nameServers(id(declaration)) },
};

export interface DeclaredHostedZone extends NewHostedZone {
  readonly id: string;
}

/** The hosted zones that the resources declare. */
export function declaredHostedZones(resources: readonly Resource[]): DeclaredHostedZone[] {
  return resourcesOf('AWS::Route53::HostedZone', HostedZoneProperties, resources).map(resource => {
    const { Name, HostedZoneConfig } = resource.properties;
    const name = normalizedName(Name);
    if (name === undefined) throw refusal(resource, `${Name} is not a domain name`);
    const comment = HostedZoneConfig?.Comment;
    return {
      id: resource.physicalId,
      name,
      callerReference: createHash('sha256').update(resource.physicalId).digest('hex'),
      ...(comment !== undefined && { comment }),
    };
  });
}

/** Creates the declared zones that do not exist. Existing ones keep their records. */
export function deployHostedZones(zones: HostedZones, declared: readonly DeclaredHostedZone[]): void {
  for (const { id: zoneId, ...newZone } of declared) {
    if (zones.find(zoneId) === undefined) zones.add(newZone, zoneId);
  }
}
