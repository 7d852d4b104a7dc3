import { createHash } from 'node:crypto';
import { parseProperties, refusal } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import { normalizedName } from './domain-name.ts';
import { HostedZoneProperties } from './hosted-zone-type.ts';
import type { HostedZones, NewHostedZone } from './hosted-zones.ts';

export interface DeclaredHostedZone extends NewHostedZone {
  readonly id: string;
}

/** The hosted zones that the resources declare. */
export function declaredHostedZones(resources: readonly Resource[]): DeclaredHostedZone[] {
  return resources
    .filter(({ type }) => type === 'AWS::Route53::HostedZone')
    .map(resource => {
      const { Name, HostedZoneConfig } = parseProperties(HostedZoneProperties, resource.properties, resource);
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
