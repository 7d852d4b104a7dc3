/** What events say of a domain. */
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

/** The statuses as reports, events and the table have them. Scripts rely on these words. */
type ReportedStatus = 'pending_dns' | 'verifying' | 'issuing' | 'ready' | 'live' | 'failed' | 'removing';

interface StatusFacts {
  /** Where two statuses share a word, a reason distinguishes them (explicitStatus). */
  readonly reported: ReportedStatus;
  /** The flow that has an execution working on the domain. */
  readonly flow: 'verification' | 'removal' | null;
  /** Whether API Gateway responds for the domain, at least to those who ask for it there. */
  readonly isAttached: boolean;
  /** Whether the domain serves its project, or redirects: it's attached, and its traffic arrives. */
  readonly isServed: boolean;
  /** The event that is emitted when a domain gets this status. */
  readonly event: EventType | null;
}

/**
 * The statuses of a domain, and what is true of a domain in each of them. For a new status, add a row: the compiler then
 * names every other place that has to know it.
 */
export const STATUSES = {
  /** Claimed. Its owner creates the records, and has not asked for a verification. */
  pending_dns: { reported: 'pending_dns', flow: null, isAttached: false, isServed: false, event: null },
  /** DNS is checked: for the record that proves the claim, or for the one that points the domain here. */
  verifying: {
    reported: 'verifying',
    flow: 'verification',
    isAttached: false,
    isServed: false,
    event: null,
  },
  /** DNS has proven the claim. The certificate is issued, then the domain is attached at API Gateway. */
  issuing: { reported: 'issuing', flow: 'verification', isAttached: false, isServed: false, event: null },
  /** Attached, with its certificate. Its traffic still goes elsewhere: the owner switches when they like. */
  ready: { reported: 'ready', flow: null, isAttached: true, isServed: false, event: 'ready' },
  /** Served, and the last check found nothing wrong. */
  live: { reported: 'live', flow: null, isAttached: true, isServed: true, event: 'live' },
  /** Served, but a check found something wrong; the reason says what. */
  needs_attention: {
    reported: 'live',
    flow: null,
    isAttached: true,
    isServed: true,
    event: 'needs attention',
  },
  /** The verification was given up. An operator can start another one. */
  failed: { reported: 'failed', flow: null, isAttached: false, isServed: false, event: 'failed' },
  /** No longer served. What was created for the domain is being deleted. */
  removing: { reported: 'removing', flow: 'removal', isAttached: false, isServed: false, event: null },
  /** The removal cannot go on by itself; the reason says why. An operator can start it again. */
  stalled: {
    reported: 'removing',
    flow: null,
    isAttached: false,
    isServed: false,
    event: 'needs attention',
  },
} as const satisfies Record<string, StatusFacts>;

export type DomainStatus = keyof typeof STATUSES;
export const DOMAIN_STATUSES = Object.keys(STATUSES) as DomainStatus[];

interface WithStatus {
  readonly status: DomainStatus;
}

/** Whether the domain is live, also if it needs attention. */
export function isServed({ status }: WithStatus): boolean {
  return STATUSES[status].isServed;
}

/** Whether the domain is ready or live. */
export function isAttached({ status }: WithStatus): boolean {
  return STATUSES[status].isAttached;
}

/** Whether the domain is being removed, also if the removal has stalled. */
export function isBeingRemoved({ status }: WithStatus): boolean {
  return STATUSES[status].reported === 'removing';
}

/** Whether an execution of a flow should be working on the domain. */
export function isInFlow({ status }: WithStatus): boolean {
  return STATUSES[status].flow !== null;
}

/** The status of a domain by its report, which has the reported status and the reason. */
export function explicitStatus({
  status,
  reason,
}: {
  readonly status: ReportedStatus;
  readonly reason: string | null;
}): DomainStatus {
  switch (status) {
    case 'live':
      return reason === null ? 'live' : 'needs_attention';
    case 'removing':
      return reason === null ? 'removing' : 'stalled';
    case 'pending_dns':
    case 'verifying':
    case 'issuing':
    case 'ready':
    case 'failed':
      return status;
    default:
      return status satisfies never;
  }
}
