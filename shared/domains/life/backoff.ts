const HALF_HOUR_SECONDS = 30 * 60;

/** DNS changes can take this long to be seen everywhere. */
export const DNS_DEADLINE_HOURS = 48;

/** A certificate that takes longer than this has a reason that can be told. */
export const CERTIFICATE_EXPLANATION_MINUTES = 30;

/** ACM gives up after this time. */
export const CERTIFICATE_DEADLINE_HOURS = 72;

/** From the certificate to a domain that points here; the record of an apex may be made only then. */
export const ATTACHMENT_DEADLINE_HOURS = 48;

/** After this time something else is wrong than that AWS is slow to let go of a certificate. */
export const REMOVAL_DEADLINE_HOURS = 7 * 24;

/** What API Gateway refuses may be a certificate that it does not know of yet. */
export const REFUSAL_WAIT_SECONDS = 60;

/** ACM allows 5,000 requests a year; one attempt must not use them up on a domain that it keeps refusing. */
export const MAX_CERTIFICATE_REQUESTS = 8;

/**
 * The wait before the next check: 15 s × 8, 60 s × 10, then 15 % more each time up to half an hour. That is about 131
 * rounds in 48 hours, of 9 history events each: a twentieth of what an execution may have.
 */
export function waitSeconds(round: number): number {
  if (round < 8) return 15;
  if (round < 18) return 60;
  return Math.min(Math.round(60 * 1.15 ** (round - 17)), HALF_HOUR_SECONDS);
}

/** The wait after another certificate was requested: from a minute, doubling. */
export function newRequestWaitSeconds(requests: number): number {
  return Math.min(60 * 2 ** requests, HALF_HOUR_SECONDS);
}

/** A certificate stays in use for minutes, at times for many hours: every 5 minutes for an hour, then half-hourly. */
export function inUseWaitSeconds(round: number): number {
  return round < 12 ? 300 : HALF_HOUR_SECONDS;
}
