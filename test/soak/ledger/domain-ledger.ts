import type { Report } from './violations.ts';

/** What is to become of a domain: it is served, or nothing of it is left. */
type DomainGoal = 'live' | 'removed';

export interface DomainEntry {
  readonly domain: string;
  readonly project: string;
  readonly stage: string;
  goal: DomainGoal;
  /** The redirect that was acknowledged last; undefined for none. */
  redirect: { readonly to: string; readonly status: number } | undefined;
}

/** What a domain is seen as, by its report and by a request to it. */
export interface SeenDomain {
  readonly domain: string;
  readonly status: string;
  readonly reason: string | null;
  readonly redirect: { readonly to: string; readonly status: number } | null;
  /** Its host in the platform zone. */
  readonly host: string;
  /** What an HTTPS request to the domain returned. */
  readonly served: string;
  /** What it should return, by the report. */
  readonly toBeServed: string;
}

/** The default URL of a project, which the service keeps by itself. */
export interface SeenDefaultUrl {
  readonly project: string;
  readonly stage: string;
  readonly platformDomain: string;
  readonly served: string;
  readonly toBeServed: string;
}

/** What the account has for custom domains and default URLs. */
export interface SeenAccount {
  /** The certificates in ACM, and the names of the records that validate them. */
  readonly certificates: readonly { readonly domain: string; readonly validation: string }[];
  /** The domain names at API Gateway. */
  readonly gatewayNames: readonly string[];
  /** The records of the platform zones, such as `CNAME abc.apps.petstore.test`. */
  readonly platformRecords: readonly string[];
  /** The items of the domains tables, such as `staging: www.example.com #owner`. */
  readonly items: readonly string[];
  /** The executions that still run. */
  readonly runningExecutions: readonly string[];
}

/** How an item that DynamoDB deletes by itself is marked. */
export const EXPIRES = ', expires';

/** What sweeps have seen is kept for a day. */
const SEEN_BY_SWEEPS = new RegExp(`: #(addresses|looks) .*${EXPIRES}$`);

/** Knows every domain that was added, and what is to become of it. */
export class DomainLedger {
  readonly #entries = new Map<string, DomainEntry>();

