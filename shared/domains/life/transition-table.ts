import { row } from './transition-row.ts';

const FLOW = ['verifying', 'issuing'] as const;
const WAIT = ['reason', 'message', 'rounds', 'slotAt', 'nextCheckAt'] as const;
const MILESTONES = ['verifiedAt', 'issuedAt', 'attachedAt', 'liveAt'] as const;
const PROGRESS = [...WAIT, 'phaseStartedAt'] as const;

/** From which status, to which, which fields change, which events are made. ../README.md draws it; a test compares the two. */
export const TRANSITIONS = {
  claimed: row(['new'], 'pending_dns', []), // every field
  certificatePrepared: row(['pending_dns', 'verifying'], 'same', ['certificate']),
  verificationStarted: row(
    // live: only when its certificate is lost, or its domain name gone or given another certificate
    ['pending_dns', ...FLOW, 'failed', 'live'],
    'verifying',
    ['status', 'phase', 'attempt', ...PROGRESS, 'certificate', 'verifyStartedAt', ...MILESTONES],
  ),
  inspected: row([...FLOW, 'live'], 'same', ['kind', 'zone', 'certificate', 'records', 'checkedAt']),
  recordManaged: row([...FLOW, 'live'], 'same', ['managed']),
  managedRecordsCreated: row([...FLOW, 'live'], 'same', ['records']),
  retryScheduled: row([...FLOW, 'removing'], 'same', WAIT),
  phasePassed: row(FLOW, 'issuing', ['status', 'phase', ...PROGRESS, 'verifiedAt', 'provenAt', 'issuedAt']),
  certificateReplaced: row(['issuing'], 'same', ['certificate']),
  attached: row(FLOW, 'same', ['gateway', 'pointsAt', 'slotAt', 'attachedAt']),
  dnsLeftOpen: row(FLOW, 'verifying', ['status']),
  wentLive: row(FLOW, 'live', ['status', 'phase', ...PROGRESS, 'liveAt', 'lastEvent'], ['live']),
  flowRestarted: row([...FLOW, 'removing'], 'same', ['attempt', 'slotAt', 'nextCheckAt']),
  failed: row(
    FLOW,
    'failed',
    ['status', 'reason', 'message', 'slotAt', 'nextCheckAt', 'lastEvent'],
    ['failed'],
  ),
  // An event is made only when the domain begins or ceases to need attention, not at every check.
  rechecked: row(['live'], 'same', ['reason', 'message', 'lastEvent'], ['live', 'needs attention']),
  removalStarted: row(
    ['pending_dns', ...FLOW, 'live', 'failed', 'removing'], // removing: only when the removal has stalled
    'removing',
    ['status', 'phase', 'attempt', ...PROGRESS, 'takenDownAt'],
  ),
  removalStalled: row(
    ['removing'],
    'same',
    ['reason', 'message', 'slotAt', 'lastEvent'],
    ['needs attention'],
  ),
  takeDownLeased: row(['removing'], 'same', ['takeDownLease']),
  takeDownReleased: row(['removing'], 'same', ['takeDownLease']),
  takenDown: row(['removing'], 'same', ['message', 'slotAt', 'nextCheckAt', 'takenDownAt']),
  forgotten: row(['removing'], 'gone', [], ['removed']), // the record is deleted
} as const;
