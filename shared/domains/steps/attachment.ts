import { ownCertificate } from '../aws/certificates.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import { trafficHost } from '../dns/dns-provider.ts';
import {
  ApiUnknown,
  AttachedByOthers,
  type AttachedDomain,
  type Front,
  FrontBusy,
  FrontRefused,
} from '../front.ts';
import type { Domain, Trouble } from '../life/domain.ts';
import { isInFlow } from '../life/domain-status.ts';
import { DomainChanged, type DomainStore } from '../life/domain-store.ts';
import type { Holder } from '../life/lease.ts';
import { attached, becameReady, dnsLeftOpen, trafficArrived, wentLive } from '../life/transitions.ts';
import { ATTACHMENT_DEADLINE_HOURS, READY_AFTER_ROUNDS, switchEndsAt, waitSeconds } from '../life/waits.ts';
import type { Reach } from '../reach.ts';
import { flowStep, type Progress, slotBooking, stepEndings } from './flow-step.ts';
import { type InspectionParts, inspect } from './inspection.ts';
import type { LiveRouting } from './live-routing.ts';
import type { ManagedRecords } from './managed-records.ts';
import {
  apiGone,
  attachmentRefused,
  beingReleased,
  certificateLoss,
  edgeTrouble,
  foreignDomainName,
  ofSome,
  publishedBy,
  reachTrouble,
  recordTrouble,
  verificationTrouble,
  withProxyAdvice,
} from './troubles.ts';

interface AttachmentParts extends InspectionParts, LiveRouting {
  readonly domains: DomainStore;
  readonly front: Front;
  readonly zone: PlatformZone;
  readonly managedRecords: ManagedRecords;
  readonly reach: Reach;
  /** One pass over a domain, as its worker. */
  readonly tendAsWorker: (
    domain: Domain,
    holder: Holder,
  ) => Promise<{ readonly claim: Domain | undefined; readonly seconds?: number | undefined } | undefined>;
}

const WAITING_FOR_SLOT = 'Waiting for its turn at API Gateway.';
const GATEWAY_BUSY = {
  reason: 'gateway_busy',
  message: `API Gateway has been too busy to create the domain name for ${ATTACHMENT_DEADLINE_HOURS} hours. Verify again.`,
} as const;

