import { expect, test } from 'vitest';
import { exitCodeOf } from '../../../../infra/cli/domains/verify-domain.ts';
import {
  curlCommand,
  nextLoss,
  removalConsequences,
  urgency,
} from '../../../../infra/operator/domains/domain-report.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { STATES } from '../../dashboard/shown-domains.ts';
import {
  ADDED,
  FAILED,
  ISSUING,
  inUse,
  LIVE,
  READY,
  REDIRECTING,
  ROUTING,
  SECOND,
  TRAFFIC,
  VERIFYING,
} from './domain-fixture.ts';

const withTraffic = (state: DomainReport['records'][number]['state']): DomainReport => ({
  ...ISSUING,
  status: 'verifying',
  records: [{ ...TRAFFIC, state, todo: { kind: state === 'unreachable' ? 'ask' : 'correct' } }],
});

test.for([
  [0, 'live', LIVE],
  [3, 'live, but the last check found a fault', { ...LIVE, reason: 'traffic_record_mismatch' }],
  [0, 'ready to switch', READY],
  [3, 'ready, but no longer at API Gateway', { ...READY, reason: 'domain_name_foreign' }],
  [4, 'ready, but our edge does not respond', { ...READY, reason: 'https_unreachable' }],
  [4, 'in use, and its traffic is still elsewhere', inUse({ ...READY, status: 'verifying' })],
  [3, 'added, and its records are missing', ADDED],
  [3, 'a record is missing', VERIFYING],
  [3, 'a record has another value', withTraffic('mismatch')],
  [3, 'a record is in conflict with another', withTraffic('conflict')],
  [3, 'a CAA record forbids the certificate', { ...ISSUING, reason: 'caa_blocked' }],
  [3, 'failed', FAILED],
  [4, 'the certificate is being issued', ISSUING],
  [3, 'the certificate is delayed', { ...ISSUING, reason: 'certificate_delayed' }],
  [
    4,
    'a DNS server does not answer',
    { ...withTraffic('unreachable'), reason: 'traffic_record_unreachable' },
  ],
  [4, 'being removed', { ...VERIFYING, status: 'removing', reason: null }],
  [3, 'its removal has stalled', { ...VERIFYING, status: 'removing', reason: 'certificate_in_use' }],
] as const)('%i: %s', ([exitCode, , report]) => expect(exitCodeOf(report)).toBe(exitCode));

test('what is lost comes first, then what is lost next, with the time of it, and last what nobody has to look after', () => {
  const states = ['live', 'live-renewal-blocked', 'missing', 'live-takeover', 'live-records-gone'] as const;
  const inOrder = states.toSorted((left, right) => (urgency(STATES[left]) < urgency(STATES[right]) ? -1 : 1));
  expect(inOrder.map(state => [state, nextLoss(STATES[state])?.words])).toEqual([
    ['live-records-gone', undefined],
    ['live-takeover', 'Lost'],
    ['missing', 'Claim ends'],
    ['live-renewal-blocked', 'Certificate expires'],
    ['live', undefined],
  ]);
  expect(nextLoss(STATES.ready)).toEqual({ words: 'Switch', at: STATES.ready.deadlines.switch });
});

test('a removal says what stops, and which domain becomes the primary one', () => {
  expect(removalConsequences(LIVE, ROUTING)).toEqual([
    'https://www.example.com stops responding.',
    'https://c.example.com no longer redirects to it, and serves the project instead.',
    'www.example.com is the primary domain. b.example.com becomes the primary domain instead.',
  ]);
  expect(removalConsequences(LIVE, ROUTING, [LIVE.domain, SECOND.domain])).toContain(
    'www.example.com is the primary domain. c.example.com becomes the primary domain instead.',
  );
  expect(removalConsequences(REDIRECTING, ROUTING)).toEqual([
    'https://c.example.com stops redirecting to https://www.example.com.',
  ]);
});

test('a domain that is not live serves nothing, also when it was to redirect to a removed one', () => {
  const alone = { ...ROUTING, liveDomains: [LIVE.domain] };
  expect(removalConsequences(LIVE, alone)).toEqual([
    'https://www.example.com stops responding.',
    'www.example.com is the primary domain. No other domain is live, so the project goes back to its default URL.',
  ]);
  expect(removalConsequences(ADDED, ROUTING)).toEqual([
    "www.example.com isn't live, so nothing goes offline. Other projects can claim it afterwards.",
  ]);
  expect(removalConsequences({ ...LIVE, status: 'removing' }, ROUTING)).toEqual([
    'www.example.com is already being removed.',
  ]);
});

test('the command calls a URL of this machine, a domain at its edge, with an API key', () => {
  const edge = { https: '127.0.0.1:8443', ca: '.local/ca.pem' };
  expect(curlCommand('https://pets.example.com', edge)).toBe(
    'curl -i -H "Authorization: Bearer $KEY" --cacert .local/ca.pem --connect-to pets.example.com:443:127.0.0.1:8443 https://pets.example.com/v1/pets',
  );
  expect(curlCommand('http://127.0.0.1:3000/staging', edge)).toBe(
    'curl -i -H "Authorization: Bearer $KEY" http://127.0.0.1:3000/staging/v1/pets',
  );
});
