import type { Domain } from '../life/domain.ts';
import { type DomainName, isRegistered, isWithin, registeredDomainOf } from '../life/domain-name.ts';
import { closestZone, type ZoneServers } from './closest-zone.ts';
import type { ZoneDelegation } from './delegation.ts';
import { timeLimit } from './dns-query.ts';
import { authoritativeLookup, type Found, type Lookup, resolverLookup, TIMEOUT_MS } from './lookup.ts';

/** Where to ask DNS about a domain: its zone's own name servers, and recursive resolvers, whose caches may lag. */
export interface VantagePoints {
  /** The closest zone that encloses the domain; undefined if it couldn't be determined. */
  readonly zone: string | undefined;
  /** Whether the domain is the name of a zone, which can't have a CNAME. */
  readonly isApex: boolean;
  /** The delegation of the domain, or of a sub-zone that encloses it; absent if it couldn't be determined. */
  readonly delegation?: ZoneDelegation;
  /** Knows what the owner has published, but no other zones. Undefined if the servers weren't found. */
  readonly authoritative: Lookup | undefined;
  /** Each of these servers separately; by default they agree. */
  readonly servers?: readonly Lookup[];
  readonly resolvers: readonly Lookup[];
}

/**
 * All look-ups of a check together take at most this long, four times as long as a silent server, and read at most this much,
 * ten times what a check needs: one domain costs the others no more than that.
 */
export const BUDGET_MS = 10_000;
const BUDGET_BYTES = 2 ** 18;

/** Finds the vantage points for a domain. */
export type FindVantagePoints = (domain: string) => Promise<VantagePoints>;

export interface VantagePointsOptions {
  readonly budgetMs?: number;
  readonly timeoutMs?: number;
}

/**
 * The vantage points for a domain. The budget starts now; once it's used up, all look-ups return `unknown`.
 */
export async function vantagePointsFor(
  domain: string,
  resolverAddresses: readonly string[],
  { budgetMs = BUDGET_MS, timeoutMs = TIMEOUT_MS }: VantagePointsOptions = {},
): Promise<VantagePoints> {
  const spent = new AbortController();
  let bytesLeft = BUDGET_BYTES;
  const spend = (bytes: number) => {
    bytesLeft -= bytes;
    if (bytesLeft < 0) spent.abort();
  };
  const budget = AbortSignal.any([timeLimit(budgetMs), spent.signal]);
  const limits = { timeoutMs, budget, spend, silent: new Set<string>() };
  const resolvers = resolverAddresses.map(address => resolverLookup(address, limits));
  const registered = registeredDomainOf(domain);
  const found = await closestZone(domain, registered, anyOf(resolvers), limits);
  const servers = found?.servers ?? [];
  const zone = found?.isCertain ? found.zone : undefined;
  return {
    zone,
    isApex: zone === domain,
    ...(found && isWithin(found.zone, registered) && { delegation: delegationOf(found) }),
    authoritative: servers.length > 0 ? authoritativeLookup(servers, limits) : undefined,
    servers: servers.map(server => authoritativeLookup([server], limits)),
    resolvers,
  };
}

function delegationOf({ zone, names, fault }: ZoneServers): ZoneDelegation {
  // Resolvers rotate the records.
  return { zone, nameServers: names.toSorted(), ...(fault !== undefined && { fault }) };
}

/** A look-up at all resolvers at once, with their combined values; unknown if none answers. */
export function anyOf(resolvers: readonly Lookup[]): Lookup {
  return async (name, type) => {
    const all = await Promise.all(resolvers.map(resolver => resolver(name, type)));
    const withRecords = all.filter(found => found.kind === 'records');
    const [first] = withRecords;
    if (!first) return all.find(found => found.kind !== 'unknown') ?? all[0] ?? NO_RESOLVER;
    return { ...first, values: [...new Set(withRecords.flatMap(({ values }) => values))] };
  };
}

const NO_RESOLVER: Found = { kind: 'unknown', why: 'no resolver' };

/** A name's zone with its servers, and its kind: a name with its own zone is an apex, however deep it is. */
type ZoneOf = (name: DomainName) => Promise<Pick<Domain, 'kind' | 'zone' | 'nameServers'>>;

/**
 * Finds the zone of a name that has no records yet. A domain that a registry delegates is a zone, whatever DNS shows. Anything
 * DNS doesn't show is assumed, and later checks find out.
 */
export function zoneFinder(vantagePoints: FindVantagePoints): ZoneOf {
  return async ({ domain, kind, registrable }) => {
    const { zone, isApex, delegation } = await vantagePoints(domain);
    const nameServers = delegation && [...delegation.nameServers];
    if (isRegistered(domain)) return { kind: 'apex', zone: domain, nameServers };
    if (zone === undefined) return { kind, zone: registrable, nameServers };
    return { kind: isApex ? 'apex' : 'subdomain', zone, nameServers };
  };
}
