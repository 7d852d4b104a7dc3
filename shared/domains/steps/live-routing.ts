import { transact } from '../../aws/transaction.ts';
import { describeError, log } from '../../log.ts';
import type { Project } from '../../projects/project.ts';
import {
  followingRouting,
  type PendingMapping,
  type ProjectStore,
  type UnmetRequirement,
  unmetRequirement,
} from '../../projects/project-store.ts';
import { activeRedirect, type Routing, withArrival, withLive, withoutLive } from '../../projects/routing.ts';
import type { Clock } from '../clock.ts';
import { type ApiStage, type Front, isSameRoute, isUnroutable } from '../front.ts';
import type { Domain } from '../life/domain.ts';
import { hasVisitors } from '../life/domain-reason.ts';
import { isAttached, isServed, isUnmapped } from '../life/domain-status.ts';
import { type DomainStore, saveUnlessStale } from '../life/domain-store.ts';

type Claims = Pick<DomainStore, 'find' | 'ownerOf'>;

interface LiveRoutingParts {
  readonly domains: Claims;
  readonly projects: Pick<ProjectStore, 'mappingStarted' | 'mapped'>;
  readonly front: Pick<Front, 'route' | 'unroute'>;
  readonly apiStageOf: ProjectDomains['apiStageOf'];
  readonly clock: Clock;
}

/** Redirects and owners are not changed more often than this while one mapping is written. */
const MAX_FOLLOWED_CHANGES = 10;

/**
 * Maps a live domain at API Gateway, again until the mapping is the one that the tables ask for, and unmaps one that is not
 * to be served. A function that ends before it has looked again may have written an old mapping over a newer one, or deleted
 * it, so it lists the domain first: the scheduled reconcile then maps it.
 */
export function liveRouting({ domains, projects, front, apiStageOf, clock }: LiveRoutingParts) {
  const requiredMapping = async (domain: Domain | undefined): Promise<ApiStage | undefined> =>
    domain && isAttached(domain) ? apiStageOf(domain) : undefined;

  const mapUntilRight = async (claim: Domain, first: ApiStage | undefined): Promise<void> => {
    let required = first;
    for (let change = 0; required && change < MAX_FOLLOWED_CHANGES; change += 1) {
      await front.route(claim, required);
      // One look decides: another could fail, and leave a domain mapped that was removed in the meantime.
      const present = await presentClaim(domains, claim);
      if (!present || isUnmapped(present)) return front.unroute(claim);
      const current = await requiredMapping(present);
      if (isSameRoute(current, required)) return;
      required = current;
    }
  };

  const listed = async ({ project, domain }: Domain, work: () => Promise<void>): Promise<void> => {
    const started = await projects.mappingStarted(project, domain, clock.now());
    try {
      await work();
    } catch (error) {
      // Mapping it again would not help. Any other error leaves open what became of the last call.
      if (isUnroutable(error)) await projects.mapped([started]);
      throw error;
    }
    await projects.mapped([started]);
  };

  return {
    /** Maps a live domain as the routing of its project asks for. */
    async route(claim: Domain): Promise<void> {
      const required = await requiredMapping(await presentClaim(domains, claim));
      if (required) await listed(claim, () => mapUntilRight(claim, required));
    },

    /** Deletes the mapping of a domain that failed or was removed, and restores it if the domain is live by then. */
    async unroute(claim: Domain): Promise<void> {
      const present = await presentClaim(domains, claim);
      if (present && !isUnmapped(present)) return;
      await listed(claim, async () => {
        await front.unroute(claim);
        await mapUntilRight(claim, await requiredMapping(await presentClaim(domains, claim)));
      });
    },
  };
}

export type LiveRouting = ReturnType<typeof liveRouting>;

/** The claim of a project, or what has become of it where it was moved to another one. */
async function presentClaim(
  domains: Claims,
  { domain, project }: Pick<Domain, 'domain' | 'project'>,
): Promise<Domain | undefined> {
  for (let look = 0; look < MAX_FOLLOWED_CHANGES; look += 1) {
    const own = await domains.find(domain, project);
    if (own && isAttached(own)) return own;
    const owner = await domains.ownerOf(domain);
    if (owner === undefined) return own;
    const owning = owner === project ? own : await domains.find(domain, owner);
    // Without it, the name has moved on between two reads.
    if (owning) return owning.movedFrom?.includes(project) ? owning : own;
  }
  throw new Error(`${domain} is moved all the time.`);
}

interface PendingMappingsParts {
  readonly domains: DomainStore;
  readonly projects: ProjectStore;
  readonly route: LiveRouting['route'];
  readonly clock: Clock;
}

