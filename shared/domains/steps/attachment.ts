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
import type { Domain } from '../life/domain.ts';
import { type DomainStore, Superseded } from '../life/domain-store.ts';
import { flowStep, type Progress, progressAt } from './flow-step.ts';
import {
  type InspectionParts,
  inspect,
  liveMessage,
  lossOfCertificate,
  recordObstacle,
} from './inspection.ts';
import { liveRouting } from './live-routing.ts';
import type { ManagedRecords } from './managed-records.ts';
import { slotBooking } from './slot-booking.ts';

export interface AttachmentParts extends InspectionParts {
  readonly store: DomainStore;
  readonly gateway: GatewayDomains;
  readonly zone: PlatformZone;
  readonly slots: GatewaySlots;
  readonly managedRecords: ManagedRecords;
  /** Where the project of a domain is published. */
  readonly apiStageOf: (domain: Domain) => Promise<ApiStage | undefined>;
  /** Writes a domain that is live, and that its project has it. */
  readonly goLive: (next: Domain) => Promise<void>;
}

const WAITING_FOR_SLOT = { message: 'Waiting for its turn at API Gateway.' };

/** The last step of a verification: domain name, mapping, and the platform's host leading to them; then it is live. */
export function attachment(parts: AttachmentParts) {
  const { store, gateway, zone, slots, managedRecords, now } = parts;
  const { pass, wait, fail, hoursIn, time } = progressAt(now);

  const { waitForSlot, waitForAnotherSlot } = slotBooking(slots, now);

  /** The domain name with the certificate of the domain, or what to do until it can be had. */
  const domainName = async (domain: Domain): Promise<GatewayDomain | Progress> => {
    const arn = domain.certificate.arn ?? '';
    const present = await gateway.find(domain.domain);
    if (present?.certificateArn === arn) return present;
    const early = await waitForSlot(domain, WAITING_FOR_SLOT);
    if (early) return early;
    try {
      return await gateway.ensure(domain.domain, arn);
    } catch (error) {
      if (error instanceof GatewayBusy) return waitForAnotherSlot(domain, WAITING_FOR_SLOT);
      if (!(error instanceof GatewayRefused)) throw error;
      const [reason, message] = ['attachment_refused', `API Gateway does not take it: ${error.message}`];
      if (hoursIn(domain) > ATTACHMENT_DEADLINE_HOURS) {
        return fail(domain, reason, `${message} Verify again once that is settled.`);
      }
      return wait(domain, REFUSAL_WAIT_SECONDS, { slotAt: null, reason, message });
    }
  };

  const route = liveRouting({ ...parts, domains: store });

  /** A removal may have come between: then what was just mapped is taken back. */
  const refuseOvertaken = async ({ domain, attempt }: Domain) => {
    const current = await store.find(domain);
    if (current?.attempt === attempt) return;
    if (!current || current.status === 'removing') await gateway.unmap(domain);
    throw new Superseded(`${domain} was overtaken while it was attached.`);
  };

  /** What failed is not served. That is noted first: this may come a second time, and the first has found it live. */
  const giveUp = (domain: Domain, reason: string, message: string): Progress => ({
    ...fail(domain, reason, message),
    async write(next) {
      await store.save(next);
      await gateway.unmap(next.domain);
    },
  });

  const attach = async (before: Domain): Promise<Progress> => {
    const apiStage = await parts.apiStageOf(before);
    if (!apiStage) return fail(before, 'project_gone', `There is no project ${before.project} any more.`);
    const served = await domainName(before);
    if ('outcome' in served) return served;
    const { host, hostedZoneId } = served;

    // Whatever it is mapped to stays until it is live: this may come late, and it may redirect by then.
    await gateway.mapFirst(before.domain, apiStage);
    await refuseOvertaken(before);
    await zone.pointAt(before.target, host);
    const attached = { ...before, gateway: { host, hostedZoneId }, pointsAt: host, slotAt: null };
    const domain = await managedRecords.makeAlias(await inspect(attached, parts));

    const loss = lossOfCertificate(domain);
    if (loss) return giveUp(domain, loss.reason, loss.message);
    const open = domain.records.find(({ purpose, state }) => purpose === 'traffic' && state !== 'ok');
    if (!open) {
      const live = { status: 'live', message: liveMessage(domain.domain), liveAt: time() } as const;
      const write = async (next: Domain) => {
        await parts.goLive(next);
        await route(next.domain);
      };
      return { ...pass(domain, 'live', live), write };
    }
    const { reason, message } = recordObstacle(open);
    if (hoursIn(domain) > ATTACHMENT_DEADLINE_HOURS) {
      const late = `The domain does not point here after ${ATTACHMENT_DEADLINE_HOURS} hours.`;
      return giveUp(domain, reason, `${late} ${message} Then verify again.`);
    }
    return wait(domain, waitSeconds(domain.rounds), { status: 'verifying', reason, message });
  };

  return { attach: flowStep(store, 'attachment', attach, ({ domain }) => route(domain)) };
}
