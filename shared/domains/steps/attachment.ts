import {
  type ApiStage,
  GatewayBusy,
  type GatewayDomain,
  type GatewayDomains,
  GatewayRefused,
} from '../aws/gateway-domains.ts';
import type { GatewaySlots } from '../aws/gateway-slots.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import { ATTACHMENT_DEADLINE_HOURS, REFUSAL_WAIT_SECONDS, waitSeconds } from '../life/backoff.ts';
import type { Domain, Obstacle } from '../life/domain.ts';
import { type DomainStore, Superseded } from '../life/domain-store.ts';
import { attached, dnsLeftOpen, wentLive } from '../life/transitions.ts';
import { flowStep, type Progress, stepEndings } from './flow-step.ts';
import { type InspectionParts, inspect } from './inspection.ts';
import { liveRouting } from './live-routing.ts';
import type { ManagedRecords } from './managed-records.ts';
import { certificateLoss, recordObstacle } from './obstacles.ts';
import { slotBooking } from './slot-booking.ts';

interface AttachmentParts extends InspectionParts {
  readonly domains: DomainStore;
  readonly gateway: GatewayDomains;
  readonly zone: PlatformZone;
  readonly slots: GatewaySlots;
  readonly managedRecords: ManagedRecords;
  /** The API and stage that a domain is mapped to. */
  readonly apiStageOf: (domain: Domain) => Promise<ApiStage | undefined>;
  readonly redirectSourcesOf: (domain: Domain) => Promise<string[]>;
  /** Writes a domain that went live and adds it to its project's routing, in one transaction. */
  readonly commitLive: (next: Domain) => Promise<void>;
}

const WAITING_FOR_SLOT = 'Waiting for a slot at API Gateway.';

/** The last step of a verification: the domain name and mapping at API Gateway, and the platform's host; then live. */
export function attachment(parts: AttachmentParts) {
  const { domains, gateway, zone, slots, managedRecords, now } = parts;
  const { retryAfter, fail, hoursInPhase } = stepEndings(now);
  const { waitForSlot, waitForAnotherSlot } = slotBooking(slots, now);
  const { route, routeSources } = liveRouting(parts);
  const routeAll = async (domain: Domain) => {
    await route(domain);
    await routeSources(domain);
  };

  /** The domain name with the domain's certificate, or the wait until API Gateway accepts it. */
  const domainName = async (domain: Domain): Promise<GatewayDomain | Progress> => {
    const arn = domain.certificate.arn ?? '';
    const present = await gateway.find(domain.domain);
    if (present?.certificateArn === arn) return present;
    const waiting = await waitForSlot(domain, WAITING_FOR_SLOT);
    if (waiting) return waiting;
    try {
      return await gateway.ensure(domain.domain, arn);
    } catch (error) {
      if (error instanceof GatewayBusy) return waitForAnotherSlot(domain, WAITING_FOR_SLOT);
      if (!(error instanceof GatewayRefused)) throw error;
      const reason = 'attachment_refused';
      const message = `API Gateway rejects the domain name: ${error.message}`;
      if (hoursInPhase(domain) > ATTACHMENT_DEADLINE_HOURS) {
        return fail(domain, { reason, message: `${message} Verify again once that is solved.` });
      }
      return retryAfter(REFUSAL_WAIT_SECONDS, domain, { reason, message });
    }
  };

  /** Undoes the mapping when a removal began in the meantime, and ends the step when any other attempt did. */
  const rejectSuperseded = async ({ domain, project, attempt }: Domain) => {
    const current = await domains.find(domain, project);
    if (current?.attempt === attempt) return;
    const owner = await domains.ownerOf(domain);
    const isOthers = owner !== undefined && owner !== project;
    if (!isOthers && (!current || current.status === 'removing')) await gateway.unmap(domain);
    throw new Superseded(`${domain} was superseded while it was attached.`);
  };

  /**
   * A domain that failed is not served. The failure is committed before the mapping is deleted: the commit is rejected
   * if another delivery of this step has taken the domain live, which must keep its mapping.
   */
  const failAndUnmap = (domain: Domain, obstacle: Obstacle): Progress => ({
    ...fail(domain, obstacle),
    async commit(next) {
      await domains.save(next);
      await gateway.unmap(next.domain);
    },
  });

  const attach = async (before: Domain): Promise<Progress> => {
    const apiStage = await parts.apiStageOf(before);
    if (!apiStage) {
      const message = `There is no project ${before.project} any more.`;
      return fail(before, { reason: 'project_gone', message });
    }
    const served = await domainName(before);
    if ('outcome' in served) return served;

    // An existing mapping stays until the domain is live: this delivery may be late, and the domain may redirect by now.
    await gateway.mapFirst(before.domain, apiStage);
    await rejectSuperseded(before);
    await zone.pointAt(before.target, served.host);
    const domain = await managedRecords.createAlias(await inspect(attached(before, served), parts));

    const loss = certificateLoss(domain);
    if (loss) return failAndUnmap(domain, loss);
    const open = domain.records.find(({ purpose, state }) => purpose === 'traffic' && state !== 'ok');
    if (!open) {
      return {
        domain: wentLive(domain, now()),
        outcome: 'done',
        async commit(next) {
          await parts.commitLive(next);
          await routeAll(next);
        },
      };
    }
    const { reason, message } = recordObstacle(open);
    if (hoursInPhase(domain) > ATTACHMENT_DEADLINE_HOURS) {
      const late = `The domain does not point here after ${ATTACHMENT_DEADLINE_HOURS} hours.`;
      return failAndUnmap(domain, { reason, message: `${late} ${message} Then verify again.` });
    }
    return retryAfter(waitSeconds(domain.rounds), dnsLeftOpen(domain), { reason, message });
  };

  return { attach: flowStep(domains, 'attachment', attach, routeAll) };
}
