import { processVariables, required, type Variables } from '../environment.ts';
import { type ProjectStore, projectStore, type UnmetRequirement } from '../projects/project-store.ts';
import { type AccountZones, accountZones } from './aws/account-zones.ts';
import { type Certificates, certificates } from './aws/certificates.ts';
import { type Flows, flows } from './aws/flows.ts';
import { type ApiStage, type GatewayDomains, gatewayDomains } from './aws/gateway-domains.ts';
import { type GatewaySlots, gatewaySlots } from './aws/gateway-slots.ts';
import { type PlatformZone, platformZone } from './aws/platform-zone.ts';
import { type Lookup, resolverLookup } from './dns/lookup.ts';
import {
  type AnsweringZone,
  answeringZone,
  type Delegation,
  platformDelegation,
} from './dns/platform-delegation.ts';
import { type VantagePoints, vantagePointsFor, type ZoneOf, zoneFinder } from './dns/vantage-points.ts';
import type { Domain } from './life/domain.ts';
import { type DomainStore, domainStore } from './life/domain-store.ts';
import { type Reach, reacher } from './reach.ts';
import { attachment } from './steps/attachment.ts';
import { flowWatch, recordFailure } from './steps/flow-watch.ts';
import { liveRouting, type MappingFailure, pendingMappings, projectDomains } from './steps/live-routing.ts';
import { type ManagedRecords, managedRecords } from './steps/managed-records.ts';
import { rechecker } from './steps/recheck.ts';
import { reconciler } from './steps/reconciler.ts';
import { forget, removal } from './steps/removal.ts';
import { verification } from './steps/verification.ts';

/** Everything that works on custom domains, each part built on those above it. */
export interface DomainServices {
  readonly now: () => number;
  readonly domains: DomainStore;
  readonly projects: ProjectStore;
  readonly vantagePoints: (domain: string) => Promise<VantagePoints>;
  readonly zoneOf: ZoneOf;
  readonly certificates: Certificates;
  readonly gateway: GatewayDomains;
  /** What waits and deadlines are multiplied by: 1 on AWS. */
  readonly waitScale: number;
  readonly slots: GatewaySlots;
  readonly zone: PlatformZone;
  readonly reach: Reach;
  readonly accountZones: AccountZones;
  readonly flows: Flows;
  readonly redirectApi: ApiStage;
  /** The platform's own zone, such as apps.petstore.example; undefined in an environment that has none. */
  readonly platformDomain: string | undefined;
  /** Public resolvers, each by itself. */
  readonly resolvers: readonly Lookup[];
  /** The same resolvers, asked for the zone that answers for a name. */
  readonly answeringZones: readonly AnsweringZone[];
  readonly platformDelegation: () => Promise<Delegation>;
  /** The host of an API on AWS, which a claimed host points at until the domain is attached. */
  readonly endpointOf: (apiId: string) => string;
  readonly managedRecords: ManagedRecords;
  readonly apiStageOf: (domain: Domain) => Promise<ApiStage | undefined>;
  readonly unmetRequirementOf: (domain: Domain) => Promise<UnmetRequirement | undefined>;
  readonly commitLive: (next: Domain) => Promise<void>;
  readonly route: (domain: Domain) => Promise<void>;
  readonly remap: (project?: string, also?: string) => Promise<MappingFailure[]>;
  readonly reconcile: (domain: Domain) => Promise<Domain>;
  readonly recheck: (domain: Domain) => Promise<Domain>;
  /** Repairs what is ours of a live domain, and checks it. */
  readonly repair: (domain: Domain) => Promise<Domain>;
  readonly watchFlow: (domain: Domain) => Promise<boolean>;
  readonly verification: ReturnType<typeof verification>;
  readonly attachment: ReturnType<typeof attachment>;
  readonly removal: ReturnType<typeof removal>;
  readonly forget: ReturnType<typeof forget>;
  readonly recordFailure: ReturnType<typeof recordFailure>;
}

/**
 * The composition root of custom domains: the operator, the steps of the flows and the checks all get their parts from
 * here. `variables` reads environment variables. A part is built when it is first used, since every function has the
 * variables of the parts that it uses and no others. `given` replaces parts, for a simulated clock or DNS.
 */
export function domainServices(
  variables: Variables = processVariables,
  given: Partial<DomainServices> = {},
): DomainServices {
  const variable = (name: string) => required(name, variables);
  const resolverAddresses = () => variable('DNS_RESOLVERS').split(',');
  const services: DomainServices = lazily(
    {
      now: () => Date.now,
      domains: () => domainStore(variable('DOMAINS_TABLE')),
      projects: () => projectStore(variable('PROJECTS_TABLE')),
      vantagePoints: () => {
        const resolvers = resolverAddresses();
        return domain => vantagePointsFor(domain, resolvers);
      },
      zoneOf: () => zoneFinder(services),
      certificates: () => certificates(variable('ENVIRONMENT')),
      gateway: () => gatewayDomains(variable('ENVIRONMENT')),
      waitScale: () => Number(variables('WAIT_SCALE') || 1),
      slots: () => gatewaySlots(variable('DOMAINS_TABLE'), services.waitScale),
      zone: () => platformZone(variables('PLATFORM_ZONE_ID')),
      reach: () => reacher(resolverAddresses()),
      accountZones: () => accountZones(JSON.parse(variable('MANAGED_ZONE_IDS'))),
      flows: () => flows(variable('VERIFY_MACHINE_ARN'), variable('REMOVE_MACHINE_ARN')),
      redirectApi: () => ({ apiId: variable('REDIRECT_API_ID'), stage: variable('REDIRECT_STAGE') }),
      platformDomain: () => variables('PLATFORM_DOMAIN'),
      resolvers: () => resolverAddresses().map(address => resolverLookup(address)),
      answeringZones: () => resolverAddresses().map(address => answeringZone(address)),
      platformDelegation: () => platformDelegation(services),
      endpointOf: () => {
        const region = variable('AWS_REGION');
        return apiId => `${apiId}.execute-api.${region}.amazonaws.com`;
      },
      managedRecords: () => managedRecords(services),
      apiStageOf: () => projectDomains(services).apiStageOf,
      unmetRequirementOf: () => projectDomains(services).unmetRequirementOf,
      commitLive: () => projectDomains(services).commitLive,
      route: () => liveRouting(services),
      remap: () => pendingMappings(services),
      reconcile: () => reconciler(services),
      recheck: () => rechecker(services).recheck,
      repair: () => rechecker(services).repair,
      watchFlow: () => flowWatch(services),
      verification: () => verification(services),
      attachment: () => attachment(services),
      removal: () => removal(services),
      forget: () => forget(services),
      recordFailure: () => recordFailure(services),
    },
    given,
  );
  return services;
}

/** An object whose properties are built by these functions, each when it is first read, unless they are given. */
function lazily<Parts extends object>(
  builders: { readonly [Name in keyof Parts]: () => Parts[Name] },
  given: Partial<Parts>,
): Parts {
  const parts = {} as Parts;
  for (const name of Object.keys(builders) as (keyof Parts)[]) {
    Object.defineProperty(parts, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = given[name] ?? builders[name]();
        Object.defineProperty(parts, name, { value, enumerable: true });
        return value;
      },
    });
  }
  return parts;
}
