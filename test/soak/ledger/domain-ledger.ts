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
  /** What an HTTPS request to the domain returned. */
  readonly served: string;
  /** What it should return, by the report. */
  readonly toBeServed: string;
}

/** What the account has for custom domains. */
export interface SeenAccount {
  /** The domain names of the certificates in ACM. */
  readonly certificates: readonly string[];
  /** The domain names at API Gateway. */
  readonly gatewayNames: readonly string[];
  /** The hosts in the platform zones, and those that the reports of live domains name. */
  readonly hosts: readonly string[];
  readonly hostsInUse: readonly string[];
  /** The executions that still run. */
  readonly runningExecutions: readonly string[];
  /** The items of the domains tables, such as `www.example.com #owner`, but for those of live domains. */
  readonly records: readonly string[];
}

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
  differences(seen: readonly SeenDomain[], account: SeenAccount): Parameters<Report>[] {
    const found: Parameters<Report>[] = [];
    const live = this.entries.filter(({ goal }) => goal === 'live');
    const liveNames = live.map(({ domain }) => domain);
    for (const entry of live) found.push(...liveDifferences(entry, seen));
    for (const { domain, status } of seen) {
      if (liveNames.includes(domain)) continue;
      found.push(['left behind', `${domain}, which was removed, is still ${status}`]);
    }
    for (const [place, names] of [
      ['ACM has a certificate', account.certificates],
      ['API Gateway has a domain name', account.gatewayNames],
    ] as const) {
      for (const name of liveNames) {
        const count = names.filter(each => each === name).length;
        if (count > 1) found.push(['doubled', `${place} for ${name} ${count} times`]);
        if (count === 0)
          found.push(['lost', `${name} is to be live, and ${place.replace('has a', 'has no')} for it`]);
      }
      for (const name of names) {
        if (!liveNames.includes(name))
          found.push(['left behind', `${place} for ${name}, which is not to be live`]);
      }
    }
    for (const host of account.hosts) {
      if (!account.hostsInUse.includes(host))
        found.push(['left behind', `the host ${host} of no domain is in Route 53`]);
    }
    for (const execution of account.runningExecutions) {
      found.push(['left behind', `the execution ${execution} still runs`]);
    }
    for (const record of account.records) {
      const [domain = ''] = record.split(' ');
      if (!liveNames.includes(domain))
        found.push(['left behind', `the domains table has the item ${record}`]);
    }
    return found;
  }
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
