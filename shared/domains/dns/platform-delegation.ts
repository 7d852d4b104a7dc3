import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { query } from './dns-query.ts';
import { type Found, type Lookup, TIMEOUT_MS } from './lookup.ts';

/** Whether the parent of the platform's domain delegates it to the platform's zone, as public resolvers see it. */
export type Delegation =
  | { readonly isInPlace: true }
  | {
      readonly isInPlace: false;
      /** The name servers the parent should list. */
      readonly nameServers: readonly string[];
      /** What each resolver sees instead, in words. */
      readonly observed: readonly string[];
    };

/** A delegation rarely changes, and adding a domain shouldn't wait for DNS every time. */
const CONFIRMED_MS = 5 * 60_000;

interface DelegationParts {
  readonly platformDomain: string | undefined;
  /** The platform's hosted zone. */
  readonly zone: { nameServers(): Promise<readonly string[]> };
  readonly resolvers: readonly Lookup[];
  readonly answeringZones: readonly AnsweringZone[];
}

/**
 * Checks the delegation, and remembers for some minutes that it's in place. One resolver that sees the zone's name servers is
 * enough: the parent lists them then, and other resolvers have just cached an older answer.
 */
export function platformDelegation(parts: DelegationParts, clock: Clock) {
  let confirmedAtMs = Number.NEGATIVE_INFINITY;
  return async (): Promise<Delegation> => {
    if (clock.now() - confirmedAtMs < CONFIRMED_MS) return { isInPlace: true };
    const delegation = await currentDelegation(parts);
    if (delegation.isInPlace) confirmedAtMs = clock.now();
    return delegation;
  };
}

/**
 * The current delegation. Resolvers cache NS records for days, so each is also asked for a name nobody has asked for before:
 * the zone that answers is the one the parent delegates to.
 */
export async function currentDelegation(parts: DelegationParts): Promise<Delegation> {
  const { platformDomain = '', zone, resolvers, answeringZones } = parts;
  const fresh = `${randomBytes(10).toString('hex')}.${platformDomain}`;
  const [nameServers, seen, zones] = await Promise.all([
    zone.nameServers(),
    Promise.all(resolvers.map(lookup => lookup(platformDomain, 'NS'))),
    Promise.all(answeringZones.map(zoneFor => zoneFor(fresh))),
  ]);
  const wanted = new Set(nameServers);
  const missing = (observed: readonly string[]): Delegation => ({
    isInPlace: false,
    nameServers,
    observed: [...new Set(observed)],
  });
  if (!seen.some(found => names(found, wanted))) return missing(seen.map(inWords));
  if (zones.includes(platformDomain)) return { isInPlace: true };
  return missing(zones.map(found => (found === undefined ? 'no answer' : `the zone ${found} answering`)));
}

/** Whether exactly these name servers were found: if a foreign one is among them, some visitors get foreign answers. */
function names(found: Found, wanted: ReadonlySet<string>): boolean {
  return found.kind === 'records' && new Set(found.values).symmetricDifference(wanted).size === 0;
}

function inWords(found: Found): string {
  switch (found.kind) {
    case 'records':
      return found.values.toSorted().join(', ');
    case 'alias':
      return `an alias of ${found.target}`;
    case 'none':
      return 'no NS records';
    case 'unknown':
      return `no answer (${found.why})`;
  }
}

/** The zone that answers for a name that doesn't exist; undefined if the resolver doesn't say. */
export type AnsweringZone = (name: string) => Promise<string | undefined>;

/**
 * Asks a recursive resolver for a name, and returns the owner of the SOA record in its "no such name" answer: the zone the
 * resolver was led to.
 */
export function answeringZone(server: string): AnsweringZone {
  return async name => {
    try {
      const { authorities } = await query(
        server,
        { name, type: 'TXT' },
        { isRecursive: true, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal },
      );
      return authorities.find(({ type }) => type === 'SOA')?.name;
    } catch {
      return undefined;
    }
  };
}
