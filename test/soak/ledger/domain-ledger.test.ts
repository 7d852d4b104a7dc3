import { describe, expect, test } from 'vitest';
import { DomainLedger, type SeenAccount, type SeenDomain } from './domain-ledger.ts';

const LIVE = 'www.example.com';
const HOST = 'abc.apps.petstore.test';

const seen = (fields: Partial<SeenDomain> = {}): SeenDomain => ({
  domain: LIVE,
  status: 'live',
  reason: null,
  redirect: null,
  served: '200',
  toBeServed: '200',
  ...fields,
});

const account = (fields: Partial<SeenAccount> = {}): SeenAccount => ({
  certificates: [LIVE],
  gatewayNames: [LIVE],
  hosts: [HOST],
  hostsInUse: [HOST],
  runningExecutions: [],
  records: [`${LIVE} petstore`, `${LIVE} #owner`],
  ...fields,
});

/** A ledger with a domain that is to be live, and one that was removed. */
function ledger() {
  const domains = new DomainLedger();
  const live = domains.added({ domain: LIVE, project: 'petstore', stage: 'staging', goal: 'live' });
  const removed = domains.added({
    domain: 'old.example.com',
    project: 'petstore',
    stage: 'staging',
    goal: 'live',
  });
  domains.removing(removed);
  return { domains, live };
}

const kinds = (found: ReturnType<DomainLedger['differences']>) => found.map(([kind]) => kind);

describe('the ledger of domains', () => {
  test('accepts a live domain with what belongs to it, and nothing of a removed one', () => {
    expect(ledger().domains.differences([seen()], account())).toEqual([]);
  });

  test.each<[string, SeenDomain[], Partial<SeenAccount>]>([
    ['lost', [], {}],
    ['not at its goal', [seen({ status: 'verifying' })], {}],
    ['not at its goal', [seen({ reason: 'mapping_changed' })], {}],
    ['not at its goal', [seen({ served: '403' })], {}],
    ['altered', [seen({ redirect: { to: 'example.com', status: 301 } })], {}],
    ['lost', [seen()], { certificates: [] }],
    ['lost', [seen()], { gatewayNames: [] }],
    ['doubled', [seen()], { certificates: [LIVE, LIVE] }],
    ['left behind', [seen()], { certificates: [LIVE, 'old.example.com'] }],
    ['left behind', [seen()], { gatewayNames: [LIVE, 'old.example.com'] }],
    ['left behind', [seen()], { hosts: [HOST, 'def.apps.petstore.test'] }],
    ['left behind', [seen()], { runningExecutions: ['arn'] }],
    ['left behind', [seen()], { records: ['old.example.com #owner'] }],
    ['left behind', [seen()], { records: ['#outbox #2026'] }],
    ['left behind', [seen(), seen({ domain: 'old.example.com', status: 'removing' })], {}],
  ])('reports what is %s: %j %j', (kind, domains, fields) => {
    expect(kinds(ledger().domains.differences(domains, account(fields)))).toEqual([kind]);
  });

  test('expects the redirect that was acknowledged last, until its target is removed', () => {
    const { domains, live } = ledger();
    const target = domains.added({
      domain: 'example.com',
      project: 'petstore',
      stage: 'staging',
      goal: 'live',
    });
    live.redirect = { to: 'example.com', status: 308 };
    const differences = () => kinds(domains.differences([seen()], account()));
    expect(differences()).toContain('altered');
    domains.removing(target);
    expect(differences()).toEqual([]);
  });
});
