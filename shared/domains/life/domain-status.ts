/** The types of events about domains. */
export const EVENT_TYPES = [
  'live',
  'ready',
  'needs attention',
  'failed',
  'moved',
  'taken over',
  'removed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The statuses in reports and events. Scripts rely on these words. */
type ReportedStatus = 'pending_dns' | 'verifying' | 'issuing' | 'ready' | 'live' | 'failed' | 'removing';

/** What a status says about a domain. Commands and the dashboard ask for a fact, never for a status by name. */
interface StatusFacts {
  /** Of two statuses that share a word, the one with a reason comes second. */
  readonly reported: ReportedStatus;
  /** Where the domain is in its life. `served`: it's attached, and its traffic arrives: it serves its project, or redirects. */
  readonly group: 'setting-up' | 'served' | 'failed' | 'removing';
  /** The flow with an execution working on the domain. */
  readonly flow: 'verification' | 'removal' | null;
  /**
   * What API Gateway does with the domain. `kept`: it keeps the mapping it had before it was re-verified; `mapped`: it responds,
   * at least to requests sent there for the domain.
   */
  readonly mapping: 'kept' | 'mapped' | 'deleted';
  /** What the owner still has to do: ask for a verification, create the records, or switch the traffic here. */
  readonly awaits: 'verification' | 'records' | 'switch' | null;
  /** Whether somebody has to act. `by reason`: if the reason says so; `by records`: also if one of the records does. */
  readonly needsAction: 'always' | 'never' | 'by reason' | 'by records';
  /** The event when a domain gets this status. */
  readonly event: EventType | null;
}

const IDLE = { flow: null, awaits: null, event: null } as const;
const SETTING_UP = { ...IDLE, group: 'setting-up', mapping: 'kept', needsAction: 'by records' } as const;
const SERVED = { ...IDLE, reported: 'live', group: 'served', mapping: 'mapped' } as const;
const REMOVING = { ...IDLE, reported: 'removing', group: 'removing', mapping: 'deleted' } as const;

/**
 * The statuses of a domain, and what is true in each. For a new status, add a row: the compiler then names every other place
 * that has to know it.
 */
export const STATUSES = {
  /** Claimed. The owner creates the records, and hasn't asked for a verification. */
  pending_dns: { ...SETTING_UP, reported: 'pending_dns', awaits: 'verification' },
  /** DNS is checked: for the record that proves the claim, or for the one that points the domain here. */
  verifying: { ...SETTING_UP, reported: 'verifying', flow: 'verification', awaits: 'records' },
  /** DNS has proven the claim. The certificate is issued, then the domain is attached at API Gateway. */
  issuing: { ...SETTING_UP, reported: 'issuing', flow: 'verification' },
  /** Attached, with its certificate. Its traffic still goes elsewhere: the owner switches when they like. */
  ready: {
    ...SETTING_UP,
    reported: 'ready',
    mapping: 'mapped',
    awaits: 'switch',
    needsAction: 'by reason',
    event: 'ready',
  },
  /** Served, and the last check found nothing wrong. */
  live: { ...SERVED, needsAction: 'never', event: 'live' },
  /** Served, but a check found something wrong; the reason says what. */
  needs_attention: { ...SERVED, needsAction: 'always', event: 'needs attention' },
  /** The verification was given up. An operator can start another one. */
  failed: {
    ...IDLE,
    reported: 'failed',
    group: 'failed',
    mapping: 'deleted',
    needsAction: 'always',
    event: 'failed',
  },
  /** No longer served. Everything created for the domain is being deleted. */
  removing: { ...REMOVING, flow: 'removal', needsAction: 'never' },
  /** The removal can't continue by itself; the reason says why. An operator can restart it. */
  stalled: { ...REMOVING, needsAction: 'always', event: 'needs attention' },
} as const satisfies Record<string, StatusFacts>;

export type DomainStatus = keyof typeof STATUSES;
export const DOMAIN_STATUSES = Object.keys(STATUSES) as DomainStatus[];

interface WithStatus {
  readonly status: DomainStatus;
}

/** Whether the domain is live, also if it needs attention. */
export function isServed({ status }: WithStatus): boolean {
  return STATUSES[status].group === 'served';
}

/** Whether the domain is ready or live. */
export function isAttached({ status }: WithStatus): boolean {
  return STATUSES[status].mapping === 'mapped';
}

/** Whether the domain must not have a mapping any more. */
export function isUnmapped({ status }: WithStatus): boolean {
  return STATUSES[status].mapping === 'deleted';
}

/** Whether the domain is ready, but its owner hasn't switched its traffic yet. */
export function isReady({ status }: WithStatus): boolean {
  return STATUSES[status].awaits === 'switch';
}

/** Whether the domain is being removed, also if the removal has stalled. */
export function isBeingRemoved({ status }: WithStatus): boolean {
  return STATUSES[status].group === 'removing';
}

/** Whether an execution of a flow should be working on the domain. */
export function isInFlow({ status }: WithStatus): boolean {
  return STATUSES[status].flow !== null;
}

/** Whether a ready or live domain isn't as it should be, or a removal has stalled: somebody has to look. */
export function needsAttention({
  status,
  reason,
  takeover,
}: WithStatus & { readonly reason: string | null; readonly takeover?: string | undefined }): boolean {
  const { mapping, event } = STATUSES[status];
  const isWell = reason === null && takeover === undefined;
  return !isWell && (mapping === 'mapped' || event === 'needs attention');
}

type Reported = { readonly status: ReportedStatus; readonly reason: string | null };

/** A domain's status from its report, which may come from a later version. */
export function statusOf({ status, reason }: Reported): DomainStatus {
  const sharing = DOMAIN_STATUSES.filter(each => STATUSES[each].reported === status);
  const found = sharing.at(reason === null ? 0 : -1);
  if (found) return found;
  throw new Error(
    `A domain has the status "${status}", which this version doesn't know: the service is newer. Update this checkout.`,
  );
}

/** What is true of a domain, from its report. */
export function factsOf(report: Reported): StatusFacts {
  return STATUSES[statusOf(report)];
}
