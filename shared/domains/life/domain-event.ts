import * as z from 'zod/mini';
import { timeOf } from '../clock.ts';
import { claimOf, type Domain } from './domain.ts';
import { isBeingRemoved, STATUSES } from './domain-status.ts';

/** A change of a domain's state. Every field but the type is in the `detail` of the published event. */
export const DomainEvent = z.object({
  /** Names the claim and the revision that the change wrote: a repeated event has the same id and content. */
  id: z.string(),
  /** An EventType, unless a later version wrote it. */
  type: z.string(),
  domain: z.string(),
  project: z.string(),
  /**
   * The domain's reported status after the change; `removed` if its record was deleted, `moved` if it went to another
   * project.
   */
  status: z.string(),
  reason: z.nullable(z.string()),
  message: z.string(),
  /** Grows with every change of the claim, so it orders the events of a claim. */
  revision: z.number(),
  /** When the state changed: RFC 3339, in UTC. */
  at: z.string(),
});
export type DomainEvent = z.infer<typeof DomainEvent>;

/** The event of this revision's write, if there is one. */
export function eventOf(next: Domain): DomainEvent | undefined {
  const { lastEvent, revision, status, takeover, message } = next;
  if (lastEvent?.revision !== revision) return undefined;
  const { type, at, message: said = message } = lastEvent;
  const reason = takeover === undefined || isBeingRemoved(next) ? next.reason : 'takeover_announced';
  const { reported } = STATUSES[status];
  return { ...subjectOf(next, revision), type, status: reported, reason, message: said, at };
}

/** The event of a completed removal. */
export function removedEvent(claim: Domain, nowMs: number): DomainEvent {
  const isTakenOver = claim.lastEvent?.type === 'taken over';
  const isOwners = claim.provenAt !== null && !isTakenOver;
  const { history, removalStartedAt } = claim;
  // What was said when it began, unless another project took the name over: the owner was told that then.
  const began = history.find(({ at, status }) => at === removalStartedAt && status === 'removing');
  const said = isTakenOver ? undefined : began?.what;
  const message = `${said ?? 'No longer served.'} Everything is deleted${isOwners ? ', and the name is free' : ''}.`;
  return deletionEvent(claim, 'removed', message, nowMs);
}

/** The event for the project that a domain leaves; the other project's is the event of the claim itself. */
export function movedEvent(before: Domain, to: string, nowMs: number): DomainEvent {
  const message = `Moved to project ${to}. Its DNS records stay the same, and there's no outage.`;
  const event = deletionEvent(before, 'moved', message, nowMs);
  return { ...event, id: `${event.id}-from` };
}

/** The event of the deletion of a record, which counts as one more revision. */
function deletionEvent(
  claim: Domain,
  type: 'removed' | 'moved',
  message: string,
  nowMs: number,
): DomainEvent {
  const subject = subjectOf(claim, claim.revision + 1);
  return { ...subject, type, status: type, reason: null, message, at: timeOf(nowMs) };
}

function subjectOf(claim: Domain, revision: number) {
  return { id: `${claimOf(claim)}-${revision}`, domain: claim.domain, project: claim.project, revision };
}

/** The `detail-type` of an event, by which subscribers choose. */
export function detailTypeOf(type: string): string {
  return `Domain ${type}`;
}

/** The `source` of the events of an environment: `petstore.production`. */
export function eventSourceOf(environment: string): string {
  return `petstore.${environment}`;
}
