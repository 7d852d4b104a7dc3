import type {
  ApiKey,
  AuditEntry,
  DomainReport,
  OrderView,
  ProjectView,
} from '../../../shared/operator/contract.ts';
import {
  ADDED,
  CERTIFICATE,
  FAILED,
  ISSUING,
  LIVE,
  TRAFFIC,
  VERIFYING,
} from '../cli/domains/domain-fixture.ts';

/** Times of the shown data are relative to now, as in a service that is in use. */
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const ahead = (seconds: number) => ago(-seconds);

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ENDPOINT = {
  endpointUrl: 'https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/staging',
  endpointWhileLive: 'open',
  defaultEndpoint: 'open',
  openBecause: null,
} as const;

export const PROJECTS: readonly ProjectView[] = [
  {
    id: 'petstore',
    plan: 'pro',
    deploy: { state: 'succeeded', at: ago(2 * HOUR), succeededAt: ago(2 * HOUR) },
    apiId: 'a1b2c3d4e5',
    stage: 'staging',
    createdAt: ago(90 * DAY),
    url: 'https://www.example.com',
    defaultUrl: 'https://petstore.apps.example.dev',
    defaultUrlState: 'redirecting',
    defaultUrlReason: 'The primary domain www.example.com is live.',
    whileLive: 'redirect',
    ...ENDPOINT,
    liveDomains: ['www.example.com', 'shop.example.com', 'pets.example.com'],
    primary: 'www.example.com',
    redirects: [{ from: 'shop.example.com', to: 'www.example.com', status: 301 }],
  },
  {
    id: 'zoo',
    plan: 'free',
    deploy: { state: 'none', at: null, succeededAt: null },
    apiId: 'a1b2c3d4e5',
    stage: 'staging',
    createdAt: ago(DAY),
    url: 'https://zoo.apps.example.dev',
    defaultUrl: 'https://zoo.apps.example.dev',
    defaultUrlState: 'serving',
    defaultUrlReason: null,
    whileLive: 'redirect',
    ...ENDPOINT,
    liveDomains: [],
    primary: null,
    redirects: [],
  },
];

const key = (id: number, name: string, more: Partial<ApiKey>): ApiKey => ({
  id: `key_${String(id).padStart(24, '0')}`,
  name,
  hint: `pet_test_…a${id}b${id}`,
  scopes: ['pets:read', 'pets:write', 'orders:read'],
  createdAt: ago(id * DAY),
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  ...more,
});

export const KEYS: readonly ApiKey[] = [
  key(1, 'Acme', { lastUsedAt: ago(4 * MINUTE), expiresAt: ahead(80 * DAY) }),
  key(2, 'Reporting job', { scopes: ['pets:read'], lastUsedAt: ago(5 * HOUR) }),
  key(3, 'Old partner', { expiresAt: ago(2 * DAY) }),
  key(4, 'Lost laptop', { revokedAt: ago(9 * DAY), lastUsedAt: ago(9 * DAY) }),
];

const JANE = 'arn:aws:sts::123456789012:assumed-role/Operators/jane';

const order = (id: number, status: OrderView['status'], command: string, seconds: number): AuditEntry => ({
  requestId: `order-${id}`,
  at: ago(seconds),
  by: JANE,
  claimedBy: 'jane',
  command,
  input: command === 'orders.place' ? { petId: 482957181345792 + id } : { id: 482961476313088 + id },
  result: { id: 482961476313088 + id, petId: 482957181345792 + id, status, placedAt: ago(seconds + DAY) },
});

export const ENTRIES: readonly AuditEntry[] = [
  {
    requestId: 'one',
    at: ago(50),
    by: JANE,
    claimedBy: 'jane',
    command: 'domains.add',
    input: { project: 'petstore', domain: 'example.org' },
    result: {},
  },
  order(1, 'placed', 'orders.place', 3 * MINUTE),
  order(2, 'approved', 'orders.approve', 2 * HOUR),
  order(3, 'delivered', 'orders.deliver', 5 * HOUR),
  order(4, 'placed', 'orders.cancel', 6 * HOUR),
  {
    requestId: 'two',
    at: ago(DAY),
    by: 'unverified',
    claimedBy: 'sam',
    command: 'keys.create',
    input: { name: 'Acme', scopes: ['pets:read', 'pets:write'] },
    result: {},
  },
];

export const ORDERS: readonly OrderView[] = (['placed', 'approved', 'delivered'] as const).map(
  (status, index) => ({
    id: 482961476313089 + index,
    petId: 482957181345793 + index,
    status,
    placedAt: ago((index + 1) * DAY),
  }),
);

const TARGET = '1f0c9b7e44d2a8815c30.apps.staging.petstore.example';

function named(report: DomainReport, domain: string): DomainReport {
  const renamed = (text: string) =>
    text.replaceAll('www.example.com', domain).replaceAll('1f0c.apps.petstore.example', TARGET);
  const [label = ''] = domain.split('.');
  const copy: DomainReport = JSON.parse(renamed(JSON.stringify(report)));
  return {
    ...copy,
    records: copy.records.map(record => ({ ...record, label: record.label.replace('www', label) })),
  };
}

const history = (...entries: [seconds: number, what: string][]) =>
  entries.map(([seconds, entry]) => {
    const [status = '', what = ''] = entry.split(/: (.*)/s);
    return { at: ago(seconds), status, what };
  });

/** How long ago a verification came how far. */
function milestones(
  added: number,
  ...[verified, issued, attached, live]: number[]
): DomainReport['milestones'] {
  const at = (seconds: number | undefined) => (seconds === undefined ? null : ago(seconds));
  return {
    addedAt: ago(added),
    verifiedAt: at(verified),
    issuedAt: at(issued),
    attachedAt: at(attached),
    readyAt: null,
    liveAt: at(live),
  };
}

