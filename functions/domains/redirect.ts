import { PROOF_PATH, proofOf } from '../../shared/domains/arrival-proof.ts';
import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { required } from '../../shared/environment.ts';
import { ApiError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { redirectResponse } from '../../shared/http/redirect-response.ts';
import { json } from '../../shared/http/response.ts';
import { projectStore } from '../../shared/projects/project-store.ts';
import { activeRedirect, livePrimary, type Redirect } from '../../shared/projects/routing.ts';

const domains = domainStore(required('DOMAINS_TABLE'));
const projects = projectStore(required('PROJECTS_TABLE'));
const proofSecret = required('PROOF_SECRET');
const { PLATFORM_DOMAIN } = process.env;

type Target = Pick<Redirect, 'to' | 'status'> | undefined;

/** Nobody needs a key to be redirected, so that a host is looked up once in this time, however often it is called. */
const CACHED_MS = 2_000;

/** Anybody can make up names of the platform domain. */
const MOST_CACHED = 1_000;

const cached = new Map<string, { readonly target: Target; readonly untilMs: number }>();

/**
 * Any method and path of a host that redirects, and of names of the platform domain that no project has: redirects the
 * client to the same path of the target domain. GET /domain-proof of every host shows that the request arrived here.
 */
export const handler = endpoint().handler(async event => {
  const { path, queryStringParameters: query } = event;
  const host = event.requestContext.domainName?.toLowerCase() ?? '';
  const proof = path === PROOF_PATH ? proofOf(proofSecret, host, query?.nonce) : undefined;
  if (proof !== undefined) return json(200, { proof });
  const target = host && (await cachedRedirectOf(host));
  if (!target) throw new ApiError('not_found', 'Nothing is served here.');
  return redirectResponse(event, target);
});

async function cachedRedirectOf(host: string): Promise<Target> {
  const known = cached.get(host);
  if (known && Date.now() < known.untilMs) return known.target;
  const target = await redirectOf(host);
  if (cached.size >= MOST_CACHED) cached.clear();
  cached.set(host, { target, untilMs: Date.now() + CACHED_MS });
  return target;
}

/** Where a host redirects to: a default URL to the primary domain, a custom domain by the routing of its owner. */
async function redirectOf(host: string): Promise<Target> {
  const dot = host.indexOf('.');
  if (host.slice(dot + 1) === PLATFORM_DOMAIN) {
    const project = await projects.find(host.slice(0, dot));
    const to = project && project.whileLive !== 'closed' ? livePrimary(project) : undefined;
    return to === undefined ? undefined : { to, status: 308 };
  }
  const owner = await domains.ownerOf(host);
  const project = owner && (await projects.find(owner));
  return project ? activeRedirect(project, host) : undefined;
}
