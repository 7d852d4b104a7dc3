import type { OperatorParts } from '../domains/composition.ts';
import type { DefaultEndpoint } from '../projects/default-endpoint.ts';
import type { Project } from '../projects/project.ts';
import type { Command } from './command.ts';
import { domainCommands } from './domains/domain-commands.ts';
import { projectCommands } from './project-commands.ts';

interface PublishingParts {
  /** Where a project is published by default: the API and stage of this service. */
  readonly published: Pick<Project, 'apiId' | 'stage'>;
  /** The default endpoint of that API. */
  readonly endpoint: Pick<DefaultEndpoint, 'follow'>;
}

/** What operators do with projects and their custom domains, in the operator function and the simulation. */
export function publishingCommands(parts: OperatorParts, { published, endpoint }: PublishingParts) {
  const both: Pick<DefaultEndpoint, 'follow'> = {
    follow: async options => [...(await endpoint.follow(options)), ...(await parts.defaultUrls.follow())],
  };
  return {
    ...followedByEndpoint(domainCommands(parts), both),
    ...projectCommands({ ...parts, published, endpoint: both }),
  };
}

/**
 * Commands on domains after which the default endpoint may have to open, and default URLs to serve, because no primary domain is
 * live any more. That happens before the command's own follow-up stops the domain's traffic.
 */
function followedByEndpoint<Table extends Readonly<Record<string, Command>>>(
  table: Table,
  endpoint: Pick<DefaultEndpoint, 'follow'>,
): Table {
  const followed = Object.entries(table).map(([name, command]) => {
    const { followUp } = command;
    if (followUp === undefined) return [name, command];
    const followBoth = async (input: never) => {
      const warnings = await endpoint.follow();
      return [...warnings, ...((await followUp(input)) ?? [])];
    };
    return [name, { ...command, followUp: followBoth }];
  });
  return Object.fromEntries(followed);
}
