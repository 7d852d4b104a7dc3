import type { ProjectView } from '../../../../shared/operator/contract.ts';
import { SERVICE_PROJECT_ID } from '../../../../shared/projects/project-choices.ts';
import { CommandError, withAdvice } from '../../../operator/connection/command-error.ts';
import { withReachableUrl } from '../../../operator/connection/target.ts';
import type { Session } from '../../framework/session.ts';
import { becomesTrue } from '../../keys/try-new-key.ts';
import type { Check } from '../check.ts';
import { type HttpParts, type HttpResult, runHttpChecks, trafficOf } from './http-checks.ts';
import { type SmokeClientOptions, smokeClient } from './smoke-client.ts';

/** CloudFormation's event, which records a deploy as the project, may take this long. */
const PROJECT_RECORD_MS = 90_000;
/** The local AWS does everything at once. */
const LOCAL_MS = 5_000;

export function patience({ target }: Session, awsMs: number): number {
  return target.isLocal ? LOCAL_MS : awsMs;
}

export async function connectSmoke(session: Session) {
  const { apiId, ...base } = await endpointOf(session);
  const traffic = trafficOf(session);
  const clientOf = (key: string, options: Partial<SmokeClientOptions> = {}) =>
    smokeClient({ ...base, key, edge: session.target.edge, ...traffic, ...options });
  return { baseUrl: base.baseUrl, apiId, traffic, clientOf };
}

/** Runs checks that bring their own API keys, or need none. */
export async function runWithoutKeys(
  checks: readonly Check<Pick<HttpParts, 'send'>>[],
  session: Session,
  signal: AbortSignal,
): Promise<HttpResult[]> {
  const { traffic, clientOf } = await connectSmoke(session);
  const parts = { session, send: clientOf('', { signal }) };
  return runHttpChecks<typeof parts>(checks, parts, traffic, signal);
}

/**
 * The API's own endpoint, or the primary domain while that endpoint is closed: by our host that its DNS has to lead to,
 * whether or not it does.
 */
async function endpointOf(
  session: Session,
): Promise<Pick<SmokeClientOptions, 'baseUrl' | 'baseHost'> & { apiId: string }> {
  const project = await withAdvice(
    {
      project_unknown: `Each deploy records itself as project ${SERVICE_PROJECT_ID}. Is the function projects-record-deploy failing? See: ${session.commandLine('logs --group record-deploy')}`,
    },
    recordedProject(session),
  );
  const { url, endpointUrl, defaultEndpoint, apiId, primary } = withReachableUrl(project, session.target);
  if (defaultEndpoint !== 'closed') return { baseUrl: `${endpointUrl}/v1`, apiId };
  const { records } = await session.read('domains.show', { domain: primary ?? '' });
  const { value } = records.find(({ purpose }) => purpose === 'traffic') ?? {};
  if (value === undefined) {
    throw new CommandError(
      'no_endpoint',
      `The endpoint of the API is closed, and ${url} has no host of ours.`,
    );
  }
  return { baseUrl: `${url}/v1`, baseHost: value, apiId };
}

async function recordedProject(session: Session): Promise<ProjectView> {
  const longestMs = patience(session, PROJECT_RECORD_MS);
  const show = () => session.read('projects.show', { id: SERVICE_PROJECT_ID });
  const isRecorded = () =>
    show().then(
      () => true,
      error => {
        if (error instanceof CommandError && error.reason === 'project_unknown') return false;
        throw error;
      },
    );
  await becomesTrue(
    isRecorded,
    () => session.progress(`Waiting up to ${longestMs / 1000} s for the deploy to be recorded …`),
    { longestMs },
  );
  return show();
}
