import type { DomainReport } from '../../../shared/operator/contract.ts';
import { needsAction } from '../../cli/domains/domain-report.ts';

export interface TimelineStep {
  readonly title: string;
  /** `waiting`: the next move is the owner's. */
  readonly state: 'done' | 'current' | 'waiting' | 'blocked' | 'todo';
  readonly at: string | null;
}

/** The way of a domain from its claim to its first answer over HTTPS; empty if its environment does not tell. */
export function timelineOf(report: DomainReport): TimelineStep[] {
  // The environment may have been deployed before there were milestones.
  const milestones: DomainReport['milestones'] | undefined = report.milestones;
  if (milestones === undefined) return [];
  const steps = [
    { title: 'Added', at: milestones.addedAt },
    { title: 'DNS seen', at: milestones.verifiedAt },
    { title: 'Certificate issued', at: milestones.issuedAt },
    { title: 'Attached', at: milestones.attachedAt },
    { title: 'Answers over HTTPS', at: milestones.liveAt },
  ];
  // What came before the last time that is known is done: records of 1.0 do not have those in between.
  const next = 1 + steps.findLastIndex(({ at }) => at !== null);
  const nextState = report.status === 'failed' ? 'blocked' : needsAction(report) ? 'waiting' : 'current';
  return steps.map(({ title, at }, index) => ({
    title,
    state: index < next ? 'done' : index === next ? nextState : 'todo',
    at,
  }));
}
