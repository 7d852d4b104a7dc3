import { describeError, log } from '../../log.ts';
import type { Project } from '../../projects/project.ts';
import { followingRouting, type ProjectStore, unmetRequirement } from '../../projects/project-store.ts';
import {
  activeRedirect,
  type Routing,
  suspendedRedirect,
  withArrival,
  withLive,
  withoutLive,
} from '../../projects/routing.ts';
import type { Clock } from '../clock.ts';
import { type ApiStage, type Front, isSameRoute, isUnroutable } from '../front.ts';
import { changed, liveSaying } from '../life/change.ts';
import { type Domain, nextRevision, type Trouble } from '../life/domain.ts';
import { hasVisitors } from '../life/domain-reason.ts';
import { isAttached, isBeingRemoved, isInFlow, isServed, isUnmapped } from '../life/domain-status.ts';
import { type DomainStore, saveUnlessStale } from '../life/domain-store.ts';
import type { Holder } from '../life/lease.ts';
import { redirectSuspended } from './troubles.ts';

interface LiveRoutingParts {
  readonly domains: DomainStore;
  readonly projects: ProjectStore;
  readonly front: Pick<Front, 'route' | 'unroute'>;
  /** The API of domains that redirect. */
  readonly redirectApi: ApiStage;
  readonly clock: Clock;
}

/** Redirects and owners don't change more often than this while one mapping is written. */
const MAX_FOLLOWED_CHANGES = 10;

interface MapOptions {
  /** There's no mapping yet, and one is needed before the domain is attached. */
  readonly isFirst?: boolean;
  /** Somebody may have changed the mapping since we left it. */
  readonly isLost?: boolean;
}

type Routed = Routing & ApiStage;

/** What a domain is mapped to while it is served: the API of redirects, or that of its project. */
function apiStageOf(project: Routed, domain: string, redirectApi: ApiStage): ApiStage {
  const { apiId, stage } = activeRedirect(project, domain) ? redirectApi : project;
  return { apiId, stage };
}

/** What a domain should be mapped to, null for nothing; undefined if it keeps what it has. */
function requiredRoute(
  claim: Domain,
  project: Routed | undefined,
  redirectApi: ApiStage,
): ApiStage | null | undefined {
  if (isUnmapped(claim)) return null;
  return project && isAttached(claim) ? apiStageOf(project, claim.domain, redirectApi) : undefined;
}

function isMapped({ route }: Domain, required: ApiStage | null | undefined): boolean {
  return (
    required === undefined || (route !== 'open' && isSameRoute(route ?? undefined, required ?? undefined))
  );
}

/** Whether a domain's mapping or message doesn't match its project's routing. A removal deletes the mapping itself. */
export function isMismapped(claim: Domain, project: Routed | undefined, redirectApi: ApiStage): boolean {
  if (isBeingRemoved(claim)) return false;
  return !isMapped(claim, requiredRoute(claim, project, redirectApi)) || isMistold(claim, project);
}

/** The trouble of a domain whose redirect would lead visitors elsewhere. */
function suspensionIn(project: Routing | undefined, claim: Domain): Trouble | undefined {
  const redirect = project && isServed(claim) ? suspendedRedirect(project, claim.domain) : undefined;
  return redirect && redirectSuspended(claim, redirect.to);
}

/** Whether a domain says that its redirect is suspended when it isn't, or nothing when it is. */
function isMistold(claim: Domain, project: Routing | undefined): boolean {
  if (!project || !isServed(claim)) return false;
  const suspension = suspensionIn(project, claim);
  return suspension ? claim.reason === null : claim.reason === 'redirect_suspended';
}

/** A domain that couldn't be mapped, and why. */
interface MappingFailure {
  readonly domain: string;
  /** Undefined if somebody else is working on the domain. */
  readonly error?: Error;
  /** Whether the scheduled reconcile tries again. */
  readonly isRetried: boolean;
}

/**
 * The mappings of domains at API Gateway. A domain's record has what it was last mapped to, and `open` while that changes: if it
 * isn't what the tables ask for, a command or the next reconcile maps the domain again.
 */
