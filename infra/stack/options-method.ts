import type { IResource } from 'aws-cdk-lib/aws-apigateway';
import type { BrowserOrigins } from '../settings/browser-origins.ts';
import { preflightCors } from './cors.ts';
import { addMockMethod } from './mock-method.ts';

/** The methods of a resource and the request headers that they take, as the values of headers. */
interface ResourceMethods {
  /** All methods, OPTIONS included. */
  readonly allow: string;
  /** Those that a page may call. */
  readonly methods: string;
  readonly requestHeaders: string;
}

/**
 * API Gateway itself answers OPTIONS: 204 with Allow and, where pages of other origins may call the environment, what
 * they may send. Its headers are those of the resource, not of one method: browsers keep them by address.
 */
export function addOptionsMethod(
  resource: IResource,
  origins: BrowserOrigins,
  { allow, methods, requestHeaders }: ResourceMethods,
): void {
  const cors = preflightCors(origins, methods, requestHeaders);
  addMockMethod(resource, 'OPTIONS', {
    answers: [{ statusCode: '204', headers: { Allow: `'${allow}'` }, cors }],
    reason: 'It says which methods the path has, before a browser has sent an API key.',
  });
}
