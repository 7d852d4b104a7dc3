import type { DomainReport } from '../../../shared/operator/contract.ts';
import { needsAction } from '../../cli/domains/domain-report.ts';

export interface TimelineStep {
  readonly title: string;
  /** `waiting`: the next move is the owner's. */
  readonly state: 'done' | 'current' | 'waiting' | 'blocked' | 'todo';
  readonly at: string | null;
}

/** The way of a domain from its claim to its first answer over HTTPS. */
export function timelineOf(report: DomainReport): TimelineStep[] {
  const { status, reason, history, certificate, deadlines } = report;
  const attempt = latestAttempt(history);
  const timeOf = (pattern: RegExp) => attempt.find(({ what }) => pattern.test(what))?.at ?? null;

  const isLive = status === 'live';
  const isVerified = isLive || deadlines.certificate !== null;
  const isIssued = isLive || (isVerified && certificate.status === 'ISSUED');
  // Once it is attached, a domain waits for its owner's DNS again, or for its first answer over HTTPS.
  const isPastAttachment = status === 'verifying' || reason?.startsWith('https_') === true;
  const isAttached = isLive || (isIssued && isPastAttachment);

  const steps = [
    { title: 'Added', isDone: true, at: history[0]?.at ?? null },
    { title: 'DNS seen', isDone: isVerified, at: timeOf(/^issuing: /) },
    { title: 'Certificate issued', isDone: isIssued, at: timeOf(/certificate is issued/i) },
    { title: 'Attached', isDone: isAttached, at: attachedAt(attempt) },
    { title: 'Answers over HTTPS', isDone: isLive, at: timeOf(/^live: /) },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  const nextState = status === 'failed' ? 'blocked' : needsAction(report) ? 'waiting' : 'current';
  return steps.map(({ title, isDone, at }, index) => ({
    title,
    state: isDone ? 'done' : index === next ? nextState : 'todo',
    at: isDone ? at : null,
  }));
}

/**
 * When the domain was attached, from the first line that can only be written after that: the domain waits for its owner's
 * DNS again, does not answer over HTTPS yet, or is live.
 */
function attachedAt(attempt: DomainReport['history']): string | null {
  const issued = attempt.findLastIndex(({ what }) => /certificate is issued/i.test(what));
  if (issued === -1) return null;
  const after = attempt.slice(issued + 1);
  return after.find(({ what }) => /^(verifying|live): |^issuing: https:/.test(what))?.at ?? null;
}

/** The history since the verification was last asked for. */
function latestAttempt(history: DomainReport['history']): DomainReport['history'] {
  const start = history.findLastIndex(({ what }) => what === 'verifying: Looking for the records.');
  return start === -1 ? history : history.slice(start);
}
