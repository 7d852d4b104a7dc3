import type { Certificates } from '../aws/certificates.ts';
import { ownCertificate } from '../aws/certificates.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import type { FindVantagePoints } from '../dns/vantage-points.ts';
import type { Front } from '../front.ts';
import type { Domain } from '../life/domain.ts';
import { isBeingRemoved } from '../life/domain-status.ts';
import type { Reach } from '../reach.ts';
import type { Look, Seen } from './gates.ts';
import { sightOf } from './inspection.ts';
import type { LiveRouting } from './live-routing.ts';
import type { ManagedRecords } from './managed-records.ts';
import { supportOf, type takeover } from './takeover.ts';
import { caaVerdict, publishedBy } from './troubles.ts';

export interface ObserveParts extends Pick<LiveRouting, 'projectOf'> {
  readonly certificates: Pick<Certificates, 'view'>;
  readonly vantagePoints: FindVantagePoints;
  readonly front: Pick<Front, 'find' | 'isForeign' | 'routeOf'>;
  readonly zone: Pick<PlatformZone, 'targetOf'>;
  readonly managedRecords: Pick<ManagedRecords, 'zoneIdOf'>;
  readonly takeover: Pick<ReturnType<typeof takeover>, 'rivalOf'>;
  readonly reach: Reach;
}

/** Reads the world: one thing at a time, only what a decision asks for. Changes nothing. */
export function observer(parts: ObserveParts) {
  const { front, zone, managedRecords, takeover, reach } = parts;
  const looks: { readonly [Each in Look]-?: (claim: Domain, seen: Seen) => Promise<Seen[Each]> } = {
    sight: async claim => ({ ...(await sightOf(claim, parts)), of: claim }),
    caa: claim => caaVerdict(claim, parts),
    rival: async claim => {
      const owner = await takeover.rivalOf(claim);
      if (!owner) return null;
      // An owner who gives the name up needs no protection from a mistake in DNS.
      const isGivenUp = isBeingRemoved(owner);
      return { owner, support: isGivenUp ? 'gone' : await supportOf(owner, parts.vantagePoints) };
    },
    project: async claim => (await parts.projectOf(claim)) ?? null,
    front: async claim => (await front.find(claim)) ?? null,
    isForeign: ({ domain }) => front.isForeign(domain),
    route: async claim => (await front.routeOf(claim)) ?? null,
    host: async ({ target }) => (await zone.targetOf(target)) ?? null,
    reach: (claim, { front: attached }) =>
      reach(
        claim.domain,
        ownCertificate(claim),
        attached?.isOurs ? attached.host : claim.pointsAt,
        publishedBy(claim),
      ),
    zoneId: async ({ domain }) => (await managedRecords.zoneIdOf(domain)) ?? null,
  };
  return async (claim: Domain, look: Look, seen: Seen): Promise<Seen> => ({
    ...seen,
    [look]: await looks[look](claim, seen),
  });
}
