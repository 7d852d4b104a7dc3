import type { Domain } from '../../../../shared/domains/life/domain.ts';
import * as transitions from '../../../../shared/domains/life/transitions.ts';
import { AT_MS, TARGET } from '../claimed-domain.ts';

export const LATER_MS = AT_MS + 60_000;
const OBSTACLE = { reason: 'caa_blocked', message: 'Some message.' } as const;
export const VIEW = { status: 'PENDING_VALIDATION', failure: null, renewal: null, validations: [] };
const RECORD = {
  zoneId: 'Z1',
  type: 'CNAME',
  name: 'www.zoo.example',
  value: TARGET,
  ttl: 3600,
  aliasZoneId: null,
} as const;

/** www.zoo.example has become a zone of its own. */
export const ZONE = { kind: 'apex', zone: 'www.zoo.example' } as const;

/** Calls of every transition but the first and the last, in all their kinds; the first call has an obstacle. */
export const APPLIED: Readonly<Record<string, readonly ((domain: Domain) => Domain)[]>> = {
  certificatePrepared: [domain => transitions.certificatePrepared(domain, 'arn', VIEW)],
  verificationStarted: [domain => transitions.verificationStarted(domain, 'kept', LATER_MS)],
  inspected: [domain => transitions.inspected(domain, { ...ZONE, certificate: VIEW, records: [] }, LATER_MS)],
  recordManaged: [domain => transitions.recordManaged(domain, RECORD)],
  managedRecordsCreated: [domain => transitions.managedRecordsCreated(domain, () => true)],
  retryScheduled: [
    // The retry of a removal has no obstacle: a removal with a reason has stalled.
    domain => transitions.retryScheduled(domain, 15, domain.status === 'removing' ? {} : OBSTACLE, LATER_MS),
  ],
  phasePassed: [
    domain => transitions.phasePassed(domain, 'certificate', 'Passed.', LATER_MS),
    domain => transitions.phasePassed(domain, 'attachment', 'Passed.', LATER_MS),
  ],
  certificateReplaced: [domain => transitions.certificateReplaced(domain, 'another')],
  attached: [domain => transitions.attached(domain, { host: 'd-1', hostedZoneId: 'Z1' }, LATER_MS)],
  dnsLeftOpen: [domain => transitions.dnsLeftOpen(domain)],
  wentLive: [domain => transitions.wentLive(domain, LATER_MS)],
  flowRestarted: [domain => transitions.flowRestarted(domain)],
  failed: [domain => transitions.failed(domain, OBSTACLE, LATER_MS)],
  rechecked: [
    domain => transitions.rechecked(domain, OBSTACLE, LATER_MS),
    domain => transitions.rechecked(domain, undefined, LATER_MS),
  ],
  removalStarted: [domain => transitions.removalStarted(domain, LATER_MS)],
  removalStalled: [domain => transitions.removalStalled(domain, OBSTACLE, LATER_MS)],
  takeDownLeased: [domain => transitions.takeDownLeased(domain, 'holder', LATER_MS)],
  takeDownReleased: [domain => transitions.takeDownReleased(domain)],
  takenDown: [domain => transitions.takenDown(domain, LATER_MS)],
};
