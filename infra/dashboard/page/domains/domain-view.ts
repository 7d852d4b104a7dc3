import {
  type DomainStatus,
  explicitStatus,
  isBeingRemoved,
  STATUSES,
} from '../../../../shared/domains/life/domain-status.ts';
import type {
  DomainRecord,
  DomainReport,
  DomainSummary,
  ProjectView,
} from '../../../../shared/operator/contract.ts';
import { needsAction } from '../../../cli/domains/domain-report.ts';

/** What the page shows of a domain, computed from its report. */

/** The colour and the icon of a state. Every state is also said in words. */
export type Tone = 'ok' | 'attention' | 'progress' | 'bad' | 'muted';

export interface StateWords {
  readonly tone: Tone;
  readonly words: string;
}

/** The state of a domain in plain words. */
export function domainState(report: DomainSummary): StateWords {
  const status = explicitStatus(report);
  switch (status) {
    case 'ready':
      return { tone: 'ok', words: 'Ready to switch' };
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

const PROBLEMS = {
  missing: 'missing',
  mismatch: 'has a different value',
  conflict: 'blocked by another record',
  unreachable: "can't be looked up",
  spreading: 'spreading',
} as const;

type Reason = NonNullable<DomainSummary['reason']>;

/** Why a domain is not live or needs attention, in a few words; those of records are computed. */
const REASON_WORDS: Readonly<Partial<Record<Reason, string>>> = {
  domain_taken: 'In use by another project',
  takeover_pending: 'Taking over from another project',
  takeover_announced: 'Another project is taking it over',
  not_switched: "Traffic wasn't switched in 30 days",
  project_gone: 'Its project is gone',
  plan_required: 'The plan has no custom domains',
  deploy_required: 'No successful deploy yet',
  caa_blocked: 'A CAA record blocks the certificate',
  caa_unreachable: "CAA records can't be looked up",
  certificate_delayed: 'The certificate is delayed',
  certificate_failed: 'AWS refused the certificate',
  certificate_timeout: 'No certificate within 72 hours',
  certificate_lost: 'The certificate is gone or has expired',
  renewal_action_required: "The certificate can't be renewed",
  certificate_in_use: 'The certificate is still in use',
  api_gone: "The project's API is gone",
  domain_name_being_released: 'Waiting for the former owner',
  attachment_refused: 'API Gateway refused the domain',
  gateway_busy: 'API Gateway was too busy',
  domain_name_foreign: 'Another team of the account has the name',
  domain_name_gone: 'Deleted at API Gateway',
  domain_name_recertified: 'Different certificate at API Gateway',
  mapping_changed: 'Mapping changed at API Gateway',
  host_record_changed: "The platform's record was changed",
  https_unreachable: "HTTPS doesn't respond yet",
  https_certificate_wrong: 'Another certificate is served',
  https_answer_foreign: 'Another server responds',
  flow_ended: 'The verification was interrupted',
  internal_error: 'Something failed on our side',
};

/** Why a domain is not live or needs attention, in a few words; undefined if there is no reason. */
export function reasonWords({ reason }: Pick<DomainSummary, 'reason'>): string | undefined {
  if (reason === null) return undefined;
  const [, purpose, problem] = /^(traffic|ownership|certificate)_record_(\w+)$/.exec(reason) ?? [];
  if (purpose && problem) {
    const { title } = PURPOSES[purpose as DomainRecord['purpose']];
    return `${title} record ${PROBLEMS[problem as keyof typeof PROBLEMS]}`;
  }
  return REASON_WORDS[reason] ?? reason.replaceAll('_', ' ');
}

interface StatusView {
  /** The label of the button that starts a verification; null if nothing can be verified. */
  readonly verify: 'Verify' | 'Re-verify' | null;
  /** Whether a verification is the obvious next step. */
  readonly isVerifyNext: boolean;
  readonly canRemove: boolean;
  /** Whether the domain should have a certificate, or get one now. */
  readonly needsCertificate: boolean;
}

const VIEWS: Readonly<Record<DomainStatus, StatusView>> = {
  pending_dns: { verify: 'Verify', isVerifyNext: true, canRemove: true, needsCertificate: false },
  verifying: { verify: 'Re-verify', isVerifyNext: false, canRemove: true, needsCertificate: false },
  issuing: { verify: 'Re-verify', isVerifyNext: false, canRemove: true, needsCertificate: true },
  ready: { verify: 'Re-verify', isVerifyNext: false, canRemove: true, needsCertificate: true },
  live: { verify: 'Re-verify', isVerifyNext: false, canRemove: true, needsCertificate: true },
  needs_attention: { verify: 'Re-verify', isVerifyNext: false, canRemove: true, needsCertificate: true },
  failed: { verify: 'Re-verify', isVerifyNext: true, canRemove: true, needsCertificate: true },
  removing: { verify: null, isVerifyNext: false, canRemove: false, needsCertificate: false },
  stalled: { verify: null, isVerifyNext: false, canRemove: true, needsCertificate: false },
};

/** What holds for a domain by its status, and what can be done with it. */
export function statusView(report: Pick<DomainSummary, 'status' | 'reason'>) {
  const status = explicitStatus(report);
  const { isServed, flow } = STATUSES[status];
  return { isServed, flow, isBeingRemoved: isBeingRemoved({ status }), ...VIEWS[status] };
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

/** The steps from a claim to the first response over HTTPS; none if the environment does not report them. */
export function timelineOf(report: DomainReport): TimelineStep[] {
  // The environment may have been deployed before there were milestones.
  const milestones: DomainReport['milestones'] | undefined = report.milestones;
  if (milestones === undefined) return [];
  const steps = [
    { title: 'Added', at: milestones.addedAt },
    { title: 'DNS seen', at: milestones.verifiedAt },
    { title: 'Certificate issued', at: milestones.issuedAt },
    { title: 'Attached', at: milestones.attachedAt },
    { title: 'Responds over HTTPS', at: milestones.liveAt },
  ];
  // Everything before the last known time is done: records of 1.0 lack the times in between.
  const next = 1 + steps.findLastIndex(({ at }) => at !== null);
  const nextState = report.status === 'failed' ? 'blocked' : needsAction(report) ? 'waiting' : 'current';
  return steps.map(({ title, at }, index) => ({
    title,
    state: index < next ? 'done' : index === next ? nextState : 'todo',
    at,
  }));
}

interface Advice {
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

/** The troubleshooting advice that applies to a domain now. */
export function adviceFor(report: DomainReport, nowMs: number): Advice[] {
  return [
    ...recordAdvice(report),
    ...certificateAdvice(report),
    ...browserAdvice(report, nowMs),
    ...redirectAdvice(report),
  ];
}

function recordAdvice(report: DomainReport): Advice[] {
  const { isServed, isBeingRemoved } = statusView(report);
  if (isServed || isBeingRemoved) return [];
  const { records } = report;
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
              'Delete the other record at your DNS provider. The next check will notice.',
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

function certificateAdvice(report: DomainReport): Advice[] {
  const { reason } = report;
  if (!statusView(report).needsCertificate || reason === null || !CERTIFICATE_TROUBLE.test(reason)) return [];
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

function browserAdvice(report: DomainReport, nowMs: number): Advice[] {
  const { redirect, milestones } = report;
  // The environment may have been deployed before there were milestones.
  const liveAt = milestones?.liveAt ?? null;
  const isFresh = liveAt !== null && nowMs - Date.parse(liveAt) < FRESH_MS;
  if (explicitStatus(report) !== 'live' || redirect || !isFresh) return [];
  return [
    {
      isUrgent: false,
      title: 'If a browser says that the connection is not private',
      lines: ['It remembers an old certificate. Wait a few minutes, then try in a new private window.'],
    },
  ];
}

function redirectAdvice(report: DomainReport): Advice[] {
  const { domain, redirect } = report;
  if (!statusView(report).isServed || !redirect) return [];
  return [
    {
      isUrgent: false,
      title: 'If a redirect goes to the wrong place',
      lines: ['Browsers remember redirects. The headers of the response itself say where it leads:'],
      command: `curl -sI https://${domain}`,
    },
  ];
}

type Routing = Pick<ProjectView, 'liveDomains' | 'primary' | 'redirects'>;

/** The domains that a domain can redirect to: live ones that serve the project themselves, the primary one first. */
export function redirectTargets(domain: string, { liveDomains, primary, redirects }: Routing): string[] {
  return liveDomains
    .filter(live => live !== domain && !redirects.some(({ from }) => from === live))
    .toSorted((left, right) => Number(right === primary) - Number(left === primary));
}

/** What stops when a domain is removed, and what takes its place. */
export function removalConsequences(
  { domain, redirect, status, reason }: Pick<DomainSummary, 'domain' | 'redirect' | 'status' | 'reason'>,
  routing: Routing,
): string[] {
  if (!statusView({ status, reason }).isServed) {
    return [`${domain} isn't live, so nothing stops. Another project can claim it then.`];
  }
  const incoming = routing.redirects.filter(
    ({ from, to }) => to === domain && routing.liveDomains.includes(from),
  );
  const successor = routing.liveDomains.find(
    live => live !== domain && !routing.redirects.some(({ from, to }) => from === live && to !== domain),
  );
  return [
    redirect
      ? `https://${domain} stops redirecting to https://${redirect.to} immediately.`
      : `https://${domain} stops responding immediately.`,
    ...incoming.map(
      ({ from }) => `https://${from} no longer redirects here, and serves the project instead.`,
    ),
    ...(routing.primary !== domain
      ? []
      : successor === undefined
        ? ["It's the primary domain, and no other domain is live: the project is back at its default URL."]
        : [`It's the primary domain. ${successor} becomes the primary domain instead.`]),
  ];
}

/** The records as text to paste into an e-mail or a spreadsheet: a line each, the fields separated by tabs. */
export function recordLines(records: readonly DomainRecord[]): string {
  return [
    'Type\tName\tValue\tTTL',
    ...records.map(({ type, name, value, ttl }) => [type, name, value, ttl].join('\t')),
  ].join('\n');
}
