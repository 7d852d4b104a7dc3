import { isLost } from '../aws/certificates.ts';
import { readableTime } from '../clock.ts';
import { caaLookup, checkCaa } from '../dns/caa.ts';
import type { CheckedRecord } from '../dns/check-record.ts';
import type { Domain, Obstacle } from '../life/domain.ts';
import { READY_DAYS } from '../life/waits.ts';
import type { Reached } from '../reach.ts';
import type { InspectionParts } from './inspection.ts';

const SPREADING =
  'The records are right at the DNS provider and are spreading. Nothing is needed from you; this can take up to 48 hours.';

/** The obstacle for a record that is not as required. */
export function recordObstacle({ purpose, state, action }: CheckedRecord): Obstacle {
  return state === 'spreading' || action === null
    ? { reason: `${purpose}_record_spreading`, message: SPREADING }
    : { reason: `${purpose}_record_${state as Exclude<typeof state, 'ok'>}`, message: action };
}

/** The obstacle to a verification. A conflicting or wrong record makes it fail, and the message says so. */
export function verificationObstacle({ reason, message }: Obstacle): Obstacle {
  const isFailing = reason.endsWith('_record_conflict') || reason.endsWith('_record_mismatch');
  return { reason, message: isFailing ? `Verification fails: ${message}` : message };
}

/** The loss of a certificate that had been issued; undefined when it is not lost. */
export function certificateLoss({ domain, certificate }: Domain): Obstacle | undefined {
  if (!isLost(certificate)) return undefined;
  const what = certificate.status ?? 'gone';
  const message = `The certificate of ${domain} is ${what}. Verify again to request a new one.`;
  return { reason: 'certificate_lost', message };
}

/** The message about a name that others have at API Gateway. */
export function foreignDomainName(domain: string): string {
  return (
    `${domain} exists at API Gateway and is not ours: another environment or team of the account has created it. ` +
    'It has to be deleted there first.'
  );
}

/** The wait of a claim for a name whose owner has no record in DNS any more. `until`: when it goes over to this project. */
export function takeoverPending({ domain }: Pick<Domain, 'domain'>, until: string): Obstacle {
  const message =
    `Another project owns ${domain}, but its DNS records are gone. If they stay gone, the domain becomes yours on ` +
    `${readableTime(until)}. Keep the TXT record until then.`;
  return { reason: 'takeover_pending', message };
}

/** The last notice to the owner of a name that another project has proven. */
export function takeoverAnnounced({ domain }: Pick<Domain, 'domain'>, until: string): Obstacle {
  const message =
    `The DNS records of ${domain} are gone, and another project has proven that the domain is theirs. To keep it, ` +
    `restore the records before ${readableTime(until)}.`;
  return { reason: 'takeover_announced', message };
}

/** The end of a domain that was ready and whose traffic never came. */
export function notSwitched({ domain, target }: Pick<Domain, 'domain' | 'target'>): Obstacle {
  const message =
    `${domain} was ready for ${READY_DAYS} days, but its traffic was never switched. Verify it again, then point it at ` +
    `${target}.`;
  return { reason: 'not_switched', message };
}

/** The wait for the domain name that the former owner of a name still has at API Gateway. */
export function beingReleased({ domain }: Pick<Domain, 'domain'>): Obstacle {
  const message =
    `${domain} now belongs to this project, and is being taken down where it was served before. It goes live here once ` +
    'that is done, usually within minutes.';
  return { reason: 'domain_name_being_released', message };
}

/** A project that is published at nothing. */
export function apiGone(project: string): Obstacle {
  const message =
    `The API or stage of project ${project} doesn't exist at API Gateway. Deploy it there again, or move the domain to ` +
    'another project.';
  return { reason: 'api_gone', message };
}

/** The obstacle for a domain that an HTTPS request did not reach; undefined when it was reached. */
export function reachObstacle(domain: string, reached: Reached): Obstacle | undefined {
  switch (reached.kind) {
    case 'reached':
      return undefined;
    case 'unreachable':
      return {
        reason: 'https_unreachable',
        message: `https://${domain} does not respond: ${reached.why} A new domain name takes some minutes to spread.`,
      };
    case 'certificate_wrong':
      return {
        reason: 'https_certificate_wrong',
        message: `https://${domain} does not serve its own certificate: ${reached.why} Something else may respond for the name, such as a proxy.`,
      };
    case 'answer_foreign':
      return {
        reason: 'https_answer_foreign',
        message: `https://${domain} does not lead to the API: ${reached.why}`,
      };
  }
}

/**
 * The CAA record that forbids Amazon to issue the certificate, if there is one. `saysFailure`: failing look-ups are an
 * obstacle, too, because no certificate is issued while they fail.
 */
export async function caaObstacle(
  { domain }: Domain,
  parts: Pick<InspectionParts, 'vantagePoints'>,
  { saysFailure = false } = {},
): Promise<Obstacle | undefined> {
  const verdict = await checkCaa(domain, caaLookup(await parts.vantagePoints(domain)));
  if (verdict.kind === 'unknown' && saysFailure) {
    const message =
      `The CAA records at ${verdict.at} cannot be looked up, and Amazon issues no certificate until they can. ` +
      'Ask the DNS provider why its servers fail for the type CAA.';
    return { reason: 'caa_unreachable', message };
  }
  if (verdict.kind !== 'blocked') return undefined;
  const { at, record, solution } = verdict;
  return {
    reason: 'caa_blocked',
    message: `The CAA record at ${at} (${record}) forbids Amazon to issue the certificate. ${solution}`,
  };
}
