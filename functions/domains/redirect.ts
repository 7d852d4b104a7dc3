import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { required } from '../../shared/environment.ts';
import { ApiError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { redirectResponse } from '../../shared/http/redirect-response.ts';
import { projectStore } from '../../shared/projects/project-store.ts';
import { activeRedirect, livePrimary, type Redirect } from '../../shared/projects/routing.ts';

const domains = domainStore(required('DOMAINS_TABLE'));
const projects = projectStore(required('PROJECTS_TABLE'));
const { PLATFORM_DOMAIN } = process.env;

/** Any method and path of a redirecting host: redirects the client to the same path of the target domain. */
export const handler = endpoint().handler(async event => {
  const host = event.requestContext.domainName?.toLowerCase();
  const target = host && (await redirectOf(host));
  if (!target) throw new ApiError('not_found', 'This domain does not redirect to another.');
  return redirectResponse(event, target);
});

/** Where a host redirects to: a default URL to the primary domain, a custom domain by the routing of its owner. */
async function redirectOf(host: string): Promise<Pick<Redirect, 'to' | 'status'> | undefined> {
  const dot = host.indexOf('.');
  if (host.slice(dot + 1) === PLATFORM_DOMAIN) {
    const project = await projects.find(host.slice(0, dot));
    const to = project && livePrimary(project);
    return to === undefined ? undefined : { to, status: 308 };
  }
  const owner = await domains.ownerOf(host);
  const project = owner && (await projects.find(owner));
  return project ? activeRedirect(project, host) : undefined;
}
