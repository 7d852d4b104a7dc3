import type { DomainReport } from '../../../shared/operator/contract.ts';
import {
  ADDED,
  CERTIFICATE,
  FAILED,
  ISSUING,
  LIVE,
  TRAFFIC,
  VERIFYING,
} from '../cli/domains/domain-fixture.ts';
import { ago, ahead, DAY, HOUR, MINUTE } from './shown-times.ts';

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
  entries.map(([seconds, what]) => ({ at: ago(seconds), what }));

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
    liveAt: at(live),
  };
}

const VERIFIED =
  'The domain is verified. Its certificate is being issued, usually within a couple of minutes.';

/** A domain in every state that a page can show. */
export const DOMAINS: readonly DomainReport[] = [
  {
    ...named(LIVE, 'www.example.com'),
    message: 'https://www.example.com is live. Keep the records: the certificate is renewed by them.',
    checkedAt: ago(3 * HOUR),
    deadlines: { dns: ahead(2 * DAY), certificate: ahead(3 * DAY), claim: null },
    milestones: milestones(9 * MINUTE, 5 * MINUTE, 3 * MINUTE, 2 * MINUTE, 2 * MINUTE),
    history: history(
      [9 * MINUTE, 'pending_dns: added'],
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
    history: history([40 * DAY, 'pending_dns: added'], [39 * DAY, 'live: https://shop.example.com is live.']),
  },
  {
    ...named(LIVE, 'pets.example.com'),
    primary: false,
    role: 'also_serves',
    checkedAt: ago(4 * HOUR),
    milestones: milestones(40 * DAY, 39 * DAY, 39 * DAY, 39 * DAY, 39 * DAY),
    history: history([40 * DAY, 'pending_dns: added'], [39 * DAY, 'live: https://pets.example.com is live.']),
  },
  {
    ...named(ISSUING, 'new.example.com'),
    message: VERIFIED,
    checkedAt: ago(7),
    nextCheckAt: ahead(8),
    deadlines: { dns: ahead(2 * DAY), certificate: ahead(3 * DAY), claim: null },
    milestones: milestones(4 * MINUTE, 60),
    history: history(
      [4 * MINUTE, 'pending_dns: added'],
      [90, 'verifying: Looking for the records.'],
      [60, `issuing: ${VERIFIED}`],
    ),
  },
  conflict(),
  { ...apex(), milestones: milestones(50), history: history([50, 'pending_dns: added']) },
  {
    ...named(FAILED, 'old.example.com'),
    reason: 'caa_blocked',
    message:
      'The certificate was not issued within 72 hours. The CAA record at example.com (0 issue "letsencrypt.org") forbids Amazon to issue the certificate. Add: example.com CAA 0 issue "amazon.com" Verify again to request a new one.',
    records: ISSUING.records.map(
      record => named({ ...ADDED, records: [record] }, 'old.example.com').records[0] ?? record,
    ),
    deadlines: { dns: ago(2 * DAY), certificate: ago(2 * HOUR), claim: null },
    checkedAt: ago(2 * HOUR),
    milestones: milestones(4 * DAY, 3 * DAY),
    history: history(
      [4 * DAY, 'pending_dns: added'],
      [3 * DAY, `issuing: ${VERIFIED}`],
      [2 * HOUR, 'failed: The certificate was not issued.'],
    ),
  },
];

function conflict(): DomainReport {
  const report = named(VERIFYING, 'blog.example.com');
  const action = 'Delete the A record at blog.example.com: it is in the way. Then create the CNAME record.';
  return {
    ...report,
    reason: 'traffic_record_conflict',
    message: action,
    records: report.records.map(record =>
      record.purpose === 'traffic'
        ? { ...record, state: 'conflict', observed: ['203.0.113.7', '2001:db8::7'], action }
        : { ...record, state: 'ok', observed: [record.value], action: null },
    ),
    checkedAt: ago(4),
    nextCheckAt: ahead(11),
    next: [action],
    milestones: milestones(5 * MINUTE),
    history: history([5 * MINUTE, 'pending_dns: added'], [40, 'verifying: Looking for the records.']),
  };
}

function apex(): DomainReport {
  const name = 'example.org';
  const challenge = 'petstore-5b8c0f6a1d9e4c7bb2f3a6d8e9c01234';
  return {
    ...named(ADDED, name),
    kind: 'apex',
    records: [
      { ...TRAFFIC, type: 'ALIAS', name, label: '@', value: TARGET },
      {
        ...TRAFFIC,
        purpose: 'ownership',
        type: 'TXT',
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
    ],
  };
}
