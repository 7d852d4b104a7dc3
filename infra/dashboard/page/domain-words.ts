import { explicitStatus } from '../../../shared/domains/life/domain-status.ts';
import type { DomainRecord, DomainReport } from '../../../shared/operator/contract.ts';
import { needsAction } from '../../cli/domains/domain-report.ts';

/** The colour and the sign of a state. Every state is also said in words. */
export type Tone = 'ok' | 'attention' | 'progress' | 'bad' | 'muted';

export interface StateWords {
  readonly tone: Tone;
  readonly words: string;
}

/** The state of a domain in plain words. */
export function domainState(report: DomainReport): StateWords {
  const status = explicitStatus(report);
  switch (status) {
    case 'live':
      return { tone: 'ok', words: 'Live' };
    case 'needs_attention':
      return { tone: 'attention', words: 'Live, needs attention' };
    case 'pending_dns':
      return { tone: 'attention', words: 'Waiting for DNS records' };
    case 'failed':
      return { tone: 'bad', words: 'Verification failed' };
    case 'removing':
      return { tone: 'muted', words: 'Being removed' };
    case 'stalled':
      return { tone: 'bad', words: 'Removal stalled' };
    case 'verifying':
      return needsAction(report)
        ? { tone: 'attention', words: 'DNS records need attention' }
        : { tone: 'progress', words: 'Checking DNS' };
    case 'issuing':
      if (needsAction(report)) return { tone: 'attention', words: 'Certificate needs attention' };
      return report.certificate.status === 'ISSUED'
        ? { tone: 'progress', words: 'Attaching the domain' }
        : { tone: 'progress', words: 'Issuing the certificate' };
    default:
      return status satisfies never;
  }
}

/** Whether the service works on the domain right now, so that it pays to watch. */
export function isMoving({ status }: DomainReport): boolean {
  return status === 'verifying' || status === 'issuing' || status === 'removing';
}

/** The state of a DNS record in plain words. */
export function recordState({ state, action }: DomainRecord, isChecked: boolean): StateWords {
  if (!isChecked && state === 'missing') return { tone: 'muted', words: 'Not checked yet' };
  if (state === 'ok') return { tone: 'ok', words: 'Seen' };
  if (state === 'spreading' || action === null) return { tone: 'progress', words: 'Spreading' };
  switch (state) {
    case 'missing':
      return { tone: 'attention', words: 'Not seen yet' };
    case 'mismatch':
      return { tone: 'bad', words: 'Differs' };
    case 'conflict':
      return { tone: 'bad', words: 'In conflict' };
    case 'unreachable':
      return { tone: 'progress', words: 'No answer from DNS' };
  }
}

/** What a record is for. */
export const PURPOSES: Readonly<Record<DomainRecord['purpose'], { title: string; why: string }>> = {
  traffic: { title: 'Traffic', why: 'sends visitors here' },
  ownership: { title: 'Ownership', why: 'proves that the domain is yours' },
  certificate: { title: 'Certificate', why: 'keep it: the certificate is renewed by it' },
};
