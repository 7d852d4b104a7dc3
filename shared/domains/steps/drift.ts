import type { GatewayDomains } from '../aws/gateway-domains.ts';
import type { ApiStage } from '../aws/gateway-mappings.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import type { Domain, Obstacle } from '../life/domain.ts';
import { foreignDomainName } from './obstacles.ts';

export interface DriftParts {
  readonly gateway: GatewayDomains;
  readonly zone: PlatformZone;
  readonly apiStageOf: (domain: Domain) => Promise<ApiStage | undefined>;
  readonly route: (domain: Domain) => Promise<void>;
}

/** Reasons of a live domain whose domain name has to be created or changed, which takes a slot: only a flow can. */
export const REATTACHED: readonly string[] = ['domain_name_gone', 'domain_name_recertified'];

/** What of a live domain is no longer at AWS as the service has left it. */
export function driftOf(parts: Omit<DriftParts, 'route'>) {
  return async (domain: Domain): Promise<Obstacle | undefined> => {
    // Read here: an environment without a platform zone has no domains, and its functions no such part.
    const { gateway, zone, apiStageOf } = parts;
    const { domain: name, target, pointsAt, certificate } = domain;
    const again = `Verify ${name} again`;
    const present = await gateway.find(domain);
    if (!present) {
      const message = `${name} is no longer at API Gateway. ${again} to create it there anew.`;
      return { reason: 'domain_name_gone', message };
    }
    if (!present.isOurs) return { reason: 'domain_name_foreign', message: foreignDomainName(name) };
    if (present.certificateArn !== certificate.arn) {
      const message = `${name} has another certificate at API Gateway than its own. ${again} to replace it.`;
      return { reason: 'domain_name_recertified', message };
    }
    const [required, mapping] = [await apiStageOf(domain), await gateway.mappingOf(domain)];
    if (required && (mapping?.apiId !== required.apiId || mapping.stage !== required.stage)) {
      const what = mapping
        ? `is mapped to another API (${mapping.apiId})`
        : 'is not mapped to its API any more';
      return { reason: 'mapping_changed', message: `${name} ${what}. ${again} to map it.` };
    }
    if ((await zone.targetOf(target)) !== pointsAt) {
      const message = `The platform's record ${target} was changed or deleted. ${again} to restore it.`;
      return { reason: 'host_record_changed', message };
    }
    return undefined;
  };
}

/** Restores what of a live domain is ours and needs no slot: its mapping, and the platform's record. */
export function repairDrift(parts: DriftParts) {
  const detect = driftOf(parts);
  return async (domain: Domain): Promise<void> => {
    // The mapping is looked at before the record, so a second look is needed once it is restored.
    for (const reason of ['mapping_changed', 'host_record_changed']) {
      const drift = await detect(domain);
      if (drift?.reason !== reason) continue;
      if (reason === 'mapping_changed') await parts.route(domain);
      else await parts.zone.pointAt(domain.target, domain.pointsAt);
    }
  };
}
