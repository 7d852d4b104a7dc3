import { isLost } from '../aws/certificates.ts';
import {
  CERTIFICATE_DEADLINE_HOURS,
  CERTIFICATE_EXPLANATION_MINUTES,
  DNS_DEADLINE_HOURS,
  MAX_CERTIFICATE_REQUESTS,
  newRequestWaitSeconds,
  waitSeconds,
} from '../life/backoff.ts';
import type { Domain } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';
import { flowStep, type Progress, progressAt } from './flow-step.ts';
import { caaObstacle, type InspectionParts, inspect, type Obstacle, recordObstacle } from './inspection.ts';
import type { ManagedRecords } from './managed-records.ts';

export interface VerificationParts extends InspectionParts {
  readonly store: DomainStore;
  readonly managedRecords: ManagedRecords;
}

const BEING_ISSUED =
  'The domain is verified. Its certificate is being issued, usually within a couple of minutes.';

/** The steps from verify to the certificate. */
export function verification(parts: VerificationParts) {
  const { store, certificates, managedRecords, now } = parts;
  const { pass, wait, fail, hoursIn, time } = progressAt(now);

  /** A certificate that CAA records kept from being issued is requested again once they do not. */
  const requestAgain = async (domain: Domain): Promise<Progress> => {
    const { requests } = domain.certificate;
    if (requests >= MAX_CERTIFICATE_REQUESTS) {
      return fail(domain, 'certificate_failed', 'ACM keeps refusing the certificate. Verify again later.');
    }
    const arn = await certificates.ensure(domain);
    const certificate = {
      ...domain.certificate,
      arn,
      status: null,
      failure: null,
      requests: requests + 1,
    };
    const message = 'A new certificate is requested.';
    return wait(domain, newRequestWaitSeconds(requests), { certificate, reason: null, message });
  };

  return {
    /** Done when DNS says, everywhere, that the domain is the claimant's. */
    checkDns: flowStep(store, 'dns', async before => {
      const domain = await managedRecords.make(await inspect(before, parts));
      const open = domain.records.find(record => isProof(record, domain) && record.state !== 'ok');
      if (!open) {
        const news = { status: 'issuing', message: BEING_ISSUED, verifiedAt: time() } as const;
        return pass(domain, 'certificate', news);
      }
      const { reason, message } = recordObstacle(open);
      if (hoursIn(domain) > DNS_DEADLINE_HOURS) {
        const late = `Not verified within ${DNS_DEADLINE_HOURS} hours. ${message} Then verify again.`;
        return fail(domain, reason, late);
      }
      return wait(domain, waitSeconds(domain.rounds), { status: 'verifying', reason, message });
    }),

    /** Done when the certificate is issued. What keeps it is said as soon as it is known. */
    checkCertificate: flowStep(store, 'certificate', async before => {
      // ACM may have named its records only after DNS was checked.
      const domain = await managedRecords.make(await inspect(before, parts));
      const { status, failure } = domain.certificate;
      if (status === 'ISSUED') return pass(domain, 'attachment', { message: 'The certificate is issued.' });
      const obstacle = await obstacleOf(domain, parts, hoursIn(domain) * 60);
      if (isLost(domain.certificate) && obstacle?.reason !== 'caa_blocked') {
        if (status === null || failure === 'CAA_ERROR') return requestAgain(domain);
        const why = failure ?? status;
        return fail(
          domain,
          'certificate_failed',
          `The certificate was not issued (${why}). Verify again to request a new one.`,
        );
      }
      if (hoursIn(domain) > CERTIFICATE_DEADLINE_HOURS) {
        const late = `The certificate was not issued within ${CERTIFICATE_DEADLINE_HOURS} hours.`;
        const { reason, message } = obstacle ?? { reason: 'certificate_timeout', message: '' };
        return fail(domain, reason, `${late} ${message} Verify again to request a new one.`);
      }
      const news = obstacle ?? { reason: null, message: BEING_ISSUED };
      return wait(domain, waitSeconds(domain.rounds), news);
    }),

    /** What went wrong in a step that could not be repaired by trying again. */
    recordFailure: flowStep(store, 'live', async domain => {
      if (domain.status === 'removing') {
        const message = 'No longer served, but not everything could be taken down. Remove it again to go on.';
        return { domain: { ...domain, reason: 'internal_error', message }, outcome: 'ended' };
      }
      if (domain.status === 'live') return { domain, outcome: 'ended' };
      const message = 'Something went wrong on our side. Verify again; if it happens again, tell us.';
      return fail(domain, 'internal_error', message);
    }),
  };
}

/** A CNAME to a host that nobody can guess proves the claim; an ALIAS hides that host, so an apex has a text for it. */
function isProof({ purpose }: Domain['records'][number], { kind }: Domain): boolean {
  return purpose === (kind === 'apex' ? 'ownership' : 'traffic');
}

/** Why a certificate keeps one waiting: the domain no longer verifies, a record of it, or a CAA record. */
async function obstacleOf(
  domain: Domain,
  parts: VerificationParts,
  waitedMinutes: number,
): Promise<Obstacle | undefined> {
  const blocked = await caaObstacle(domain, parts);
  if (blocked) return blocked;
  const open = domain.records.find(
    record => record.state !== 'ok' && (record.purpose === 'certificate' || isProof(record, domain)),
  );
  if (open) {
    const { reason, message } = recordObstacle(open);
    return { reason, message: `The certificate waits for a record. ${message}` };
  }
  if (waitedMinutes <= CERTIFICATE_EXPLANATION_MINUTES) return undefined;
  const message =
    'The certificate takes longer than usual, although all records are right. Verify again to trigger a new attempt.';
  return { reason: 'certificate_delayed', message };
}
