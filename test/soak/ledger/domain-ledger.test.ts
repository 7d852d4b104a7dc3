import { describe, expect, test } from 'vitest';
import { DomainLedger, type SeenAccount, type SeenDefaultUrl, type SeenDomain } from './domain-ledger.ts';

const LIVE = 'www.example.com';
const PLATFORM = 'apps.petstore.test';
const HOST = `abc.${PLATFORM}`;

const seen = (fields: Partial<SeenDomain> = {}): SeenDomain => ({
  domain: LIVE,
  status: 'live',
  reason: null,
  redirect: null,
  host: HOST,
  served: '200',
  toBeServed: '200',
  ...fields,
});

/** The default URLs of two projects. */
const defaultUrls = (fields: Partial<SeenDefaultUrl> = {}): SeenDefaultUrl[] => {
  const common = { stage: 'staging', platformDomain: PLATFORM, served: '200', toBeServed: '200' };
  return [
    { ...common, project: 'petstore', ...fields },
    { ...common, project: 'soak' },
  ];
};

const NAMES = ['*', 'petstore', 'soak'].map(label => `${label}.${PLATFORM}`);

const ACCOUNT: SeenAccount = {
  certificates: [
    { domain: LIVE, validation: `_1.${LIVE}` },
    { domain: `*.${PLATFORM}`, validation: `_2.${PLATFORM}` },
  ],
  gatewayNames: [LIVE, ...NAMES],
  platformRecords: [
    `CNAME ${HOST}`,
    `CNAME _2.${PLATFORM}`,
    ...NAMES.flatMap(name => [`A ${name}`, `AAAA ${name}`]),
  ],
  items: [
    `${LIVE} petstore`,
    `${LIVE} #owner`,
    '#names petstore',
    `#names petstore ${LIVE}`,
    '#slots #slots',
    ...[`#default #${PLATFORM}`, ...NAMES.map(name => `#default ${name}`)],
    'old.example.com #former petstore, expires',
    'old.example.com #lease, expires',
    `${PLATFORM} #lease, expires`,
    '#addresses #addresses, expires',
    '#looks 2026-01-01T12:00:00.000Z 0, expires',
  ].map(key => `staging: ${key}`),
  runningExecutions: [],
};

/** The account with something more, or without what contains a text. */
function accountWith(place: keyof SeenAccount, more: string): SeenAccount {
  const added = place === 'certificates' ? { domain: more, validation: `_3.${more}` } : more;
  return { ...ACCOUNT, [place]: [...ACCOUNT[place], added] };
}
function accountWithout(place: keyof SeenAccount, text: string): SeenAccount {
  return { ...ACCOUNT, [place]: ACCOUNT[place].filter(each => !JSON.stringify(each).includes(text)) };
}

/** A ledger with a domain that is to be live, and one that was removed. */
function ledger() {
  const domains = new DomainLedger();
  const added = (domain: string) =>
    domains.added({ domain, project: 'petstore', stage: 'staging', goal: 'live' });
  const live = added(LIVE);
  domains.removing(added('old.example.com'));
  return { domains, live, added };
}

const kinds = (found: ReturnType<DomainLedger['differences']>) => found.map(([kind]) => kind);

describe('the ledger of domains', () => {
  test('accepts live domains and default URLs with what belongs to them, and nothing of a removed domain', () => {
    expect(ledger().domains.differences([seen()], defaultUrls(), ACCOUNT)).toEqual([]);
  });

  test.each<[string, SeenDomain[]]>([
    ['lost', []],
    ['not at its goal', [seen({ status: 'verifying' })]],
    ['not at its goal', [seen({ reason: 'mapping_changed' })]],
    ['not at its goal', [seen({ served: '403' })]],
    ['altered', [seen({ redirect: { to: 'example.com', status: 301 } })]],
    ['left behind', [seen(), seen({ domain: 'old.example.com', status: 'removing' })]],
  ])('reports a domain that is %s: %j', (kind, domains) => {
    const account = domains.length > 0 ? ACCOUNT : accountWithout('platformRecords', HOST);
    expect(kinds(ledger().domains.differences(domains, defaultUrls(), account))).toEqual([kind]);
  });

  test('reports a default URL that is not served as the routing says', () => {
    const urls = defaultUrls({ toBeServed: `308 https://${LIVE}/` });
    expect(kinds(ledger().domains.differences([seen()], urls, ACCOUNT))).toEqual(['not at its goal']);
  });

  test.each<[keyof SeenAccount, string]>([
    ['certificates', LIVE],
    ['gatewayNames', LIVE],
    ['platformRecords', HOST],
    ['items', '#owner'],
    ['gatewayNames', '*'],
    ['gatewayNames', 'petstore.apps'],
    ['platformRecords', '_2'],
  ])('reports as lost, of the %s: %s', (place, missing) => {
    const account = accountWithout(place, missing);
    expect(kinds(ledger().domains.differences([seen()], defaultUrls(), account))).toEqual(['lost']);
  });

  test.each<[string, keyof SeenAccount, string]>([
    ['doubled', 'certificates', LIVE],
    ['doubled', 'gatewayNames', `*.${PLATFORM}`],
    ['left behind', 'certificates', 'old.example.com'],
    ['left behind', 'gatewayNames', 'old.example.com'],
    ['left behind', 'gatewayNames', `gone.${PLATFORM}`],
    ['left behind', 'platformRecords', `CNAME def.${PLATFORM}`],
    ['left behind', 'platformRecords', `A gone.${PLATFORM}`],
    ['left behind', 'runningExecutions', 'arn'],
    ['left behind', 'items', 'staging: old.example.com #owner'],
    ['left behind', 'items', 'staging: old.example.com #former petstore'],
    ['left behind', 'items', 'staging: old.example.com #lease'],
    ['left behind', 'items', 'staging: other.example.com #lease, expires'],
    ['left behind', 'items', 'staging: #looks 2026-01-01T12:00:00.000Z 0'],
    ['left behind', 'items', 'staging: #names petstore old.example.com'],
    ['left behind', 'items', 'staging: #outbox #2026'],
    ['left behind', 'items', `production: ${LIVE} #owner`],
  ])('reports as %s, of the %s: %s', (kind, place, more) => {
    const account = accountWith(place, more);
    expect(kinds(ledger().domains.differences([seen()], defaultUrls(), account))).toEqual([kind]);
  });

  test('expects the redirect that was acknowledged last, until its target is removed', () => {
    const { domains, live, added } = ledger();
    const target = added('example.com');
    live.redirect = { to: 'example.com', status: 308 };
    const differences = () => kinds(domains.differences([seen()], defaultUrls(), ACCOUNT));
    expect(differences()).toContain('altered');
    domains.removing(target);
    expect(differences()).toEqual([]);
  });
});
