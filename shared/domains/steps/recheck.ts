import { log } from '../../log.ts';
import { ownCertificate } from '../aws/certificates.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import { ApiUnknown, type Front, isSameRoute } from '../front.ts';
import { type Domain, nextRevision, type Trouble } from '../life/domain.ts';
import { factsOfReason, hasVisitors } from '../life/domain-reason.ts';
import { isServed } from '../life/domain-status.ts';
import type { DomainStore } from '../life/domain-store.ts';
import { type Holder, PATIENCE_MS } from '../life/lease.ts';
import {
  arrivalUnconfirmed,
  caaChecked,
  rechecked,
  trafficArrived,
  verificationStarted,
} from '../life/transitions.ts';
import type { Reach, Reached } from '../reach.ts';
import { type InspectionParts, inspect } from './inspection.ts';
import type { LiveRouting } from './live-routing.ts';
import type { ManagedRecords } from './managed-records.ts';
import {
  apiGone,
  caaVerdict,
  certificateLoss,
  foreignDomainName,
  isWrong,
  liveTroubles,
  reachTrouble,
} from './troubles.ts';

interface DriftParts extends Pick<LiveRouting, 'apiStageOf'> {
  readonly front: Front;
  readonly zone: PlatformZone;
}

interface RecheckParts extends InspectionParts, DriftParts, Pick<LiveRouting, 'saveChecked'> {
  readonly domains: DomainStore;
  readonly reach: Reach;
}

export interface DriftRepairParts extends DriftParts, Pick<LiveRouting, 'map'> {
  readonly domains: DomainStore;
}

interface RepairParts extends RecheckParts, DriftRepairParts {
  readonly managedRecords: ManagedRecords;
}

/** What is logged of a live domain that is not as it should be. */
// Stryker disable next-line StringLiteral: the log and what reads it both have the text from here.
export const NEEDS_ATTENTION = 'A live domain needs attention.';

/** Reasons of an attached domain whose domain name has to be created or changed, which takes a slot: only a flow can. */
export const REATTACHED: readonly string[] = ['domain_name_gone', 'domain_name_recertified'];

/**
 * Checks a live domain again. A domain that is not as it should be stays up: its report and the log say what is
 * wrong, and an alarm counts such domains.
 */
export function rechecker(parts: RecheckParts) {
  return (before: Domain): Promise<Domain> =>
    whileServed(before, parts, async (domain, holder) =>
      reattached(await judge(await inspect(domain, parts), holder, parts), holder, parts),
    );
}

/** Restores what is ours of a live domain and can be restored at once, then checks it. */
export function repairer(parts: RepairParts) {
  const { managedRecords } = parts;
  return (before: Domain): Promise<Domain> =>
    whileServed(before, parts, async (served, holder) => {
      const { domain, drift } = await repairDrift(served, holder, parts);
      const seen = await managedRecords.create(await inspect(domain, parts), holder);
      return judge(await managedRecords.createAlias(seen, holder), holder, parts, async () => drift);
    });
}

/**
 * Looks whether visitors of a live domain arrive here. Only if its project has it otherwise, what is ours of the domain is
 * restored, and it is checked.
 */
export function arrivalCheck(parts: RecheckParts & DriftRepairParts) {
  return async (before: Domain, isAway: boolean): Promise<Domain> => {
    const { edge, visitors } = await parts.reach(before.domain, ownCertificate(before), before.pointsAt);
    if (isAway !== (visitors.kind === 'reached')) return before;
    // Nothing is wrong, and our edge is there.
    if (visitors.kind === 'unconfirmed' && edge.kind === 'reached') return before;
    return whileServed(before, parts, async (served, holder) => {
      const { domain, drift } = await repairDrift(served, holder, parts);
      // Where not even our edge can be reached, the way out of here is blocked, which says nothing about visitors.
      const isUnknown = edge.kind === 'unreachable' || showsNothing(domain, visitors);
      if (!isAway && !drift && isUnknown) return domain;
      const judged = await judge(await inspect(domain, parts), holder, parts, async () => drift);
      return reattached(judged, holder, parts);
    });
  };
}

/** Works on a domain that is still live, unless somebody else is at work on it. */
async function whileServed(
  before: Domain,
  { domains }: Pick<RecheckParts, 'domains'>,
  work: (domain: Domain, holder: Holder) => Promise<Domain>,
): Promise<Domain> {
  const look = async (holder: Holder) => {
    const domain = await domains.find(before.domain, before.project);
    return domain && isServed(domain) ? work(domain, holder) : (domain ?? before);
  };
  const after = await domains.holding(before.domain, look, PATIENCE_MS);
  return after ?? before;
}

/** Writes whether the domain needs attention, as it was seen now. */
async function judge(
  inspected: Domain,
  holder: Holder,
  parts: RecheckParts,
  findDrift = driftOf,
): Promise<Domain> {
  const known = certificateLoss(inspected) ?? (await findDrift(inspected, parts));
  const { seen, unserved } = await withTraffic(inspected, parts);
  const trouble = known ?? unserved;
  if (trouble) {
    const { domain, project } = seen;
    log.warn(NEEDS_ATTENTION, { domain, project, reason: trouble.reason });
  }
  const after = nextRevision(rechecked(seen, trouble, parts.clock.now()));
  return (await parts.saveChecked(after, holder)) ? after : inspected;
}

