import type { ProjectView } from '../../../shared/operator/contract.ts';
import { withAdvice } from '../framework/advice.ts';
import { usageError } from '../framework/command-error.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/prose.ts';
import { Session } from '../framework/session.ts';
import { adviceOnProjects } from './project.ts';
import { withReachableAddress } from './reachable-address.ts';

interface EndpointOptions {
  readonly close?: true;
  readonly open?: true;
}

/** petstore projects endpoint: whether the default address answers while the primary domain is live. */
export function addEndpoint(projects: PetstoreCommand): void {
  projects
    .command('endpoint')
    .summary('close the default address while the primary domain is live')
    .description(
      'Sets whether the default address of a project answers while its primary domain is live. It is open unless it is closed here. The projects at one API have its default address in common: it is closed, and answers 403, only while every one of them wants that and has a live primary domain.',
    )
    .argument('<id>', 'the id of the project')
    .option('--close', 'closed while the primary domain is live')
    .option('--open', 'always open')
    .examples('projects endpoint petstore --close', 'projects endpoint petstore --open')
    .action(async (id: string, { close, open }: EndpointOptions, command: PetstoreCommand) => {
      if (close === open) throw usageError('Give either --close or --open.');
      const session = new Session(command);
      const whileLive = close ? 'closed' : 'open';
      const summary = close
        ? `close the default address of the project ${id} while its primary domain is live`
        : `open the default address of the project ${id}`;
      const project = withReachableAddress(
        await withAdvice(
          adviceOnProjects(session),
          session.change('projects.endpoint', { id, whileLive }, summary),
        ),
        session.target,
      );
      session.show(project, style => prose(outcomeOf(project), style));
    });
}

function outcomeOf({ defaultAddress, defaultEndpoint, endpointWhileLive, openBecause }: ProjectView): string {
  if (defaultEndpoint === 'closed') return `${defaultAddress} is closed and answers 403.`;
  if (endpointWhileLive === 'open') return `${defaultAddress} is open.`;
  return `${defaultAddress} is open until all projects at its API can do without it. ${openBecause}`;
}