  get entries(): DomainEntry[] {
    return [...this.#entries.values()];
  }

  added(entry: Omit<DomainEntry, 'redirect'>): DomainEntry {
    const added = { ...entry, redirect: undefined };
    this.#entries.set(entry.domain, added);
    return added;
  }

  /** A removal was asked for: redirects to the domain end with it. */
  removing(entry: DomainEntry): void {
    entry.goal = 'removed';
    entry.redirect = undefined;
    for (const other of this.entries) if (other.redirect?.to === entry.domain) other.redirect = undefined;
  }

  /** The differences from the goals, which are violations when they do not go away. */
  differences(
    seen: readonly SeenDomain[],
    defaultUrls: readonly SeenDefaultUrl[],
    account: SeenAccount,
  ): Parameters<Report>[] {
    const live = this.entries.filter(({ goal }) => goal === 'live');
    const removed = seen.filter(({ domain }) => !live.some(entry => entry.domain === domain));
    const kept = [
      ...live.map(entry => keptFor(entry, seen)),
      ...defaultUrls.map(url => keptForDefaultUrl(url, account)),
    ];
    const expiring = this.entries.flatMap(({ domain, project, stage }) =>
      [`#former ${project}`, '#lease'].map(key => `${stage}: ${domain} ${key}${EXPIRES}`),
    );
    const leases = defaultUrls.map(
      ({ stage, platformDomain }) => `${stage}: ${platformDomain} #lease${EXPIRES}`,
    );
    const counts = defaultUrls.map(({ project, stage }) => `${stage}: #names ${project}`);
    const items = account.items.filter(item => !SEEN_BY_SWEEPS.test(item));
    const certificates = account.certificates.map(({ domain }) => domain);
    const all = (place: keyof Kept) => kept.flatMap(each => each[place]);
    return [
      ...live.flatMap(entry => liveDifferences(entry, seen)),
      ...removed.map(
        ({ domain, status }): Parameters<Report> => [
          'left behind',
          `${domain}, which was removed, is still ${status}`,
        ],
      ),
      ...defaultUrls.filter(({ served, toBeServed }) => served !== toBeServed).map(wrongDefaultUrl),
      ...compared('ACM has a certificate for', certificates, all('certificates')),
      ...compared('API Gateway has the domain name', account.gatewayNames, all('gatewayNames')),
      ...compared('Route 53 has the record', account.platformRecords, all('platformRecords')),
      ...compared('DynamoDB has the item', items, all('items'), [...expiring, ...leases, ...counts]),
      ...compared('Step Functions runs', account.runningExecutions, []),
    ];
  }
}

/** What must be in the account because of one thing, and is left behind if nothing else needs it. */
type Kept = Readonly<
  Record<'certificates' | 'gatewayNames' | 'platformRecords' | 'items', readonly string[]>
>;

function keptFor({ domain, project, stage }: DomainEntry, seen: readonly SeenDomain[]): Kept {
  const report = seen.find(each => each.domain === domain);
  return {
    certificates: [domain],
    gatewayNames: [domain],
    platformRecords: report ? [`CNAME ${report.host}`] : [],
    items: [`${domain} ${project}`, `${domain} #owner`, `#names ${project} ${domain}`].map(
      key => `${stage}: ${key}`,
    ),
  };
}

/**
 * The default URLs of an environment have one certificate and one wildcard in common, and every project a domain name of
 * its own.
 */
function keptForDefaultUrl(
  { project, stage, platformDomain }: SeenDefaultUrl,
  { certificates }: SeenAccount,
): Kept {
  const wildcard = `*.${platformDomain}`;
  const names = [wildcard, `${project}.${platformDomain}`];
  const validations = certificates.filter(({ domain }) => domain === wildcard);
  return {
    certificates: [wildcard],
    gatewayNames: names,
    platformRecords: [
      ...names.flatMap(name => [`A ${name}`, `AAAA ${name}`]),
      ...validations.map(({ validation }) => `CNAME ${validation}`),
    ],
    items: ['#slots #slots', `#default #${platformDomain}`, ...names.map(name => `#default ${name}`)].map(
      key => `${stage}: ${key}`,
    ),
  };
}

/** What is missing, there twice, or there although nothing needs it. */
function compared(
  found: string,
  seen: readonly string[],
  required: readonly string[],
  allowed: readonly string[] = [],
): Parameters<Report>[] {
  const counts = Map.groupBy(seen, name => name);
  const missing = new Set(required).difference(new Set(seen));
  return [
    ...[...missing].map((name): Parameters<Report> => ['lost', `missing: ${found} ${name}`]),
    ...[...counts].flatMap(([name, { length }]): Parameters<Report>[] => {
      if (!required.includes(name) && !allowed.includes(name))
        return [['left behind', `${found} ${name}, which nothing needs`]];
      return length > 1 ? [['doubled', `${found} ${name} ${length} times`]] : [];
    }),
  ];
}

function wrongDefaultUrl({ project, stage, served, toBeServed }: SeenDefaultUrl): Parameters<Report> {
  return [
    'not at its goal',
    `the default URL of ${project} of ${stage} returns ${served}, not ${toBeServed}`,
  ];
}

function liveDifferences(entry: DomainEntry, seen: readonly SeenDomain[]): Parameters<Report>[] {
  const { domain, redirect } = entry;
  const report = seen.find(each => each.domain === domain);
  if (!report) return [['lost', `${domain} of ${entry.stage} was added and is missing`]];
  if (report.status !== 'live' || report.reason !== null) {
    return [
      ['not at its goal', `${domain} of ${entry.stage} is ${report.status} (${report.reason}), not live`],
    ];
  }
  const wanted = redirect ? `${redirect.status} to ${redirect.to}` : 'none';
  const kept = report.redirect ? `${report.redirect.status} to ${report.redirect.to}` : 'none';
  const found: Parameters<Report>[] = [];
  if (wanted !== kept)
    found.push(['altered', `the redirect of ${domain} is ${kept}, not ${wanted} as acknowledged`]);
  if (report.served !== report.toBeServed) {
    found.push(['not at its goal', `${domain} returns ${report.served}, not ${report.toBeServed}`]);
  }
  return found;
}
