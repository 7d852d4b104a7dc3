import type { DomainReport } from '../../../shared/operator/contract.ts';

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
