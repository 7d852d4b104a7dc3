import type { Domain } from './domain.ts';
import { timeOf } from './history.ts';

/** The fields of a domain at the start of a phase. */
export function phaseStart<Phase extends Domain['phase']>(phase: Phase, nowMs: number) {
  const phaseStartedAt = timeOf(nowMs);
  return { phase, phaseStartedAt, reason: null, rounds: 0, slotAt: null, nextCheckAt: null };
}

/** How far a verification has come at its start. */
export const NO_MILESTONES = { verifiedAt: null, issuedAt: null, attachedAt: null, liveAt: null } as const;

/** What is said of a live domain that has no obstacle. */
export function liveMessage({ domain }: Domain): string {
  return `https://${domain} is live. Keep the records: the certificate is renewed by them.`;
}
