import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { redirectTarget } from '../../shared/domains/redirect-target.ts';
import { required } from '../../shared/environment.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { redirectAnswer } from '../../shared/http/redirect-answer.ts';
import { projectStore } from '../../shared/projects/project-store.ts';

const domains = domainStore(required('DOMAINS_TABLE'));
const projects = projectStore(required('PROJECTS_TABLE'));
const redirectOf = redirectTarget(domains.ownerOf, projects.find);

/** Any method and path of a redirecting domain: redirects the client to the same path of the target domain. */
export const handler = endpoint().handler(async event => {
  const host = event.requestContext.domainName?.toLowerCase();
  const target = host && (await redirectOf(host));
  if (!target) throw new ApiError('not_found', 'This domain does not redirect to another.');
  return redirectAnswer(event, target);
});
