import { PROOF_PATH, proofOf } from '../../shared/domains/arrival-proof.ts';
import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { required } from '../../shared/environment.ts';
import { ApiError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { redirectResponse } from '../../shared/http/redirect-response.ts';
import { json } from '../../shared/http/response.ts';
import { projectStore } from '../../shared/projects/project-store.ts';
import {
  type Destination,
  destinationOfDefaultUrl,
  destinationOfDomain,
} from '../../shared/projects/routing.ts';

const domains = domainStore(required('DOMAINS_TABLE'));
const projects = projectStore(required('PROJECTS_TABLE'));
const proofSecret = required('PROOF_SECRET');
const { PLATFORM_DOMAIN } = process.env;

/** Redirects need no key, so a host is looked up only once in this time, however often it's called. */
const CACHED_MS = 2_000;

/** Anybody can make up names below the platform domain. */
const MOST_CACHED = 1_000;

const cached = new Map<string, { readonly destination: Destination | undefined; readonly untilMs: number }>();

/**
 * Any method and path of a host that redirects, and of names of the platform domain that no project has: redirects the
 * client to the same path of the target domain. GET /domain-proof of every host shows that the request arrived here.
 */
export const handler = endpoint().handler(async event => {
  const { path, queryStringParameters: query } = event;
  const host = event.requestContext.domainName?.toLowerCase() ?? '';
  const proof = path === PROOF_PATH ? proofOf(proofSecret, host, query?.nonce) : undefined;
  if (proof !== undefined) return json(200, { proof });
  const destination = host && (await cachedDestinationOf(host));
  if (!destination) throw new ApiError('not_found', 'Nothing is served here.');
  // Within moments it's mapped to its project's API, at the same URL. A redirect wouldn't help: clients drop their key
  // when they follow one to another host, and the project's other URLs may lead here, too.
  if (destination === 'its project') throw new ApiError('unavailable');
  return redirectResponse(event, destination);
});

async function cachedDestinationOf(host: string): Promise<Destination | undefined> {
  const known = cached.get(host);
  if (known && Date.now() < known.untilMs) return known.destination;
  const destination = await destinationOf(host);
  if (cached.size >= MOST_CACHED) cached.clear();
  cached.set(host, { destination, untilMs: Date.now() + CACHED_MS });
  return destination;
}

/** Where a host leads: a default URL to the primary domain, a custom domain wherever its owner's routing says. */
async function destinationOf(host: string): Promise<Destination | undefined> {
  const dot = host.indexOf('.');
  if (host.slice(dot + 1) === PLATFORM_DOMAIN) {
    const project = await projects.find(host.slice(0, dot));
    return project && destinationOfDefaultUrl(project);
  }
  const owner = await domains.ownerOf(host);
  const project = owner && (await projects.find(owner));
  return project ? destinationOfDomain(project, host) : undefined;
}
