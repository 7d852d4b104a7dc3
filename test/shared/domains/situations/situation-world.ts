import { clock as makeClock } from '../../../../shared/domains/clock.ts';
import type { FindVantagePoints } from '../../../../shared/domains/dns/vantage-points.ts';
import { liveRouting } from '../../../../shared/domains/pass/live-routing.ts';
import { managedRecords } from '../../../../shared/domains/pass/managed-records.ts';
import { takeover } from '../../../../shared/domains/pass/takeover.ts';
import type { Reach, Reached } from '../../../../shared/domains/reach.ts';
import { keptProjects } from '../../projects/kept-projects.ts';
import { REDIRECTS } from '../claimed-domain.ts';
import { type ZoneContent, zoneLookup } from '../dns/zone-lookup.ts';
import { keptClaims } from '../stored-claims.ts';
import type { Situation } from './situation.ts';
import {
  type AwsState,
  accountZonesIn,
  awsOf,
  certificatesIn,
  frontIn,
  platformZoneIn,
} from './situation-aws.ts';

/** The world of a situation behind the ports of the domains, with a clock that stands still. */
export function worldOf(situation: Situation) {
  const { nowMs, claim, rival, sibling, owner } = situation;
  const aws = awsOf(situation);
  const claims = keptClaims();
  for (const kept of [claim, rival, sibling]) if (kept) claims.keep(kept);
  if (owner !== null) claims.own(claim.domain, owner);
  const projects = keptProjects(situation.projects);
  const clock = makeClock(1, () => nowMs);
  const base = {
    clock,
    domains: claims.store,
    projects,
    certificates: certificatesIn(situation, aws),
    front: frontIn(situation, aws),
    zone: platformZoneIn(aws),
    accountZones: accountZonesIn(situation, aws),
    vantagePoints: vantagePointsIn(situation),
    reach: reachIn(situation, aws),
    redirectApi: REDIRECTS,
  };
  const parts = {
    ...base,
    managedRecords: managedRecords(base),
    takeover: takeover(base),
    ...liveRouting(base),
  };
  return { parts, aws };
}

function vantagePointsIn({ dns }: Situation): FindVantagePoints {
  const { zone, delegation, published, servers, resolvers } = dns;
  const lookup = (content: ZoneContent) => zoneLookup(() => content);
  return async domain => ({
    zone: zone ?? undefined,
    isApex: zone === domain,
    ...(delegation && { delegation }),
    authoritative: published === null ? undefined : lookup(published),
    ...(servers && { servers: servers.map(lookup) }),
    resolvers: resolvers.map(lookup),
  });
}

/** Requests end as the situation says, unless API Gateway itself could not respond so. */
function reachIn({ reach }: Situation, aws: AwsState): Reach {
  return async (domain, { serials }, edgeHost, published = []) => {
    const name = aws.names.get(domain);
    const serial = aws.certificates.get(name?.certificateArn ?? '')?.view.serial;
    const throughEdge = (reached: Reached): Reached => {
      if (reached.kind !== 'reached') return reached;
      if (name?.host !== edgeHost) return { kind: 'unreachable', why: 'The name has no IP address.' };
      if (serial && !reached.isProxied && !serials.includes(serial)) return WRONG_CERTIFICATE;
      return aws.routes.has(domain) ? reached : NOT_MAPPED;
    };
    const visitors = published.length > 0 ? reach.later : reach.visitors;
    return { edge: throughEdge(reach.edge), visitors: throughEdge(visitors) };
  };
}

const WRONG_CERTIFICATE: Reached = { kind: 'certificate_wrong', why: "It isn't the domain's own." };
const NOT_MAPPED: Reached = { kind: 'answer_foreign', why: "The response (403) isn't from the API." };