const VERIFIED =
  'The domain is verified. Its certificate is being issued, usually within a couple of minutes.';

const BLOCKED =
  'The certificate was not issued within 72 hours. Amazon may not issue certificates: example.com has the CAA record 0 issue "letsencrypt.org". Add CAA: name @, value 0 issue "amazon.com". Verify again to request a new one.';

/** A domain in every state that a page can show. */
export const DOMAINS: readonly DomainReport[] = [
  {
    ...named(LIVE, 'www.example.com'),
    message: 'https://www.example.com is live. Keep the records: the certificate needs them to renew.',
    checkedAt: ago(3 * HOUR),
    deadlines: { dns: ahead(2 * DAY), certificate: ahead(3 * DAY), switch: null, claim: null },
    milestones: milestones(9 * MINUTE, 5 * MINUTE, 3 * MINUTE, 2 * MINUTE, 2 * MINUTE),
    history: history(
      [9 * MINUTE, 'pending_dns: Added.'],
      [6 * MINUTE, 'verifying: Looking for the records.'],
      [5 * MINUTE, `issuing: ${VERIFIED}`],
      [3 * MINUTE, 'issuing: The certificate is issued.'],
      [2 * MINUTE, 'live: https://www.example.com is live.'],
    ),
  },
  {
    ...named(LIVE, 'shop.example.com'),
    primary: false,
    role: 'redirects',
    redirect: { to: 'www.example.com', status: 301 },
    checkedAt: ago(4 * HOUR),
    milestones: milestones(40 * DAY, 39 * DAY, 39 * DAY, 39 * DAY, 39 * DAY),
    history: history(
      [40 * DAY, 'pending_dns: Added.'],
      [39 * DAY, 'live: https://shop.example.com is live.'],
    ),
  },
  {
    ...named(LIVE, 'pets.example.com'),
    primary: false,
    role: 'also_serves',
    checkedAt: ago(4 * HOUR),
    milestones: milestones(40 * DAY, 39 * DAY, 39 * DAY, 39 * DAY, 39 * DAY),
    history: history(
      [40 * DAY, 'pending_dns: Added.'],
      [39 * DAY, 'live: https://pets.example.com is live.'],
    ),
  },
  {
    ...named(ISSUING, 'new.example.com'),
    message: VERIFIED,
    checkedAt: ago(7),
    nextCheckAt: ahead(8),
    deadlines: { dns: ahead(2 * DAY), certificate: ahead(3 * DAY), switch: null, claim: null },
    milestones: milestones(4 * MINUTE, 60),
    history: history(
      [4 * MINUTE, 'pending_dns: Added.'],
      [90, 'verifying: Looking for the records.'],
      [60, `issuing: ${VERIFIED}`],
    ),
  },
  conflict(),
  { ...apex(), milestones: milestones(50), history: history([50, 'pending_dns: Added.']) },
  {
    ...named(FAILED, 'old.example.com'),
    reason: 'caa_blocked',
    message: BLOCKED,
    troubles: [
      {
        reason: 'caa_blocked',
        message: BLOCKED,
        fix: { type: 'CAA', name: 'example.com', label: '@', value: '0 issue "amazon.com"' },
      },
    ],
    records: ISSUING.records.map(
      record => named({ ...ADDED, records: [record] }, 'old.example.com').records[0] ?? record,
    ),
    deadlines: { dns: ago(2 * DAY), certificate: ago(2 * HOUR), switch: null, claim: null },
    checkedAt: ago(2 * HOUR),
    milestones: milestones(4 * DAY, 3 * DAY),
    history: history(
      [4 * DAY, 'pending_dns: Added.'],
      [3 * DAY, `issuing: ${VERIFIED}`],
      [2 * HOUR, 'failed: The certificate was not issued.'],
    ),
  },
];

function conflict(): DomainReport {
  const report = named(VERIFYING, 'blog.example.com');
  const action = "Delete the A record at blog.example.com: it's in the way. Then create the CNAME record.";
  return {
    ...report,
    reason: 'traffic_record_conflict',
    message: action,
    troubles: [{ reason: 'traffic_record_conflict', message: action, fix: null }],
    records: report.records.map(record =>
      record.purpose === 'traffic'
        ? { ...record, state: 'conflict', observed: ['203.0.113.7', '2001:db8::7'], action }
        : { ...record, state: 'ok', observed: [record.value], action: null },
    ),
    checkedAt: ago(4),
    nextCheckAt: ahead(11),
    next: [action],
    milestones: milestones(5 * MINUTE),
    history: history([5 * MINUTE, 'pending_dns: Added.'], [40, 'verifying: Looking for the records.']),
  };
}

function apex(): DomainReport {
  const name = 'example.org';
  const challenge = 'petstore-5b8c0f6a1d9e4c7bb2f3a6d8e9c01234';
  return {
    ...named(ADDED, name),
    kind: 'apex',
    records: [
      { ...TRAFFIC, type: 'ALIAS' as const, name, label: '@', value: TARGET },
      {
        ...TRAFFIC,
        purpose: 'ownership' as const,
        type: 'TXT' as const,
        name: `_petstore-challenge.${name}`,
        label: '_petstore-challenge',
        value: challenge,
      },
      {
        ...CERTIFICATE,
        label: '_3f9ab0c1d2',
        name: `_3f9ab0c1d2.${name}`,
        value: '_8e7d6c5b4a.acm-validations.aws',
      },
    ].map(record => ({ ...record, isChecked: false })),
  };
}