/** By then a function that began to write a mapping has timed out: STEP_TIMEOUT of infra/stack, and a margin. */
const WRITER_LIFETIME_MS = 90_000;

/** A domain that could not be mapped, and why. */
export interface MappingFailure {
  readonly domain: string;
  readonly error: Error;
  /** Whether the scheduled reconcile tries again. */
  readonly isRetried: boolean;
}

/**
 * Maps the domains whose mapping a change of the routing has changed, of one project or of all. The change lists them in
 * the same transaction, and they are taken off the list once they are mapped. Functions that write mappings list them, too;
 * what one has listed is taken off only when it cannot write any more. A failure does not stop the rest; all failures are
 * returned. `also` is a domain that is mapped in any case.
 */
export function pendingMappings({ domains, projects, route, clock }: PendingMappingsParts) {
  const attempt = async (name: string, project: string): Promise<MappingFailure | undefined> => {
    const domain = await presentClaim(domains, { domain: name, project });
    if (!domain || !isAttached(domain)) return undefined;
    try {
      await route(domain);
      return undefined;
    } catch (error) {
      log.error('A domain could not be mapped.', { domain: name, error: describeError(error) });
      // Only a verification of the domain can bring its domain name back; the daily check says so.
      const isRetried = !isUnroutable(error);
      return { domain: name, error: error as Error, isRetried };
    }
  };

  return async (project?: string, also?: string): Promise<MappingFailure[]> => {
    // The list is read before the mapping is written, so an entry that a later change adds stays on it.
    const pending = await projects.pendingMappings(project);
    const endedBeforeMs = clock.now() - WRITER_LIFETIME_MS;
    const isOver = ({ writtenSinceMs = 0 }: PendingMapping) => writtenSinceMs < endedBeforeMs;
    const failures: MappingFailure[] = [];
    const others = also === undefined || project === undefined ? [] : [{ project, domain: also }];
    const claims = new Map([...pending, ...others].map(claim => [`${claim.domain} ${claim.project}`, claim]));
    for (const { domain, project: owner } of claims.values()) {
      const failure = await attempt(domain, owner);
      if (failure) failures.push(failure);
      const isDone = (entry: PendingMapping) =>
        entry.domain === domain && entry.project === owner && isOver(entry);
      if (!failure?.isRetried) await projects.mapped(pending.filter(isDone));
    }
    return failures;
  };
}

/** The warning to the operator about a domain that could not be mapped. */
export function describeMappingFailure({ domain, error, isRetried }: MappingFailure): string {
  return isRetried
    ? `The mapping of ${domain} couldn't be changed yet. It will be retried within minutes.`
    : `The mapping of ${domain} couldn't be changed: ${error.message} Verify ${domain}.`;
}

interface ProjectDomainsParts {
  readonly projects: ProjectStore;
  readonly domains: DomainStore;
  /** The API of domains that redirect. */
  readonly redirectApi: ApiStage;
}

/** What a domain has to do with its project. */
export function projectDomains({ projects, domains, redirectApi }: ProjectDomainsParts) {
  /** Writes a domain together with the routing of its project, which is read again if somebody has changed it. */
  const commit = (next: Domain, change: (project?: Project) => Routing | undefined): Promise<void> =>
    followingRouting(async () => {
      const project = await projects.find(next.project);
      const routing = change(project);
      if (!project || !routing || routing === project) return domains.save(next);
      return transact([...domains.change(next), projects.routingChange(project, routing)]);
    });

  return {
    /** What a domain is mapped to: the redirect API, or the API of its project. */
    async apiStageOf({ project: id, domain }: Domain): Promise<ApiStage | undefined> {
      const project = await projects.find(id);
      return project && activeRedirect(project, domain) ? redirectApi : project;
    },

    /** What the project lacks for custom domains. */
    async unmetRequirementOf({ project: id }: Domain): Promise<UnmetRequirement | undefined> {
      const project = await projects.find(id);
      return project && unmetRequirement(project);
    },

    /** Writes a domain that went live and adds it to its project's routing, in one transaction. */
    commitLive: (next: Domain) =>
      commit(next, project => {
        if (!project) throw new Error(`Project ${next.project} no longer exists.`);
        return withLive(project, next.domain);
      }),

    /** Writes a domain that was live and checked, and for its project whether visitors arrive; false as saveUnlessStale. */
    saveChecked: (next: Domain): Promise<boolean> => {
      const arrival = (project: Project) =>
        isServed(next)
          ? withArrival(project, next.domain, hasVisitors(next))
          : withoutLive(project, next.domain);
      return saveUnlessStale({ save: () => commit(next, project => project && arrival(project)) }, next);
    },
  };
}

export type ProjectDomains = ReturnType<typeof projectDomains>;