/** Verifies a live domain again whose domain name has to be created or changed. The reconcile starts the flow. */
async function reattached(
  checked: Domain,
  holder: Holder,
  { saveChecked, clock }: RecheckParts,
): Promise<Domain> {
  if (!isServed(checked) || !REATTACHED.includes(checked.reason ?? '')) return checked;
  const next = nextRevision(verificationStarted(checked, 'kept', clock.now()));
  return (await saveChecked(next, holder)) ? next : checked;
}

/**
 * The domain with what HTTPS requests and its CAA records show, and what is wrong by that. Requests to all its addresses that
 * meet our certificate show that traffic arrives, whatever the addresses in DNS: those only explain a request that fails.
 */
async function withTraffic(
  domain: Domain,
  parts: RecheckParts,
): Promise<{ readonly seen: Domain; readonly unserved: Trouble | undefined }> {
  const { domain: name, pointsAt, reason, message } = domain;
  const { visitors } = await parts.reach(name, ownCertificate(domain), pointsAt, publishedBy(domain));
  const caa = await caaVerdict(domain, parts);
  // A look-up that fails shows nothing of the records that an earlier one has seen.
  const block = caa.kind === 'unknown' ? domain.caa : caa.block;
  // Where there is no record at all, the request has followed one that resolvers have cached.
  const isOutranked = (record: Domain['records'][number]) => isWrong(record) && record.state !== 'missing';
  const isUnknown = showsNothing(domain, visitors);
  const hadVisitors = hasVisitors(domain) || isOfOurs(reason);
  const arrived = isUnknown ? hadVisitors && domain : visitors.kind === 'reached' && visitors;
  const open = visitors.kind === 'unconfirmed' ? reachTrouble(domain, visitors)?.message : undefined;
  const judged = arrivalUnconfirmed(domain, open);
  const seen = caaChecked(arrived ? trafficArrived(judged, arrived, isOutranked) : judged, block);
  if (isUnknown && !arrived && reason !== null) return { seen, unserved: { reason, message } };
  return { seen, unserved: liveTroubles(seen, isUnknown ? undefined : visitors)[0] };
}

/**
 * Whether requests say no more of visitors than the last check: an address can't be judged from here, or our edge has no proof
 * to give for the proxy of the domain.
 */
function showsNothing({ isProxied }: Domain, visitors: Reached): boolean {
  return visitors.kind === 'unconfirmed' || (isProxied === true && visitors.kind === 'unknown');
}

/** Whether a reason is about what is ours, which is looked at anew, and not about visitors. */
function isOfOurs(reason: Domain['reason']): boolean {
  return reason !== null && ['front', 'project', 'issuance'].includes(factsOfReason(reason).about);
}

/** What the name servers have in place of the traffic record: resolvers may have cached what was there before. */
export function publishedBy({ records }: Domain): string[] {
  const wrong = records.filter(record => record.purpose === 'traffic' && isWrong(record));
  return wrong.flatMap(({ observed }) => observed.filter(value => !value.includes(' ')));
}

/** What of an attached domain is no longer at AWS as the service has left it. */
async function driftOf(
  domain: Domain,
  { front, zone, apiStageOf }: DriftParts,
): Promise<Trouble | undefined> {
  const { domain: name, target, pointsAt, certificate } = domain;
  const present = await front.find(domain);
  if (!present) {
    const message = `${name} is gone from API Gateway. It's being attached again.`;
    return { reason: 'domain_name_gone', message };
  }
  if (!present.isOurs) return { reason: 'domain_name_foreign', message: foreignDomainName(name) };
  if (present.certificateArn !== certificate.arn) {
    const message = `${name} has the wrong certificate at API Gateway. It's being replaced.`;
    return { reason: 'domain_name_recertified', message };
  }
  const [required, mapping] = [await apiStageOf(domain), await front.routeOf(domain)];
  if (required && !isSameRoute(mapping, required)) {
    const what = mapping
      ? `is mapped to another API or stage (${mapping.apiId}/${mapping.stage})`
      : 'is no longer mapped to its API';
    return { reason: 'mapping_changed', message: `${name} ${what}. Verify it again to fix that.` };
  }
  if ((await zone.targetOf(target)) !== pointsAt) {
    const message = `The platform's record ${target} was changed or deleted. Verify ${name} again to restore it.`;
    return { reason: 'host_record_changed', message };
  }
  return undefined;
}

/**
 * Restores what of an attached domain is ours and needs no slot: its mapping, and the platform's record. Returns the domain as
 * it is then, and what is still not as it should be.
 */
export async function repairDrift(
  before: Domain,
  holder: Holder,
  parts: DriftRepairParts,
): Promise<{ readonly domain: Domain; readonly drift: Trouble | undefined }> {
  let domain = before;
  let drift = await driftOf(domain, parts);
  // The mapping is looked at before the record, so a second look is needed once it is restored.
  for (const reason of ['mapping_changed', 'host_record_changed']) {
    if (drift?.reason !== reason) continue;
    if (reason === 'host_record_changed') {
      holder.requireTime();
      await parts.zone.pointAt(domain.target, domain.pointsAt);
    } else {
      try {
        domain = (await parts.map(domain, holder, { isLost: true })) ?? domain;
      } catch (error) {
        if (!(error instanceof ApiUnknown)) throw error;
        domain = (await parts.domains.present(domain)) ?? domain;
        return { domain, drift: apiGone(domain.project) };
      }
    }
    drift = await driftOf(domain, parts);
  }
  return { domain, drift };
}
