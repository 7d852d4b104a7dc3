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

const LATER = "The default endpoint couldn't be opened or closed yet. It will be retried within minutes.";

/** Projects don't change more often than this while one change is made for them. */
const MAX_CHANGES = 5;

/** Whether the default endpoint of an API is open; a closed one responds with 403. */
type EndpointState = 'open' | 'closed';

/**
 * The default endpoint of the API of this service, https://<id>.execute-api.<region>.amazonaws.com.
 *
 * A change of disableExecuteApiEndpoint takes effect with the next update of a stage. We update the stage's description: it
 * holds the state as fields of a query string, and a time that makes it differ from the previous one. If the description
 * doesn't match the endpoint, a run ended in between, and the change is made again.
 */
export function defaultEndpoint({
  projects,
  apiId,
  stage,
  now = Date.now,
}: Pick<Project, 'apiId' | 'stage'> & {
  readonly projects: Pick<ProjectStore, 'list'>;
  readonly now?: () => number;
}) {
  const client = controlPlaneClient(APIGatewayClient);
  const restApi = { restApiId: apiId };
  const restApiStage = { ...restApi, stageName: stage };
  const replace = (path: string, value: string) => ({
    patchOperations: [{ op: 'replace' as const, path, value }],
  });

  const present = async () => {
    const { disableExecuteApiEndpoint, apiStatus } = await client.send(new GetRestApiCommand(restApi));
    if (apiStatus === 'UPDATING' || apiStatus === 'PENDING') return 'updating';
    const { description } = await client.send(new GetStageCommand(restApiStage));
    const state: EndpointState = disableExecuteApiEndpoint ? 'closed' : 'open';
    // Before the first change, the endpoint is open and the stage has no description.
    const applied = description ? new URLSearchParams(description).get('defaultEndpoint') : 'open';
    return applied === state ? state : 'half changed';
  };

  const change = async (state: EndpointState) => {
    const isDisabled = String(state === 'closed');
    await client.send(
      new UpdateRestApiCommand({ ...restApi, ...replace('/disableExecuteApiEndpoint', isDisabled) }),
    );
    const description = new URLSearchParams({ defaultEndpoint: state, sinceMs: String(now()) }).toString();
    await client.send(new UpdateStageCommand({ ...restApiStage, ...replace('/description', description) }));
    log.info('The default endpoint was changed.', { apiId, state });
  };

  /** Opens or closes it as the projects ask, if needed. Returns whether it is so now. */
  const reconcile = async (): Promise<boolean> => {
    for (let changes = 0; changes < MAX_CHANGES; changes += 1) {
      const { state } = requiredEndpoint(await projects.list(), apiId);
      const found = await present();
      if (found === state) return true;
      // API Gateway refuses changes meanwhile; changing the TLS policy in a deploy takes a quarter of an hour.
      if (found === 'updating') return false;
      await change(state);
    }
    return false;
  };

  return {
    reconcile,

    /**
     * Reconciles after a change that may matter. Returns what the operator should know: a failure here doesn't undo the
     * change.
     */
    async follow({ isAlways = false } = {}): Promise<string[]> {
      try {
        const isWanted = (await projects.list()).some(
          project => project.apiId === apiId && project.whileLive === 'closed',
        );
        return (isAlways || isWanted) && !(await reconcile()) ? [LATER] : [];
      } catch (error) {
        log.error('The default endpoint could not be changed.', { apiId, error: describeError(error) });
        return [LATER];
      }
    },
  };
}

export type DefaultEndpoint = ReturnType<typeof defaultEndpoint>;

/**
 * What the projects want an API's default endpoint to be. All projects published at the API share it, so it's closed only if
 * each of them wants that and has a live primary domain: none may lose its only URL. `openBecause` says why it's open although
 * some project wants it closed.
 */
export function requiredEndpoint(
  projects: readonly Project[],
  apiId: string,
): { readonly state: EndpointState; readonly openBecause: string | null } {
  const published = projects.filter(project => project.apiId === apiId);
  const isWanted = published.some(({ whileLive }) => whileLive === 'closed');
  if (!isWanted) return { state: 'open', openBecause: null };
  const keeping = published.find(({ whileLive }) => whileLive !== 'closed');
  if (keeping) {
    return { state: 'open', openBecause: `Project ${keeping.id} at the same API keeps it open.` };
  }
  const dependent = published.find(project => reachedPrimary(project) === undefined);
  if (!dependent) return { state: 'closed', openBecause: null };
  const openBecause = awayReason(dependent) ?? `Project ${dependent.id} has no live primary domain.`;
  return { state: 'open', openBecause };
}

/** Why the URLs of a project are served although its primary domain is live. */
export function awayReason({ primary, awayDomains = [], whileLive }: Project): string | null {
  if (primary === null || whileLive === 'serve' || !awayDomains.includes(primary)) return null;
  return `Visitors of the primary domain ${primary} don't arrive here, by its last check. "domains show" says why.`;
}
