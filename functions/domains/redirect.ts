import type { APIGatewayProxyEvent } from 'aws-lambda';
import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { redirectTarget } from '../../shared/domains/redirect-target.ts';
import { required } from '../../shared/environment.ts';
import type { Answer } from '../../shared/http/answer.ts';
import { signed } from '../../shared/http/complete-answer.ts';
import { errorAnswer } from '../../shared/http/error-answer.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { redirectAnswer } from '../../shared/http/redirect-answer.ts';
import { projectStore } from '../../shared/projects/project-store.ts';

const domains = domainStore(required('DOMAINS_TABLE'));
const projects = projectStore(required('PROJECTS_TABLE'));
const redirectOf = redirectTarget(domains.find, projects.find);

/** Any method and path of a domain that redirects: sends the client on to the domain that it redirects to. */
export async function handler(event: APIGatewayProxyEvent): Promise<Answer> {
  const answer = await redirect(event).catch(error => errorAnswer(error, event));
  return signed(answer, event);
}

async function redirect(event: APIGatewayProxyEvent): Promise<Answer> {
  const host = event.requestContext.domainName?.toLowerCase();
  const target = host && (await redirectOf(host));
  if (!target) throw new ApiError('not_found', 'This domain does not redirect to another.');
  return redirectAnswer(event, target);
}
