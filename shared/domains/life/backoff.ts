const HALF_HOUR_SECONDS = 30 * 60;

/** DNS changes can take this long to be seen everywhere. */
export const DNS_DEADLINE_HOURS = 48;

/** A certificate that takes longer than this gets an explanation. */
export const CERTIFICATE_EXPLANATION_MINUTES = 30;

/** ACM gives up validating after this time. */
export const CERTIFICATE_DEADLINE_HOURS = 72;

/** From the certificate to a domain that points here: the alias of an apex may be created only in this phase. */
export const ATTACHMENT_DEADLINE_HOURS = 48;

/** A certificate that is in use for longer is held by something else than a slow AWS. */
export const REMOVAL_DEADLINE_HOURS = 7 * 24;

/** ACM allows 5,000 requests a year; one attempt must not use them up on one domain. */
export const MAX_CERTIFICATE_REQUESTS = 8;

/**
 * The backoff of checks: 15 s × 8, 60 s × 10, then 15 % more each time up to half an hour. That is about 131 rounds in
 * 48 hours, of 9 history events each: a twentieth of what an execution may have.
 */
export function waitSeconds(round: number): number {
  if (round < 8) return 15;
  if (round < 18) return 60;
  return Math.min(Math.round(60 * 1.15 ** (round - 17)), HALF_HOUR_SECONDS);
}

/** The backoff after another certificate was requested: from a minute, doubling. */
export function newRequestWaitSeconds(requests: number): number {
  return Math.min(60 * 2 ** requests, HALF_HOUR_SECONDS);
}

/** A certificate stays in use for minutes, at times for hours: every 5 minutes for an hour, then every half hour. */
export function inUseWaitSeconds(round: number): number {
  return round < 12 ? 300 : HALF_HOUR_SECONDS;
}
