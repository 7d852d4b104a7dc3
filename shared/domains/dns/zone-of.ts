import type { Domain } from '../life/domain.ts';
import type { DomainName } from '../life/domain-name.ts';
import { delegatedDomainOf, type VantagePoints } from './vantage-points.ts';

/** The zone of a name, and its kind: a name with a zone of its own is an apex, however deep it is. */
export type ZoneOf = (name: DomainName) => Promise<Pick<Domain, 'kind' | 'zone'>>;

/**
 * Finds the zone of a name that nobody has created records for yet. A domain that a registry delegates is a zone; DNS is
 * not asked for it, because a resolver would keep the answer that it does not exist. What DNS does not tell is assumed
 * and found out by the checks of the domain.
 */
export function zoneFinder({
  vantagePoints,
}: {
  readonly vantagePoints: (domain: string) => Promise<VantagePoints>;
}): ZoneOf {
  return async ({ domain, kind, registrable }) => {
    if (domain === delegatedDomainOf(domain)) return { kind: 'apex', zone: domain };
    const { zone, isApex } = await vantagePoints(domain);
    return zone === undefined ? { kind, zone: registrable } : { kind: isApex ? 'apex' : 'subdomain', zone };
  };
}
