import * as z from 'zod/mini';
import type { Domain } from '../domains/life/domain.ts';
import { type DomainName, NotADomain, readDomainName } from '../domains/life/domain-name.ts';
import { DomainChanged, type DomainStore, Superseded } from '../domains/life/domain-store.ts';
import type { Project } from '../projects/project.ts';
import { type ProjectStore, RoutingChanged } from '../projects/project-store.ts';
import { RoutingRefused } from '../projects/routing.ts';
import { CommandError } from './command.ts';

const text = z
  .string('must be text')
  .check(z.regex(/^\S{1,255}$/, 'must have 1 to 255 characters, no spaces'));

export const projectFields = { project: z._default(text, 'petstore') };
export const domainFields = { ...projectFields, domain: text };

export interface DomainOfProject {
  readonly project: string;
  readonly domain: string;
}

export interface DomainLookupParts {
  readonly projects: ProjectStore;
  readonly domains: DomainStore;
  /** The platform's own zone, such as apps.petstore.example. */
  readonly platformDomain: string;
}

/** How commands find what they were given the name of. */
export function domainLookup({ projects, domains, platformDomain }: DomainLookupParts) {
  const projectOf = async (id: string): Promise<Project> => {
    const project = await projects.find(id);
    if (!project) throw new CommandError('not_found', `There is no project ${id}.`);
    return project;
  };

  const nameOf = (given: string): DomainName => {
    try {
      return readDomainName(given, [platformDomain]);
    } catch (error) {
      if (!(error instanceof NotADomain)) throw error;
      throw new CommandError('invalid_request', error.message, { cause: error });
    }
  };

  return {
    projectOf,
    nameOf,
    /** The domain if it is there, for what follows a command, which may find that it has gone since. */
    async findDomain(input: DomainOfProject): Promise<Domain | undefined> {
      const domain = await domains.find(nameOf(input.domain).domain);
      return domain?.project === input.project ? domain : undefined;
    },
    /** A project and a domain of it. */
    async requireDomain(input: DomainOfProject): Promise<{ project: Project; domain: Domain }> {
      const project = await projectOf(input.project);
      const { domain: name } = nameOf(input.domain);
      const domain = await domains.find(name);
      if (domain?.project === project.id) return { project, domain };
      throw new CommandError('not_found', `${name} is no domain of the project ${project.id}. Add it first.`);
    },
  };
}

const TRIES = 6;

/** Does again what was decided on something that someone else has changed meanwhile. Nothing of it was written then. */
export async function retryOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RoutingRefused)
        throw new CommandError('conflict', error.message, { reason: error.reason, cause: error });
      const isChanged =
        error instanceof DomainChanged || error instanceof Superseded || error instanceof RoutingChanged;
      if (!isChanged) throw error;
      if (tries === TRIES) {
        throw new CommandError('conflict', `${error.message} Try again.`, { cause: error });
      }
    }
  }
}
