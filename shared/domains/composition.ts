/**
 * The composition root of custom domains: one builder for each group of functions, which assembles what the group needs. A
 * builder reads its functions' environment variables; the outside world (time, DNS, HTTPS) can be passed in, as the simulation
 * does.
 */
import { processVariables, required, type Variables } from '../environment.ts';
import { projectStore } from '../projects/project-store.ts';
import { accountZones } from './aws/account-zones.ts';
import { type Certificates, certificates } from './aws/certificates.ts';
import { flows } from './aws/flows.ts';
import { gatewayAddresses } from './aws/gateway-addresses.ts';
import { gatewayFront } from './aws/gateway-domains.ts';
import { gatewaySlots } from './aws/gateway-slots.ts';
import { platformZone } from './aws/platform-zone.ts';
import { type Clock, functionClock } from './clock.ts';
import { type DefaultUrls, defaultUrls, NO_DEFAULT_URLS } from './default-urls.ts';
import { type Lookup, resolverLookup } from './dns/lookup.ts';
import { type AnsweringZone, answeringZone, platformDelegation } from './dns/platform-delegation.ts';
import { type FindVantagePoints, vantagePointsFor, zoneFinder } from './dns/vantage-points.ts';
import type { ApiStage, Front } from './front.ts';
import type { Domain } from './life/domain.ts';
import { type DomainStore, domainStore } from './life/domain-store.ts';
import { liveRouting } from './pass/live-routing.ts';
import { managedRecords } from './pass/managed-records.ts';
import { reconciler } from './pass/reconciler.ts';
import { sweeper } from './pass/sweep.ts';
import { takeover } from './pass/takeover.ts';
import { type Tended, tender } from './pass/tend.ts';
import { worker as workerOf } from './pass/worker.ts';
import { type Reach, reacher } from './reach.ts';

/** The outside world. Whatever is left out is real: the machine's clock, and public DNS. */
interface Outside {
  readonly clock?: Clock;
  readonly vantagePoints?: FindVantagePoints;
  readonly reach?: Reach;
  /** Public resolvers, each by itself. */
  readonly resolvers?: readonly Lookup[];
  /** Finds the zone that answers for a name, one per resolver. */
  readonly answeringZones?: readonly AnsweringZone[];
}

/** The state machine's task. */
export function worker(variables: Variables = processVariables, outside: Outside = {}) {
  const parts = passParts(variables, outside);
  return workerOf({ ...parts, tend: tender(parts) });
}

/** What the scheduled reconcile needs. */
export function reconcileParts(variables: Variables = processVariables, outside: Outside = {}) {
  const parts = {
    ...passParts(variables, outside),
    flows: flows(required('TEND_MACHINE_ARN', variables)),
  };
  const resolvers = resolversOf(variables, outside);
  const tendHeld = tender(parts, parts.flows.start);
  /** One pass over a domain; undefined if somebody else works on it for longer than this. */
  const tend = (claim: Domain, patienceMs = 0): Promise<Tended | undefined> =>
    parts.domains.holding(claim.domain, holder => tendHeld(claim, holder), patienceMs);
  return {
    ...parts,
    reconcile: reconciler(parts),
    tend,
    sweep: sweeper({ ...parts, tend }),
    sampleAddresses: (hosts: readonly string[]) =>
      addressesOf(variables, parts.clock).sample(hosts, resolvers),
  };
}

/** What the commands of operators need. */
export function operatorParts(variables: Variables = processVariables, outside: Outside = {}) {
  const { answeringZones = resolverAddresses(variables).map(answeringZone) } = outside;
  const parts = {
    ...reconcileParts(variables, outside),
    resolvers: resolversOf(variables, outside),
    answeringZones,
    /** The platform's own zone, such as apps.petstore.example; undefined in an environment that has none. */
    platformDomain: variables('PLATFORM_DOMAIN'),
  };
  const region = required('AWS_REGION', variables);
  const suffix = required('URL_SUFFIX', variables);
  return {
    ...parts,
    defaultUrls: projectUrls(variables, outside),
    platformDelegation: platformDelegation(parts, parts.clock),
    zoneOf: zoneFinder(parts.vantagePoints),
    /** The host of an API on AWS, which a claimed host points at until the domain is attached. */
    endpointOf: (apiId: string) => `${apiId}.execute-api.${region}.${suffix}`,
  };
}
export type OperatorParts = ReturnType<typeof operatorParts>;

