import type { DomainRecord, DomainReport } from '../../../../shared/operator/contract.ts';

export const TRAFFIC: DomainRecord = {
  purpose: 'traffic',
  title: 'Traffic',
  todo: { kind: 'create' },
  type: 'CNAME',
  name: 'www.example.com',
  label: 'www',
  value: '1f0c.apps.petstore.example',
  ttl: 3600,
  state: 'missing',
  observed: [],
  advice: [],
  action: 'Create a CNAME record at www.example.com with the value 1f0c.apps.petstore.example.',
  isChecked: true,
};

export const CERTIFICATE: DomainRecord = {
  purpose: 'certificate',
  title: 'Certificate',
  todo: { kind: 'create' },
  type: 'CNAME',
  name: '_acm.www.example.com',
  label: '_acm.www',
  value: '_acm.acm-validations.aws',
  ttl: 3600,
  state: 'missing',
  observed: [],
  advice: [],
  action: 'Create a CNAME record at _acm.www.example.com with the value _acm.acm-validations.aws.',
  isChecked: true,
};

/** Next steps, as reports have them. */
export function nextSteps(...all: [kind: DomainReport['steps'][number]['kind'], text: string][]) {
  const steps = all.map(([kind, text]) => ({ kind, text }));
  const todo = steps.filter(({ kind }) => !['record', 'trouble', 'verification', 'switch'].includes(kind));
  return { next: steps.map(({ text }) => text), steps, todo };
}

/** A trouble with a record that is missing. */
const MISSING = {
  reason: 'traffic_record_missing',
  title: 'Traffic record missing',
  fix: null,
  todo: { kind: 'records', by: 'owner' },
} as const;

/** www.example.com just after it was added, with the record of its certificate. */
export const ADDED: DomainReport = {
  project: 'petstore',
  domain: 'www.example.com',
  unicode: 'www.example.com',
  kind: 'subdomain',
  status: 'pending_dns',
  reason: null,
  message: 'Create the records at your DNS provider, then verify.',
  troubles: [],
  records: [TRAFFIC, CERTIFICATE].map(record => ({ ...record, isChecked: false })),
  nameServers: ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  provider: {
    name: 'Cloudflare',
    link: 'https://developers.cloudflare.com/dns/',
    alias: 'CNAME',
    apexName: '@',
    instructions: ['Set every record to "DNS only" (gray cloud), not "Proxied".'],
  },
  detour: null,
  askedAt: null,
  certificate: {
    status: 'PENDING_VALIDATION',
    arn: 'arn:aws:acm:1',
    failure: null,
    renewal: null,
    expiresAt: null,
  },
  primary: false,
  redirect: null,
  switchLater: false,
  role: null,
  pair: null,
  projectPrimary: null,
  checkedAt: null,
  lookedAt: null,
  nextCheckAt: null,
  dueAt: null,
  deadlines: { verification: null, switch: null, claim: null, takeover: null },
  milestones: {
    addedAt: '2026-01-01T12:00:00.000Z',
    verifiedAt: null,
    issuedAt: null,
    attachedAt: null,
    readyAt: null,
    liveAt: null,
  },
  ...nextSteps(
    ['record', TRAFFIC.action ?? ''],
    ['record', CERTIFICATE.action ?? ''],
    ['verification', 'Then verify www.example.com.'],
  ),
  notes: [],
  history: [{ at: '2026-01-01T12:00:00.000Z', status: 'pending_dns', what: 'Added.' }],
};

export const VERIFYING: DomainReport = {
  ...ADDED,
  status: 'verifying',
  records: [TRAFFIC, CERTIFICATE],
  reason: 'traffic_record_missing',
  message: TRAFFIC.action ?? '',
  troubles: [{ ...MISSING, message: TRAFFIC.action ?? '' }],
  ...nextSteps(['record', TRAFFIC.action ?? '']),
  checkedAt: '2026-01-01T12:01:00.000Z',
  lookedAt: '2026-01-01T12:01:00.000Z',
  nextCheckAt: '2026-01-01T12:01:15.000Z',
  deadlines: { ...ADDED.deadlines, verification: '2026-01-31T12:00:00.000Z' },
};

const OK = { state: 'ok', action: null, todo: null } as const;
const RIGHT = [
  { ...TRAFFIC, ...OK, observed: [TRAFFIC.value] },
  { ...CERTIFICATE, ...OK, observed: [CERTIFICATE.value] },
];

export const ISSUING: DomainReport = {
  ...VERIFYING,
  status: 'issuing',
  reason: null,
  message: 'The domain points here.',
  troubles: [],
  records: RIGHT,
  milestones: { ...ADDED.milestones, verifiedAt: '2026-01-01T12:02:00.000Z' },
  ...nextSteps(['wait', "Wait. You don't need to do anything."]),
};

/** The same domain, if it is in use: its traffic record is to stay as it is. */
export function inUse(report: DomainReport): DomainReport {
  const kept = { todo: { kind: 'keep' } } as const;
  const records = report.records.map(record =>
    record.purpose === 'traffic' ? { ...record, ...kept } : record,
  );
  return { ...report, switchLater: true, records };
}

/** In use elsewhere, and prepared here. */
export const READY: DomainReport = {
  ...ISSUING,
  status: 'ready',
  switchLater: true,
  message:
    'Ready. Point www.example.com at 1f0c.apps.petstore.example whenever you like before 18 Dec 2026, 12:00 UTC.',
  records: RIGHT.map(record =>
    record.purpose === 'traffic'
      ? { ...TRAFFIC, todo: { kind: 'switch' }, state: 'mismatch', observed: ['old.example.net'] }
      : record,
  ),
  deadlines: { ...VERIFYING.deadlines, switch: '2026-01-31T12:05:00.000Z' },
};

export const LIVE: DomainReport = {
  ...ISSUING,
  status: 'live',
  message: 'https://www.example.com is live.',
  certificate: { ...ADDED.certificate, status: 'ISSUED' },
  milestones: {
    ...ISSUING.milestones,
    issuedAt: '2026-01-01T12:03:00.000Z',
    attachedAt: '2026-01-01T12:04:00.000Z',
    liveAt: '2026-01-01T12:05:00.000Z',
  },
  primary: true,
  role: 'primary',
  nextCheckAt: null,
  dueAt: null,
  ...nextSteps(),
};

export const FAILED: DomainReport = {
  ...VERIFYING,
  status: 'failed',
  message: 'Not verified within 30 days.',
  troubles: [{ ...MISSING, message: 'Not verified within 30 days.' }],
  nextCheckAt: null,
  dueAt: null,
};

/** Another live domain of the project. */
export const SECOND: DomainReport = { ...LIVE, domain: 'b.example.com', primary: false };

/** A live domain that redirects to the primary one. */
export const REDIRECTING: DomainReport = {
  ...LIVE,
  domain: 'c.example.com',
  primary: false,
  redirect: { to: LIVE.domain, status: 301 },
};

export const ROUTING = {
  liveDomains: ['b.example.com', 'www.example.com', 'c.example.com'],
  primary: 'www.example.com',
  redirects: [{ from: 'c.example.com', to: 'www.example.com', status: 301 as const }],
};
