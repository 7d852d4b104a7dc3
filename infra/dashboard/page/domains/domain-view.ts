import { explicitStatus } from '../../../../shared/domains/life/domain-status.ts';
import type { DomainRecord, DomainReport } from '../../../../shared/operator/contract.ts';
import { needsAction } from '../../../cli/domains/domain-report.ts';

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

export interface Advice {
  readonly title: string;
  readonly lines: readonly string[];
  /** Whether it is the reason why the domain is not live, and not a hint for later. */
  readonly isUrgent: boolean;
  /** A command to paste. */
  readonly command?: string;
}

/** How long after going live a browser may still have the old certificate or none. */
const FRESH_MS = 60 * 60 * 1000;

const CERTIFICATE_TROUBLE = /^(caa_blocked|certificate_)/;

/** The rules of troubleshooting that apply to a domain as it is now. */
export function adviceFor(report: DomainReport, nowMs: number): Advice[] {
  return [
    ...recordAdvice(report),
    ...certificateAdvice(report),
    ...browserAdvice(report, nowMs),
    ...redirectAdvice(report),
  ];
}

function recordAdvice({ records, status }: DomainReport): Advice[] {
  if (status === 'live' || status === 'removing') return [];
  const conflict = records.find(({ state }) => state === 'conflict');
  const mismatch = records.find(({ state, action }) => state === 'mismatch' && action !== null);
  return [
    ...(conflict
      ? [
          {
            isUrgent: true,
            title: 'Another record is in the way',
            lines: [
              `DNS allows no other record beside the ${conflict.type} at ${conflict.name}: an existing A record blocks it.`,
              'Delete the other record at your DNS provider. The next check sees it by itself.',
            ],
          },
        ]
      : []),
    ...(mismatch
      ? [
          {
            isUrgent: true,
            title: 'The value is another one',
            lines: [
              `Compare the value at ${mismatch.name} with the one required, character by character. Copy it with the button beside it.`,
            ],
          },
        ]
      : []),
  ];
}

function certificateAdvice({ status, reason }: DomainReport): Advice[] {
  const isWaiting = status === 'issuing' || status === 'failed' || status === 'live';
  if (!isWaiting || reason === null || !CERTIFICATE_TROUBLE.test(reason)) return [];
  return [
    {
      isUrgent: true,
      title: 'The certificate is not there after 30 minutes',
      lines: [
        'Check that every record below is still seen, and that no CAA record forbids Amazon to issue certificates for the domain.',
        'Then choose Re-verify: it starts a new attempt with the same records.',
      ],
    },
  ];
}

function browserAdvice({ status, reason, redirect, milestones }: DomainReport, nowMs: number): Advice[] {
  // The environment may have been deployed before there were milestones.
  const liveAt = milestones?.liveAt ?? null;
  const isFresh = liveAt !== null && nowMs - Date.parse(liveAt) < FRESH_MS;
  if (status !== 'live' || reason !== null || redirect || !isFresh) return [];
  return [
    {
      isUrgent: false,
      title: 'If a browser says that the connection is not private',
      lines: ['It remembers an old certificate. Wait a few minutes, then try in a new private window.'],
    },
  ];
}

function redirectAdvice({ domain, status, redirect }: DomainReport): Advice[] {
  if (status !== 'live' || !redirect) return [];
  return [
    {
      isUrgent: false,
      title: 'If a redirect goes to the wrong place',
      lines: ['Browsers remember redirects. The headers of the answer itself say where it really leads:'],
      command: `curl -sI https://${domain}`,
    },
  ];
}

/** The domains that this one can redirect to: live ones that serve the project themselves, the primary one first. */
export function redirectTargets({ domain }: DomainReport, all: readonly DomainReport[]): string[] {
  return all
    .filter(other => other.domain !== domain && other.status === 'live' && other.redirect === null)
    .toSorted((left, right) => Number(right.primary) - Number(left.primary))
    .map(other => other.domain);
}

/** The records as text to paste into a mail or a sheet: a line each, the fields separated by tabs. */
export function recordLines(records: readonly DomainRecord[]): string {
  return [
    'Type\tName\tValue\tTTL',
    ...records.map(({ type, name, value, ttl }) => [type, name, value, ttl].join('\t')),
  ].join('\n');
}

/** The command that calls a domain at the edge of one machine. The page knows no API key: a shell variable stands for it. */
export function curlCommand(
  domain: string,
  { https, ca }: { readonly https: string; readonly ca: string },
): string {
  const connection = `--cacert ${ca} --connect-to ${domain}:443:${https}`;
  return `curl -i -H "Authorization: Bearer $KEY" ${connection} https://${domain}/v1/pets`;
}
