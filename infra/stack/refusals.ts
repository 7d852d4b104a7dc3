import type { IResource } from 'aws-cdk-lib/aws-apigateway';
import { errorBody } from '../../shared/http/errors.ts';
import type { BrowserOrigins } from '../settings/browser-origins.ts';
import { mockAnswerCors, preflightCors } from './cors.ts';
import { addMockMethod, type MockAnswer, statusOf } from './mock-method.ts';

/** The methods that API Gateway knows, which a method ANY takes. */
export const GATEWAY_METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

const REASON = 'It only says that there is no such path or method; nothing is behind it.';

/** API Gateway itself answers 405 to every method that a resource does not have; `allow` lists those that it has. */
export function refuseOtherMethods(resource: IResource, origins: BrowserOrigins, allow: string): void {
  const answer = refusal(405, origins, { Allow: `'${allow}'` });
  addMockMethod(resource, 'ANY', { answers: [answer], reason: REASON });
}

/**
 * API Gateway itself answers 404 to every method of a path that does not exist. A preflight is admitted, because a page
 * could not read the 404 otherwise.
 */
export function refuseUnknownPath(resource: IResource, origins: BrowserOrigins): void {
  const answer = refusal(404, origins);
  if (origins.length === 0) {
    addMockMethod(resource, 'ANY', { answers: [answer], reason: REASON });
    return;
  }
  const methods = GATEWAY_METHODS.filter(method => method !== 'OPTIONS').join(', ');
  const cors = preflightCors(origins, methods, 'Authorization, Content-Type, Idempotency-Key');
  addMockMethod(resource, 'ANY', {
    answers: [answer, { statusCode: '204', headers: {}, cors }],
    statusTemplate: PREFLIGHT_OR_404,
    reason: REASON,
  });
}

/** A preflight has this header, in the case of HTTP/1.1 or of HTTP/2; an OPTIONS of another client does not. */
const PREFLIGHT_OR_404 = [
  "#set($asked = $input.params('Access-Control-Request-Method'))",
  "#if($asked == '')",
  "#set($asked = $input.params('access-control-request-method'))",
  '#end',
  "#if($context.httpMethod == 'OPTIONS' && $asked != '')",
  statusOf('204'),
  '#else',
  statusOf('404'),
  '#end',
].join('\n');

function refusal(
  status: 404 | 405,
  origins: BrowserOrigins,
  headers: Readonly<Record<string, string>> = {},
): MockAnswer {
  const body = JSON.stringify(errorBody(status === 404 ? 'not_found' : 'method_not_allowed'));
  return { statusCode: String(status), headers, cors: mockAnswerCors(origins), body };
}
