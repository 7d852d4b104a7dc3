import { generateKey } from '../../shared/api-keys/api-key.ts';
import { apiKeyStore } from '../../shared/api-keys/api-key-store.ts';
import { canaryKey, canarySecret } from '../../shared/api-keys/canary-key.ts';
import { gatewayClient, gatewayKeys, usagePlan } from '../../shared/api-keys/usage-plan.ts';
import { required } from '../../shared/environment.ts';
import { BEARER_CHALLENGE } from '../../shared/errors.ts';
import { CANARY_IMPAIRED, describeError, log, logCompletedRun } from '../../shared/log.ts';
import { requiredEndpoint } from '../../shared/projects/default-endpoint.ts';
import { SERVICE_PROJECT_ID } from '../../shared/projects/project-choices.ts';
import { projectStore } from '../../shared/projects/project-store.ts';
import { livePrimary } from '../../shared/projects/routing.ts';

/** A client would have given up by then. */
const RESPONSE_LIMIT_MS = 10_000;

const restApiId = required('REST_API_ID');
const defaultUrl = required('BASE_URL');
const projects = projectStore(required('PROJECTS_TABLE'));
const client = gatewayClient();
const keys = gatewayKeys(client, required('ENVIRONMENT'));
const keyParts = {
  apiKeys: apiKeyStore(required('API_KEYS_TABLE')),
  gatewayKeys: keys,
  plan: usagePlan(client, keys, {
    usagePlanId: required('USAGE_PLAN_ID'),
    restApiId,
    stageName: required('STAGE_NAME'),
  }),
  keyPrefix: required('API_KEY_PREFIX'),
};
const readSecret = canarySecret(required('CANARY_SECRET_ARN'));

/**
 * Every few minutes: lists pets by the public URL, as a client does. A custom domain is called without a key, and has to
 * refuse that as this API does. Throws if that fails, which pages somebody. What the canary itself lacks, such as a grant,
 * must not page: it makes do with what it has, and ignores a refusal, which then says nothing about clients.
 */
export async function handler(): Promise<void> {
  const lacking: object[] = [];
  const orElse =
    <Value>(fallback: Value) =>
    (error: unknown) => {
      lacking.push(describeError(error));
      return fallback;
    };
  // The authorizer looks up a stranger's key, too, so an outage shows.
  const stranger = { key: generateKey(keyParts.keyPrefix), isNew: false };
  const [{ key, isNew }, primary] = await Promise.all([
    ownKey().catch(orElse(stranger)),
    onlyPrimary().catch(orElse(undefined)),
  ]);
  const isImpaired = lacking.length > 0;
  if (isImpaired) log.error(CANARY_IMPAIRED, { lacking });
  if (isNew) {
    log.info('The canary has a new API key, and uses it from the next run on.');
    return;
  }
  const url = `${primary ? `https://${primary}/v1` : defaultUrl}/pets?limit=1`;
  const startMs = Date.now();
  const unread = (error: unknown): never => {
    log.error('The canary got no response that it can read.', { url, error: describeError(error) });
    throw new Error(`GET ${url} got no response that can be read.`, { cause: error });
  };
  const response = await fetch(url, {
    // Whoever runs the DNS of a custom domain would get the key.
    headers: primary ? {} : { Authorization: `Bearer ${key}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
  }).catch(unread);
  if (isImpaired && (response.status === 401 || response.status === 403)) return;
  const isWanted = primary ? isOurRefusal : isList;
  if (!(await isWanted(response).catch(unread))) {
    const requestId = response.headers.get('x-request-id');
    log.error('The canary got no list of pets.', { url, status: response.status, requestId });
    throw new Error(`GET ${url} returned ${response.status}.`);
  }
  logCompletedRun({ latencyMs: Date.now() - startMs });
}

async function isList(response: Response): Promise<boolean> {
  return response.status === 200 && Array.isArray(JSON.parse(await response.text()));
}

async function isOurRefusal({ status, headers, body }: Response): Promise<boolean> {
  await body?.cancel();
  return status === 401 && headers.get('www-authenticate') === BEARER_CHALLENGE;
}

async function ownKey() {
  return canaryKey({ ...keyParts, secret: await readSecret() });
}

/** The primary domain, if the default endpoint of the API is closed, so that clients reach it by no other host. */
async function onlyPrimary(): Promise<string | undefined> {
  const all = await projects.list();
  const service = all.find(({ id }) => id === SERVICE_PROJECT_ID);
  const isClosed = requiredEndpoint(all, restApiId).state === 'closed';
  return service && isClosed ? livePrimary(service) : undefined;
}
