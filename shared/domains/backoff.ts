const HOUR_SECONDS = 60 * 60;

/** DNS changes can take this long to be seen everywhere. */
export const DNS_DEADLINE_HOURS = 48;

/** A certificate that takes longer than this has a reason that can be told. */
export const CERTIFICATE_EXPLANATION_MINUTES = 30;

/** ACM gives up after this time. */
export const CERTIFICATE_DEADLINE_HOURS = 72;

/**
 * The wait before the next check: 15 s × 8, 60 s × 10, then 15 % more each time up to half an hour. That is about 131
 * rounds in 48 hours, of 9 history events each: a twentieth of what an execution may have.
 */
export function waitSeconds(round: number): number {
  if (round < 8) return 15;
  if (round < 18) return 60;
  return Math.min(Math.round(60 * 1.15 ** (round - 17)), HOUR_SECONDS / 2);
}
