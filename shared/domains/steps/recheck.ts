import { log } from '../../log.ts';
import type { Certificates } from '../aws/certificates.ts';
import type { ApiStage, GatewayDomains } from '../aws/gateway-domains.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import { type Domain, nextRevision, type Obstacle } from '../life/domain.ts';
import { type DomainStore, saveUnlessStale } from '../life/domain-store.ts';
import { rechecked } from '../life/transitions.ts';
import type { Reach } from '../reach.ts';
import { type InspectionParts, inspect } from './inspection.ts';
import type { ManagedRecords } from './managed-records.ts';
import {
  caaObstacle,
  certificateLoss,
  foreignDomainName,
  reachObstacle,
  recordObstacle,
} from './obstacles.ts';

interface RecheckParts extends InspectionParts {
  readonly domains: DomainStore;
  readonly certificates: Pick<Certificates, 'view' | 'serialOf'>;
  readonly gateway: GatewayDomains;
  readonly zone: PlatformZone;
  readonly apiStageOf: (domain: Domain) => Promise<ApiStage | undefined>;
  readonly reach: Reach;
}

interface RepairParts extends RecheckParts {
  readonly route: (domain: Domain) => Promise<void>;
  readonly managedRecords: ManagedRecords;
}

/** What is logged of a live domain that is not as it should be. */
// Stryker disable next-line StringLiteral: the log and what reads it both have the text from here.
export const NEEDS_ATTENTION = 'A live domain needs attention.';

/** Reasons of a live domain whose domain name has to be created or changed, which takes a slot: only a flow can. */
export const REATTACHED: readonly string[] = ['domain_name_gone', 'domain_name_recertified'];

/**
 * Checks a live domain again. A domain that is not as it should be stays up: its report and the log say what is
 * wrong, and an alarm counts such domains.
 */
export function rechecker(parts: RecheckParts) {
  return async (before: Domain): Promise<Domain> => judge(await inspect(before, parts), parts);
}

/** Restores what is ours of a live domain and can be restored at once, then checks it. */
export function repairer(parts: RepairParts) {
  const { managedRecords } = parts;
  return async (before: Domain): Promise<Domain> => {
    await repairDrift(before, parts);
    const seen = await inspect(before, parts);
    return judge(await managedRecords.createAlias(await managedRecords.create(seen)), parts);
  };
}

/** Writes whether the domain needs attention, as it was seen now. */
async function judge(seen: Domain, parts: RecheckParts): Promise<Domain> {
  const trouble = await troubleOf(seen, parts);
  if (trouble) {
    const { domain, project } = seen;
    log.warn(NEEDS_ATTENTION, { domain, project, reason: trouble.reason });
  }
  const after = nextRevision(rechecked(seen, trouble, parts.clock.now()));
  return (await saveUnlessStale(parts.domains, after)) ? after : seen;
}

/** What is wrong, the gravest first: an HTTPS request is sent only when nothing else explains a failure. */
async function troubleOf(seen: Domain, parts: RecheckParts): Promise<Obstacle | undefined> {
  const known = certificateLoss(seen) ?? (await driftOf(seen, parts)) ?? recordTrouble(seen);
  if (known) return known;
  const blocked = await caaObstacle(seen, parts);
  if (blocked) return { ...blocked, message: cannotRenew(seen, blocked.message) };
  // A renewed certificate takes its time to reach API Gateway, which serves the earlier one until then.
  const isRenewed = seen.certificate.renewal !== null;
  const serial = isRenewed ? null : await parts.certificates.serialOf(seen.certificate.arn ?? '');
  return reachObstacle(seen.domain, await parts.reach(seen.domain, serial));
}

/** What of a live domain is no longer at AWS as the service has left it. */
async function driftOf(
  domain: Domain,
  { gateway, zone, apiStageOf }: RecheckParts,
): Promise<Obstacle | undefined> {
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
}

/** Restores what of a live domain is ours and needs no slot: its mapping, and the platform's record. */
async function repairDrift(domain: Domain, parts: RepairParts): Promise<void> {
  // The mapping is looked at before the record, so a second look is needed once it is restored.
  for (const reason of ['mapping_changed', 'host_record_changed']) {
    const drift = await driftOf(domain, parts);
    if (drift?.reason !== reason) continue;
    if (reason === 'mapping_changed') await parts.route(domain);
    else await parts.zone.pointAt(domain.target, domain.pointsAt);
  }
}

/** A record that is wrong, or a renewal that ACM says is stuck. */
function recordTrouble(seen: Domain): Obstacle | undefined {
  const { domain, certificate, records } = seen;
  const { renewal } = certificate;
  // An unreachable server says nothing about the record, and a record that is spreading is right.
  const wrong = records.find(
    ({ state, action }) => !['ok', 'unreachable', 'spreading'].includes(state) && action !== null,
  );
  const obstacle = wrong && recordObstacle(wrong);
  if (renewal === 'PENDING_VALIDATION' || renewal === 'FAILED') {
    const action = obstacle?.message ?? 'Check its records and its CAA records.';
    return { reason: 'renewal_action_required', message: cannotRenew(seen, action) };
  }
  if (!obstacle) return undefined;
  const what =
    wrong.purpose === 'certificate' ? 'its certificate cannot be renewed' : 'it no longer points here';
  return { ...obstacle, message: `${domain} is served, but ${what}. ${obstacle.message}` };
}

function cannotRenew({ domain }: Domain, action: string): string {
  return `The certificate of ${domain} cannot be renewed. ${action}`;
}
