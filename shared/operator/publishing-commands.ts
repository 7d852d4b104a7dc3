import type { DomainServices } from '../domains/domain-services.ts';
import type { DefaultEndpoint } from '../projects/default-endpoint.ts';
import type { Project } from '../projects/project.ts';
import { domainCommands } from './domain-commands.ts';
import { domainRoutingCommands } from './domain-routing-commands.ts';
import { followedByEndpoint } from './followed-by-endpoint.ts';
import { projectCommands } from './project-commands.ts';

interface PublishingParts {
  /** Where a project is published by default: the API and stage of this service. */
  readonly published: Pick<Project, 'apiId' | 'stage'>;
  /** The default endpoint of that API. */
  readonly endpoint: Pick<DefaultEndpoint, 'follow'>;
}

/** What operators do with projects and their custom domains, as the operator function and the simulation have it. */
export function publishingCommands(services: DomainServices, { published, endpoint }: PublishingParts) {
  return {
    ...followedByEndpoint(domainCommands(services), endpoint),
    ...followedByEndpoint(domainRoutingCommands(services), endpoint),
    ...projectCommands({ ...services, published, endpoint }),
  };
}
