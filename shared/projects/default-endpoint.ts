import {
  APIGatewayClient,
  GetRestApiCommand,
  GetStageCommand,
  UpdateRestApiCommand,
  UpdateStageCommand,
} from '@aws-sdk/client-api-gateway';
import { controlPlaneClient } from '../aws/control-plane.ts';
import { describeError, log } from '../log.ts';
import type { Project } from './project.ts';
import type { ProjectStore } from './project-store.ts';
import { reachedPrimary } from './routing.ts';

interface DefaultEndpointParts {
  readonly projects: Pick<ProjectStore, 'list'>;
  readonly apiId: string;
  readonly stage: string;
  readonly now?: () => number;
}

/** The default endpoint of the API of this service, https://<id>.execute-api.<region>.amazonaws.com. */
export interface DefaultEndpoint {
  /** Opens or closes it as the projects ask for, if it is not so already. Returns whether it is so now. */
  reconcile(): Promise<boolean>;
  /** Reconciles after a change that may matter. Returns what the operator has to know: a failure here doesn't undo the change. */
  follow(options?: { isAlways?: boolean }): Promise<string[]>;
}

/** The projects may change while one change is made; nobody changes them more often than this meanwhile. */
const MAX_FOLLOWED_CHANGES = 5;

const NOT_YET = "The default endpoint couldn't be opened or closed yet. It will be retried within minutes.";

/**
 * A change of disableExecuteApiEndpoint takes effect with the next update of a stage. The description of the stage is that
 * update: it says the state, and the time makes it differ from the one before. An endpoint whose stage has another
 * description was changed by a run that ended in between, and is changed again.
 */
export function defaultEndpoint({
  projects,
  apiId,
  stage,
  now = Date.now,
}: DefaultEndpointParts): DefaultEndpoint {
  const client = controlPlaneClient(APIGatewayClient);
  const restApi = { restApiId: apiId };
  const restApiStage = { ...restApi, stageName: stage };

  const stateAtGateway = async () => {
    const { disableExecuteApiEndpoint, apiStatus } = await client.send(new GetRestApiCommand(restApi));
    if (apiStatus === 'UPDATING' || apiStatus === 'PENDING') return 'updating';
    const { description } = await client.send(new GetStageCommand(restApiStage));
    const state = disableExecuteApiEndpoint ? 'closed' : 'open';
    // Before the first change the endpoint is open, and the stage has no description.
    const isEffective = description ? description.startsWith(descriptionOf(state)) : state === 'open';
    return isEffective ? state : undefined;
  };

  const change = async (state: 'open' | 'closed') => {
    const value = String(state === 'closed');
    const patchOperations = [{ op: 'replace' as const, path: '/disableExecuteApiEndpoint', value }];
    await client.send(new UpdateRestApiCommand({ ...restApi, patchOperations }));
    const description = `${descriptionOf(state)} since ${new Date(now()).toISOString()}`;
    const update = [{ op: 'replace' as const, path: '/description', value: description }];
    await client.send(new UpdateStageCommand({ ...restApiStage, patchOperations: update }));
    log.info('The default endpoint was changed.', { apiId, state });
  };

  const reconcile = async () => {
    for (let attempt = 1; attempt <= MAX_FOLLOWED_CHANGES; attempt += 1) {
      const { state } = requiredEndpoint(await projects.list(), apiId);
      const present = await stateAtGateway();
      if (present === state) return true;
      // API Gateway refuses changes meanwhile; a deploy that changes the TLS policy takes a quarter of an hour.
      if (present === 'updating') return false;
      await change(state);
    }
    return false;
  };

  return {
    reconcile,

    async follow({ isAlways = false } = {}) {
      try {
        const isWanted = (await projects.list()).some(
          project => project.apiId === apiId && wantsClosed(project),
        );
        return (isAlways || isWanted) && !(await reconcile()) ? [NOT_YET] : [];
      } catch (error) {
        log.error('The default endpoint could not be changed.', { apiId, error: describeError(error) });
        return [NOT_YET];
      }
    },
  };
}

function descriptionOf(state: 'open' | 'closed'): string {
  return `Default endpoint ${state}`;
}

/** Whether the default endpoint of an API is open; a closed one responds with 403. */
export interface RequiredEndpoint {
  readonly state: 'open' | 'closed';
  /** Why the endpoint is open although some project at the API wants it closed. */
  readonly openBecause: string | null;
}

/**
 * What the projects ask of the default endpoint of an API. All projects that are published at the API have it in common:
 * it is closed only if each of them wants that and has a live primary domain, so that none loses its only URL.
 */
export function requiredEndpoint(projects: readonly Project[], apiId: string): RequiredEndpoint {
  const published = projects.filter(project => project.apiId === apiId);
  if (!published.some(wantsClosed)) return { state: 'open', openBecause: null };
  const keeping = published.find(project => !wantsClosed(project));
  if (keeping) {
    return { state: 'open', openBecause: `Project ${keeping.id} at the same API keeps it open.` };
  }
  const dependent = published.find(project => reachedPrimary(project) === undefined);
  if (dependent) {
    const why = awayReason(dependent) ?? `Project ${dependent.id} has no live primary domain.`;
    return { state: 'open', openBecause: why };
  }
  return { state: 'closed', openBecause: null };
}

/** Why the URLs of a project are served although its primary domain is live. */
export function awayReason({ primary, awayDomains = [], whileLive }: Project): string | null {
  if (primary === null || whileLive === 'serve' || !awayDomains.includes(primary)) return null;
  return `Visitors of the primary domain ${primary} don't arrive here, by its last check. "domains show" says why.`;
}

export function wantsClosed({ whileLive }: Pick<Project, 'whileLive'>): boolean {
  return whileLive === 'closed';
}
