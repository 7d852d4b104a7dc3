import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { required } from '../../shared/environment.ts';
import { ApiError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { redirectResponse } from '../../shared/http/redirect-response.ts';
import { projectStore } from '../../shared/projects/project-store.ts';
import { activeRedirect, type Redirect } from '../../shared/projects/routing.ts';

const domains = domainStore(required('DOMAINS_TABLE'));
const projects = projectStore(required('PROJECTS_TABLE'));

/** Any method and path of a redirecting domain: redirects the client to the same path of the target domain. */
export const handler = endpoint().handler(async event => {
  const host = event.requestContext.domainName?.toLowerCase();
  const target = host && (await redirectOf(host));
  if (!target) throw new ApiError('not_found', 'This domain does not redirect to another.');
  return redirectResponse(event, target);
});

/** Where a host redirects to, by the routing of the project that owns the name. */
async function redirectOf(host: string): Promise<Redirect | undefined> {
  const owner = await domains.ownerOf(host);
  const project = owner && (await projects.find(owner));
  return project ? activeRedirect(project, host) : undefined;
}