/** The last step of a verification: the domain name and mapping at API Gateway, and the platform's host; then live. */
export function attachment(parts: AttachmentParts) {
  const { domains, front, zone, managedRecords, clock } = parts;
  const { retryAfter, fail, hoursInPhase } = stepEndings(clock);
  const { waitForSlot, waitForAnotherSlot } = slotBooking(front, clock);

  /** Repeats the step with the backoff; fails when the trouble is still there at the deadline. */
  const retryUntilDeadline = (domain: Domain, trouble: Trouble, isKnown = true): Progress =>
    hoursInPhase(domain) > ATTACHMENT_DEADLINE_HOURS
      ? fail(domain, { ...trouble, message: `${trouble.message} Verify again once that's solved.` })
      : retryAfter(waitSeconds(domain.rounds), domain, isKnown ? trouble : {});

  /** Waits until the others who have the domain name at API Gateway have given it up. */
  const waitForOwner = async (domain: Domain): Promise<Progress> => {
    if (!(await front.isForeign(domain.domain))) {
      return retryUntilDeadline(domain, beingReleased(domain));
    }
    const message = foreignDomainName(domain.domain);
    return retryUntilDeadline(domain, { reason: 'domain_name_foreign', message });
  };

  /** The domain name with the domain's certificate, or the wait until API Gateway accepts it. */
  const domainName = async (domain: Domain): Promise<AttachedDomain | Progress> => {
    const arn = domain.certificate.arn ?? '';
    const present = await front.find(domain);
    if (present && !present.isOurs) return waitForOwner(domain);
    if (present?.certificateArn === arn) return present;
    try {
      if (!present) await front.requireRoom(domain.domain);
      const waiting = await waitForSlot(domain, WAITING_FOR_SLOT);
      return waiting ?? (await front.attach(domain, arn));
    } catch (error) {
      if (error instanceof FrontBusy) {
        return hoursInPhase(domain) > ATTACHMENT_DEADLINE_HOURS
          ? fail(domain, GATEWAY_BUSY)
          : waitForAnotherSlot(domain, WAITING_FOR_SLOT);
      }
      if (error instanceof AttachedByOthers) return waitForOwner(domain);
      if (!(error instanceof FrontRefused)) throw error;
      return retryUntilDeadline(domain, attachmentRefused(domain.domain, error));
    }
  };

  /** The domain with a mapping. One that it has stays until the domain is live. */
  const mapped = async (domain: Domain, holder: Holder): Promise<Domain> => {
    if (await front.routeOf(domain)) return domain;
    const present = await parts.map(domain, holder, { isFirst: true });
    if (present?.attempt === domain.attempt && isInFlow(present)) return present;
    throw new DomainChanged(`${domain.domain} was changed while it was mapped.`);
  };

  /** Maps a domain that has gone live, and those whose mapping changed with it. */
  const mapLive = async (domain: Domain, holder: Holder) => {
    await parts.map(domain, holder);
    await parts.remap(domain.project);
  };

  const attach = async (found: Domain, holder: Holder): Promise<Progress> => {
    const apiStage = await parts.apiStageOf(found);
    if (!apiStage) {
      const message = `Project ${found.project} no longer exists.`;
      return fail(found, { reason: 'project_gone', message });
    }
    const unmet = await parts.unmetRequirementOf(found);
    if (unmet) return retryUntilDeadline(found, unmet);
    const served = await domainName(found);
    if ('outcome' in served) return served;

    let before: Domain;
    try {
      before = await mapped(found, holder);
    } catch (error) {
      if (!(error instanceof ApiUnknown)) throw error;
      return retryUntilDeadline((await domains.present(found)) ?? found, apiGone(found.project));
    }
    await zone.pointAt(before.target, served.host);
    const checked = await managedRecords.createAlias(
      await inspect(attached(before, served, clock.now()), parts),
      holder,
    );

    const loss = certificateLoss(checked);
    if (loss) return fail(checked, loss);
    const { edge, visitors } = await parts.reach(
      checked.domain,
      ownCertificate(checked),
      served.host,
      publishedBy(checked),
    );
    const domain = withProxyAdvice(checked, visitors);
    const isProvenByText = domain.records.some(
      ({ purpose, state }) => purpose === 'ownership' && state === 'ok',
    );
    const open = domain.records.find(({ purpose, state }) => purpose === 'traffic' && state !== 'ok');
    const unreached = reachTrouble(domain, visitors);
    if (unreached && visitors.kind === 'unknown') return retryUntilDeadline(domain, unreached, false);
    const isProxied = visitors.kind === 'reached' && visitors.isProxied;
    const live = (): Progress => ({
      domain: wentLive(trafficArrived(domain, { isProxied }), clock.now()),
      outcome: 'done',
      commit: next => parts.commitLive(next, holder),
    });
    if (!open) return unreached ? retryUntilDeadline(domain, unreached) : live();
    // A request that meets our certificate decides, since an ALIAS may show any addresses of a pool. But if the CNAME record
    // was the only proof and is gone, the request followed a cached answer.
    if (!unreached && (isProvenByText || open.state === 'spreading')) return live();
    if (isProvenByText && (domain.switchLater || domain.rounds >= READY_AFTER_ROUNDS)) {
      const closed = edgeTrouble(domain, edge);
      if (closed) return retryUntilDeadline(domain, closed);
      const toSwitch = {
        endsAt: switchEndsAt(clock.now(), clock),
        host: trafficHost(domain) ?? domain.target,
      };
      const ready = becameReady(domain, toSwitch, clock.now());
      return { domain: ready, outcome: 'done' };
    }
    // DNS alone can't call an address wrong that requests don't.
    const isUnconfirmed = visitors.kind === 'unconfirmed' && open.state !== 'missing';
    if (unreached && isUnconfirmed) return retryUntilDeadline(domain, unreached);
    const { reason, message } = ofSome(domain, visitors, recordTrouble(open));
    if (hoursInPhase(domain) > ATTACHMENT_DEADLINE_HOURS) {
      const late = `The domain still doesn't point here after ${ATTACHMENT_DEADLINE_HOURS} hours.`;
      return fail(domain, { reason, message: `${late} ${message} Then verify again.` });
    }
    const trouble = verificationTrouble({ reason, message });
    return retryAfter(waitSeconds(domain.rounds), dnsLeftOpen(domain), trouble);
  };

  return {
    attach: flowStep(domains, 'attachment', attach, {
      // It has to be attached again. Only a slot is waited for here: the sweep comes for anything else.
      woken: async (domain, holder) => {
        const tended = await parts.tendAsWorker(domain, holder);
        return tended?.claim?.slotAt ? tended.seconds : undefined;
      },
      passed: mapLive,
      // A domain that failed is not served.
      failed: async (domain, holder) => {
        await parts.map(domain, holder);
      },
    }),
  };
}
