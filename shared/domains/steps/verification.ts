import { type Certificates, isLost } from '../aws/certificates.ts';
import { isProven } from '../dns/required-record.ts';
import type { Domain } from '../life/domain.ts';
import { isInFlow } from '../life/domain-status.ts';
import { DomainChanged, type DomainStore, saveAnyway } from '../life/domain-store.ts';
import type { Holder } from '../life/lease.ts';
import {
  caaChecked,
  certificateReplaced,
  contested,
  dnsLeftOpen,
  NOT_PROVEN,
  phasePassed,
} from '../life/transitions.ts';
import {
  CERTIFICATE_DEADLINE_HOURS,
  DNS_DEADLINE_HOURS,
  MAX_CERTIFICATE_REQUESTS,
  newRequestWaitSeconds,
  waitSeconds,
} from '../life/waits.ts';
import { flowStep, type Progress, stepEndings } from './flow-step.ts';
import { type InspectionParts, inspect } from './inspection.ts';
import type { ManagedRecords } from './managed-records.ts';
import type { takeover } from './takeover.ts';
import {
  BEING_ISSUED,
  caaVerdict,
  certificateTrouble,
  domainTaken,
  ISSUED,
  proofToCreate,
  recordTrouble,
  verificationTrouble,
} from './troubles.ts';

interface VerificationParts extends InspectionParts {
  readonly domains: DomainStore;
  readonly certificates: Certificates;
  readonly managedRecords: ManagedRecords;
}

/** Done when every vantage point sees a record that proves the claim, and no other project owns the name. */
export function dnsCheck(
  parts: Omit<VerificationParts, 'certificates'> &
    InspectionParts & { readonly takeover: ReturnType<typeof takeover> },
) {
  const { domains, managedRecords, clock } = parts;
  const { retryAfter, fail, hoursInPhase } = stepEndings(clock);
  return flowStep(domains, 'dns', async (before, holder) => {
    const rival = await parts.takeover.rivalOf(before);
    // Only the TXT record proves a claim to a name that is another project's.
    const contest = rival && (before.contest ?? NOT_PROVEN);
    const claim = before.contest === contest ? before : contested(before, contest);
    const domain = await managedRecords.create(await inspect(claim, parts), holder);
    const contention = rival && (await parts.takeover.contend(before, domain, rival));
    // What the owner is told follows from this claim as it is left.
    const told = (progress: Progress): Progress =>
      rival ? { ...progress, commit: next => parts.takeover.commitContest(next, rival, holder) } : progress;
    if (contention?.kind === 'refused') {
      return told(fail(contested(domain, NOT_PROVEN), domainTaken(domain)));
    }
    if (contention ? contention.kind === 'won' : isProven(domain)) {
      // That of an earlier verification may be there already.
      const message = domain.certificate.status === 'ISSUED' ? ISSUED : BEING_ISSUED;
      const passed = phasePassed(domain, 'certificate', message, clock.now());
      // Both throw DomainTaken when another project was faster; the retry of the step finds that owner.
      const commit = async (next: Domain) => {
        if (rival) await parts.takeover.commitTakeover(next, rival, holder);
        else await holder.commit(domains.proof(next));
      };
      return { domain: passed, outcome: 'done', commit };
    }
    const pending = contention?.kind === 'pending' ? contention : undefined;
    const waiting = pending?.domain ?? domain;
    const trouble = pending?.message
      ? { reason: 'takeover_pending' as const, message: pending.message }
      : recordTrouble(proofToCreate(domain));
    const isContesting = waiting.contest !== undefined && waiting.contest.since !== null;
    if (hoursInPhase(domain) > DNS_DEADLINE_HOURS && !isContesting) {
      const late = `Not verified within ${DNS_DEADLINE_HOURS} hours. ${trouble.message} Then verify again.`;
      return told(fail(waiting, { ...trouble, message: late }));
    }
    return told(retryAfter(waitSeconds(domain.rounds), dnsLeftOpen(waiting), verificationTrouble(trouble)));
  });
}

/** Done when the certificate is issued. */
export function certificateCheck(parts: VerificationParts) {
  const { domains, certificates, managedRecords, clock } = parts;
  const { retryAfter, fail, hoursInPhase } = stepEndings(clock);

  /** Requests another certificate, a few times at most. */
  const requestAgain = async (domain: Domain, holder: Holder): Promise<Progress> => {
    const { requests } = domain.certificate;
    if (requests >= MAX_CERTIFICATE_REQUESTS) {
      const message = 'ACM keeps refusing the certificate. Verify again later.';
      return fail(domain, { reason: 'certificate_failed', message });
    }
    const arn = await certificates.ensure(domain);
    const replaced = await saveAnyway(domains, holder, domain, claim => certificateReplaced(claim, arn));
    if (replaced.attempt !== domain.attempt || !isInFlow(replaced))
      throw new DomainChanged(`${domain.domain} is no longer verified.`);
    const message = 'A new certificate was requested.';
    return retryAfter(newRequestWaitSeconds(requests), replaced, { reason: null, message });
  };

  return flowStep(domains, 'certificate', async (before, holder) => {
    // ACM may have named its validation records only after DNS was checked.
    const inspected = await managedRecords.create(await inspect(before, parts), holder);
    const { status, failure } = inspected.certificate;
    if (status === 'ISSUED') {
      const passed = phasePassed(inspected, 'attachment', ISSUED, clock.now());
      return { domain: passed, outcome: 'done' };
    }
    const verdict = await caaVerdict(inspected, parts);
    const domain = caaChecked(inspected, verdict.block);
    const trouble = certificateTrouble(domain, verdict, hoursInPhase(domain) * 60);
    const isLate = hoursInPhase(domain) > CERTIFICATE_DEADLINE_HOURS;
    // A request may be older than this verification, and so its 72 hours may end early in it.
    const canBeRequested = status === null || status === 'VALIDATION_TIMED_OUT' || failure === 'CAA_ERROR';
    if (isLost(domain.certificate) && trouble?.reason !== 'caa_blocked') {
      if (!canBeRequested) {
        const message = `The certificate wasn't issued (${failure ?? status}). Verify again to request a new one.`;
        return fail(domain, { reason: 'certificate_failed', message });
      }
      if (!isLate) return requestAgain(domain, holder);
    }
    if (isLate) {
      const late = `The certificate wasn't issued within ${CERTIFICATE_DEADLINE_HOURS} hours.`;
      const { reason, message } = trouble ?? { reason: 'certificate_timeout', message: '' };
      const isBlocked = message !== '' && reason !== 'certificate_delayed';
      const again = isBlocked ? `${message} Then verify again` : 'Verify again';
      return fail(domain, { reason, message: `${late} ${again} to request a new certificate.` });
    }
    const { reason, message } = trouble ?? { reason: null, message: BEING_ISSUED };
    return retryAfter(waitSeconds(domain.rounds), domain, { reason, message });
  });
}
