import { type Certificates, isLost } from '../aws/certificates.ts';
import type { Domain, Obstacle } from '../life/domain.ts';
import { type DomainStore, DomainTaken } from '../life/domain-store.ts';
import { certificateReplaced, dnsLeftOpen, phasePassed } from '../life/transitions.ts';
import {
  CERTIFICATE_DEADLINE_HOURS,
  CERTIFICATE_EXPLANATION_MINUTES,
  DNS_DEADLINE_HOURS,
  MAX_CERTIFICATE_REQUESTS,
  newRequestWaitSeconds,
  waitSeconds,
} from '../life/waits.ts';
import { flowStep, type Progress, stepEndings } from './flow-step.ts';
import { type InspectionParts, inspect } from './inspection.ts';
import type { ManagedRecords } from './managed-records.ts';
import { caaObstacle, recordObstacle, verificationObstacle } from './obstacles.ts';

interface VerificationParts extends InspectionParts {
  readonly domains: DomainStore;
  readonly certificates: Certificates;
  readonly managedRecords: ManagedRecords;
}

const BEING_ISSUED =
  'The domain is verified. Its certificate is being issued, usually within a couple of minutes.';

/** The steps of a verification up to the certificate. */
export function verification(parts: VerificationParts) {
  const { domains, certificates, managedRecords, clock } = parts;
  const { retryAfter, fail, hoursInPhase } = stepEndings(clock);

  /** Requests another certificate, a few times at most. */
  const requestAgain = async (domain: Domain): Promise<Progress> => {
    const { requests } = domain.certificate;
    if (requests >= MAX_CERTIFICATE_REQUESTS) {
      const message = 'ACM keeps refusing the certificate. Verify again later.';
      return fail(domain, { reason: 'certificate_failed', message });
    }
    const replaced = certificateReplaced(domain, await certificates.ensure(domain));
    const message = 'A new certificate is requested.';
    return retryAfter(newRequestWaitSeconds(requests), replaced, { reason: null, message });
  };

  return {
    /** Done when every vantage point sees the record that proves the claim. */
    checkDns: flowStep(domains, 'dns', async before => {
      const owner = await domains.ownerOf(before.domain);
      if (owner !== undefined && owner !== before.project) {
        const { message } = new DomainTaken(before.domain);
        return fail(before, { reason: 'domain_taken', message });
      }
      const domain = await managedRecords.create(await inspect(before, parts));
      const open = domain.records.find(record => isProof(record, domain) && record.state !== 'ok');
      if (!open) {
        return {
          domain: phasePassed(domain, 'certificate', BEING_ISSUED, clock.now()),
          outcome: 'done',
          // Throws DomainTaken when another project was faster; the retry of the step finds that owner.
          commit: domains.saveProven,
        };
      }
      const { reason, message } = recordObstacle(open);
      if (hoursInPhase(domain) > DNS_DEADLINE_HOURS) {
        const late = `Not verified within ${DNS_DEADLINE_HOURS} hours. ${message} Then verify again.`;
        return fail(domain, verificationObstacle({ reason, message: late }));
      }
      const obstacle = verificationObstacle({ reason, message });
      return retryAfter(waitSeconds(domain.rounds), dnsLeftOpen(domain), obstacle);
    }),

    /** Done when the certificate is issued. */
    checkCertificate: flowStep(domains, 'certificate', async before => {
      // ACM may have named its validation records only after DNS was checked.
      const domain = await managedRecords.create(await inspect(before, parts));
      const { status, failure } = domain.certificate;
      if (status === 'ISSUED') {
        const passed = phasePassed(domain, 'attachment', 'The certificate is issued.', clock.now());
        return { domain: passed, outcome: 'done' };
      }
      const obstacle = await certificateObstacle(domain, parts, hoursInPhase(domain) * 60);
      const isLate = hoursInPhase(domain) > CERTIFICATE_DEADLINE_HOURS;
      // A request may be older than this verification, and so its 72 hours may end early in it.
      const canBeRequested = status === null || status === 'VALIDATION_TIMED_OUT' || failure === 'CAA_ERROR';
      if (isLost(domain.certificate) && obstacle?.reason !== 'caa_blocked') {
        if (!canBeRequested) {
          const message = `The certificate was not issued (${failure ?? status}). Verify again to request a new one.`;
          return fail(domain, { reason: 'certificate_failed', message });
        }
        if (!isLate) return requestAgain(domain);
      }
      if (isLate) {
        const late = `The certificate was not issued within ${CERTIFICATE_DEADLINE_HOURS} hours.`;
        const { reason, message } = obstacle ?? { reason: 'certificate_timeout', message: '' };
        return fail(domain, { reason, message: `${late} ${message} Verify again to request a new one.` });
      }
      const { reason, message } = obstacle ?? { reason: null, message: BEING_ISSUED };
      return retryAfter(waitSeconds(domain.rounds), domain, { reason, message });
    }),
  };
}

/** A CNAME to a host that nobody can guess proves the claim. An ALIAS hides that host, so an apex has a TXT record. */
function isProof({ purpose }: Domain['records'][number], { kind }: Domain): boolean {
  return purpose === (kind === 'apex' ? 'ownership' : 'traffic');
}

/** Why the certificate is not issued: a CAA record, a record that is missing or wrong, or ACM takes its time. */
async function certificateObstacle(
  domain: Domain,
  parts: VerificationParts,
  waitedMinutes: number,
): Promise<Obstacle | undefined> {
  const isLate = waitedMinutes > CERTIFICATE_EXPLANATION_MINUTES;
  const blocked = await caaObstacle(domain, parts, { saysFailure: isLate });
  if (blocked) return blocked;
  const open = domain.records.find(
    record => record.state !== 'ok' && (record.purpose === 'certificate' || isProof(record, domain)),
  );
  if (open) {
    const { reason, message } = recordObstacle(open);
    return { reason, message: `The certificate waits for a record. ${message}` };
  }
  if (!isLate) return undefined;
  const message =
    'The certificate takes longer than usual, although all records are right. Verify again to trigger a new attempt.';
  return { reason: 'certificate_delayed', message };
}
