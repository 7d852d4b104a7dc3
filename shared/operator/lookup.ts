import { getDomain } from 'tldts';
import type { OperatorParts } from '../domains/composition.ts';
import type { Domain } from '../domains/life/domain.ts';
import { type DomainName, NotADomain, readDomainName } from '../domains/life/domain-name.ts';
import { isBeingRemoved } from '../domains/life/domain-status.ts';
import { AlreadyClaimed, ClaimGone, DomainChanged, DomainTaken } from '../domains/life/domain-store.ts';
import { supportOf } from '../domains/pass/takeover.ts';
import type { Project } from '../projects/project.ts';
import { type ProjectStore, RoutingChanged } from '../projects/project-store.ts';
import { RoutingRefused } from '../projects/routing.ts';
import { CommandError, conflict } from './command.ts';

export interface DomainInput {
  readonly project: string;
  readonly domain: string;
}

/** How commands find what their input names. */
export function domainLookup({ projects, domains, platformDomain, vantagePoints }: OperatorParts) {
  const requireProject = projectLookup(projects);

  const readName = (given: string): DomainName => {
    try {
      return readDomainName(given, platformDomain === undefined ? [] : [platformDomain]);
    } catch (error) {
      if (!(error instanceof NotADomain)) throw error;
      throw new CommandError('invalid_request', error.message, 'domain_invalid', { cause: error });
    }
  };

  /** The message about a name that another project has proven; undefined for any other name. */
  const takenMessage = async (domain: string, project: string): Promise<string | undefined> => {
    const owner = await domains.ownerOf(domain);
    return owner === undefined || owner === project ? undefined : new DomainTaken(domain).message;
  };

  return {
    requireProject,
    readName,
    /**
     * Whether another project owns the name but may lose it, because its records aren't in DNS. Refuses the name if they are.
     */
    async isContested(domain: string, project: string): Promise<boolean> {
      const owner = await domains.ownerOf(domain);
      const rival = owner === undefined || owner === project ? undefined : await domains.find(domain, owner);
      if (!rival) return false;
      if (isBeingRemoved(rival) || (await supportOf(rival, vantagePoints)) === 'gone') return true;
      throw new CommandError('conflict', new DomainTaken(domain).message, 'domain_taken');
    },
    takenMessage,
    /** The domain, if the project has it. */
    async findDomain(input: DomainInput): Promise<Domain | undefined> {
      return domains.find(readName(input.domain).domain, input.project);
    },
    /** The project and its domain; throws not_found. */
    async requireDomain(input: DomainInput): Promise<{ project: Project; domain: Domain }> {
      const project = await requireProject(input.project);
      const { domain: name } = readName(input.domain);
      const domain = await domains.find(name, project.id);
      if (domain) return { project, domain };
      const message = `${name} isn't in project ${project.id}.`;
      throw new CommandError('not_found', message, 'domain_unknown');
    },
  };
}

/** A commit is rejected because another command won, so these attempts outlast forty simultaneous commands in a project. */
const MAX_ATTEMPTS = 40;

/** Repeats work whose commit was rejected because the record changed since it was read, so nothing was written. */
export async function retryOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RoutingRefused) throw conflict(error, error.reason);
      const isConflict =
        error instanceof DomainChanged ||
        error instanceof RoutingChanged ||
        error instanceof ClaimGone ||
        error instanceof AlreadyClaimed;
      if (!isConflict) throw error;
      if (attempt === MAX_ATTEMPTS) {
        const message = `${error.message} Try again.`;
        throw new CommandError('conflict', message, 'changed_meanwhile', { cause: error });
      }
    }
  }
}

/** How commands find the project that their input names; throws not_found. */
export function projectLookup(projects: Pick<ProjectStore, 'find'>): (id: string) => Promise<Project> {
  return async id => {
    const project = await projects.find(id);
    if (project) return project;
    throw new CommandError('not_found', `Project ${id} doesn't exist.`, 'project_unknown');
  };
}

/** The platform's domain if it's delegated to its zone; otherwise throws what has to be done first. */
export async function requirePlatformDomain(
  parts: Pick<OperatorParts, 'platformDomain' | 'platformDelegation'>,
): Promise<string> {
  const { platformDomain } = parts;
  if (platformDomain === undefined) {
    const message =
      'Custom domains need a platform domain, and this environment has none. Set platformDomain in its settings (infra/settings/README.md), deploy, and delegate that name to the name servers of the output PlatformNameServers.';
    throw new CommandError('conflict', message, 'platform_domain_required');
  }
  const delegation = await parts.platformDelegation();
  if (delegation.isInPlace) return platformDomain;
  const { nameServers, observed } = delegation;
  const message = `The platform domain ${platformDomain} isn't delegated to this environment: public resolvers see ${observed.join('; ')}. ${delegationRemedy(platformDomain, nameServers)} Then add the domain again; resolvers may cache the old answer for some time.`;
  throw new CommandError('conflict', message, 'platform_domain_not_delegated');
}

/** What to create at the platform domain's parent. */
export function delegationRemedy(platformDomain: string, nameServers: readonly string[]): string {
  const registrable = getDomain(platformDomain);
  const values = nameServers.join(', ');
  return registrable === platformDomain
    ? `At the registrar of ${platformDomain}, set the name servers ${values}.`
    : `In the zone of ${registrable}, create an NS record at ${platformDomain} with the values ${values}.`;
}