/** The default URLs of projects. */
export function projectUrls(variables: Variables = processVariables, outside: Outside = {}): DefaultUrls {
  const { clock = functionClock(variables) } = outside;
  const platformDomain = variables('PLATFORM_DOMAIN');
  if (platformDomain === undefined) return NO_DEFAULT_URLS;
  return defaultUrls({
    platformDomain,
    redirectApi: redirectApiOf(variables),
    tableName: required('DOMAINS_TABLE', variables),
    projects: projectStore(required('PROJECTS_TABLE', variables)),
    certificates: certificatesOf(variables),
    ...servingParts(variables, outside),
    clock,
  });
}

/** The record of a domain, and what DNS and ACM say about it. */
function inspectionParts(variables: Variables, outside: Outside) {
  const { clock = functionClock(variables), vantagePoints = publicVantagePoints(variables) } = outside;
  return {
    domains: domainsOf(variables, clock),
    certificates: certificatesOf(variables),
    vantagePoints,
    clock,
  };
}

/** What a domain is served by: its domain name at API Gateway, and its host in the platform's zone. */
function servingParts(variables: Variables, { clock = functionClock(variables) }: Outside = {}) {
  return {
    front: gatewayFront(
      required('ENVIRONMENT', variables),
      gatewaySlots(required('DOMAINS_TABLE', variables), clock),
    ),
    zone: platformZone(variables('PLATFORM_ZONE_ID')),
  };
}

/** For live domains, also how they're mapped, and what HTTPS requests show. */
function liveParts(variables: Variables, outside: Outside) {
  const parts = { ...inspectionParts(variables, outside), ...servingParts(variables, outside) };
  return { ...parts, ...routing(variables, parts), reach: reachOf(variables, outside, parts.clock) };
}

/** What a pass over a domain needs. */
function passParts(variables: Variables, outside: Outside) {
  const parts = liveParts(variables, outside);
  return { ...parts, managedRecords: managedRecordsOf(variables, parts), takeover: takeover(parts) };
}

function domainsOf(variables: Variables, clock: Clock): DomainStore {
  return domainStore(required('DOMAINS_TABLE', variables), clock.now);
}

function certificatesOf(variables: Variables): Certificates {
  return certificates(required('ENVIRONMENT', variables));
}

function managedRecordsOf(
  variables: Variables,
  parts: { domains: DomainStore; certificates: Certificates; vantagePoints: FindVantagePoints },
) {
  const zoneIds = JSON.parse(required('MANAGED_ZONE_IDS', variables));
  return managedRecords({ ...parts, accountZones: accountZones(zoneIds) });
}

/** The projects, and how the domains of a project are mapped. */
function routing(variables: Variables, parts: { domains: DomainStore; front: Front; clock: Clock }) {
  const projects = projectStore(required('PROJECTS_TABLE', variables));
  return { projects, ...liveRouting({ ...parts, projects, redirectApi: redirectApiOf(variables) }) };
}

/** The API of hosts that redirect. */
function redirectApiOf(variables: Variables): ApiStage {
  return { apiId: required('REDIRECT_API_ID', variables), stage: required('REDIRECT_STAGE', variables) };
}

function reachOf(variables: Variables, { reach }: Outside, clock: Clock): Reach {
  if (reach) return reach;
  const { remembered } = addressesOf(variables, clock);
  const secret = required('PROOF_SECRET', variables);
  return reacher(resolverAddresses(variables), { secret, gatewayAddresses: remembered });
}

function addressesOf(variables: Variables, { now }: Clock) {
  return gatewayAddresses(required('DOMAINS_TABLE', variables), now);
}

function resolversOf(variables: Variables, { resolvers }: Outside): readonly Lookup[] {
  return resolvers ?? resolverAddresses(variables).map(address => resolverLookup(address));
}

function resolverAddresses(variables: Variables): string[] {
  return required('DNS_RESOLVERS', variables).split(',');
}

function publicVantagePoints(variables: Variables): FindVantagePoints {
  const addresses = resolverAddresses(variables);
  return domain => vantagePointsFor(domain, addresses);
}