export function liveRouting({ domains, projects, front, redirectApi, clock }: LiveRoutingParts) {
  /** The domain with the message that its project's routing implies about its redirect. */
  const told = (claim: Domain, project: Routing | undefined): Domain =>
    isMistold(claim, project)
      ? changed(claim, liveSaying(claim, suspensionIn(project, claim)), clock.now())
      : claim;

  /**
   * Maps a domain as the tables ask, or deletes its mapping, and updates what it says about its redirect. Rereads the tables
   * after each change, since removals, moves and redirects don't wait. Returns the domain afterwards.
   */
  const map = async (
    claim: Domain,
    holder: Holder,
    { isFirst = false, isLost = false }: MapOptions = {},
  ): Promise<Domain | undefined> => {
    const save = async (domain: Domain) => {
      const next = nextRevision(domain);
      return (await saveUnlessStale(holder.commit(domains.change(next)))) ? next : undefined;
    };
    let isWrong = isLost || isFirst;
    let hasChanged = false;
    for (let change = 0; change < MAX_FOLLOWED_CHANGES; change += 1) {
      const present = await domains.present(claim);
      if (!present || isBeingRemoved(present)) {
        if (hasChanged) await front.unroute(claim);
        return present;
      }
      const project = await projects.find(present.project);
      const required =
        isFirst && isInFlow(present) && project
          ? apiStageOf(project, present.domain, redirectApi)
          : requiredRoute(present, project, redirectApi);
      if (required === undefined || (!isWrong && isMapped(present, required))) {
        if (!isMistold(present, project)) return present;
        await save(told(present, project));
        continue;
      }
      // If this function ends before looking again, whoever continues finds it open.
      const opened = present.route === 'open' ? present : await save({ ...present, route: 'open' });
      if (!opened) continue;
      hasChanged = true;
      holder.requireTime();
      try {
        await (required ? front.route(opened, required) : front.unroute(opened));
      } catch (error) {
        // Only a verification or a deploy helps, as a check of the domain will say.
        if (isUnroutable(error)) await save({ ...opened, route: required });
        throw error;
      }
      isWrong = false;
      await save(told({ ...opened, route: required }, project));
    }
    throw new Error(`The routing of ${claim.domain} is changed all the time.`);
  };

  /** Maps a domain; the claim is undefined if somebody else is working on it. */
  const mapOrFailure = async (
    { domain: name }: Domain,
    mapping: () => Promise<unknown>,
  ): Promise<MappingFailure | undefined> => {
    try {
      return (await mapping()) === undefined ? { domain: name, isRetried: true } : undefined;
    } catch (error) {
      log.error('A domain could not be mapped.', { domain: name, error: describeError(error) });
      return { domain: name, error: error as Error, isRetried: !isUnroutable(error) };
    }
  };

  const mapPresent = ({ domain: name, project }: Domain, options: MapOptions) =>
    domains.holding(name, async holder => {
      const claim = await domains.find(name, project);
      if (claim) await map(claim, holder, options);
      return true;
    });

  /** Maps these domains. A failure doesn't stop the rest. */
  const mapAll = async (claims: readonly Domain[], options: MapOptions = {}): Promise<MappingFailure[]> => {
    const failures: MappingFailure[] = [];
    for (const claim of claims) {
      const failure = await mapOrFailure(claim, () => mapPresent(claim, options));
      if (failure) failures.push(failure);
    }
    return failures;
  };

  /**
   * Writes a domain together with its project's routing, which is read again if somebody changed it; returns whether the routing
   * changed.
   */
  const commit = (
    next: Domain,
    holder: Holder,
    change: (project?: Project) => Routing | undefined,
  ): Promise<boolean> =>
    followingRouting(async () => {
      const project = await projects.find(next.project);
      const routing = change(project);
      const isRouted = project !== undefined && routing !== undefined && routing !== project;
      await holder.commit([
        ...domains.change(next),
        ...(isRouted ? [projects.routingChange(project, routing)] : []),
      ]);
      return isRouted;
    });

  /**
   * Maps the domains of a project that a change affects, and always the named ones, which it is about: the index may lack them,
   * and whoever repeats a command should hear again what failed.
   */
  const remap = async (id: string, ...named: readonly string[]): Promise<MappingFailure[]> => {
    const project = await projects.find(id);
    const changed = await Promise.all(named.map(name => domains.find(name, id)));
    const listed = (await domains.listOf(id)).filter(({ domain }) => !named.includes(domain));
    const mismapped = listed.filter(claim => isMismapped(claim, project, redirectApi));
    return [
      ...(await mapAll(
        changed.filter(claim => claim !== undefined),
        { isLost: true },
      )),
      ...(await mapAll(mismapped)),
    ];
  };

  return {
    map,
    remap,

    /** Whether a domain's mapping or message doesn't match its project's routing. */
    isMismapped: (claim: Domain, project: Project | undefined) => isMismapped(claim, project, redirectApi),

    /** What a domain's project asks for: its mapping, and any trouble that follows; undefined if the project is gone. */
    async projectOf(claim: Domain) {
      const project = await projects.find(claim.project);
      return (
        project && {
          route: apiStageOf(project, claim.domain, redirectApi),
          unmet: unmetRequirement(project),
          suspension: suspensionIn(project, claim),
        }
      );
    },

    /** In one transaction, writes a domain that went live and adds it to its project's routing. */
    async commitLive(next: Domain, holder: Holder): Promise<void> {
      await commit(next, holder, project => {
        if (!project) throw new Error(`Project ${next.project} no longer exists.`);
        return withLive(project, next.domain);
      });
    },

    /**
     * Saves a live domain after a pass, and tells its project whether visitors arrive. Returns false like saveUnlessStale.
     * Domains that redirect to it are mapped right away; if that fails, the next sweep does it.
     */
    async saveChecked(next: Domain, holder: Holder): Promise<boolean> {
      const arrival = (project: Project) =>
        isServed(next)
          ? withArrival(project, next.domain, hasVisitors(next))
          : withoutLive(project, next.domain);
      const write = async () => {
        const isRouted = await commit(next, holder, before => before && arrival(before));
        if (isRouted) await remap(next.project);
      };
      return saveUnlessStale(write());
    },
  };
}

export type LiveRouting = ReturnType<typeof liveRouting>;

/** The warning to the operator about a domain that couldn't be mapped. */
export function describeMappingFailure({ domain, error, isRetried }: MappingFailure): string {
  return isRetried || !error
    ? `The mapping of ${domain} couldn't be changed yet. It will be retried within minutes.`
    : `The mapping of ${domain} couldn't be changed: ${error.message} Verify ${domain}.`;
}
