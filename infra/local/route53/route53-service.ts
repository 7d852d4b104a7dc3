/** The Route 53 API, REST-XML: `POST /2013-04-01/hostedzone/Z…/rrset/ <ChangeResourceRecordSetsRequest>…`. */
import { throttle } from '../apigateway/throttle.ts';
import { type Route, routesTo } from '../aws-routes.ts';
import { type AwsRequest, type AwsService, readBody } from '../aws-service.ts';
import { PARTITION } from '../cloudformation/pseudo-parameters.ts';
import { isAwsName } from '../dns/aws-names.ts';
import { changeOperations } from './changes.ts';
import { hostedZoneOperations, idOf } from './hosted-zone-operations.ts';
import type { HostedZones } from './hosted-zones.ts';
import type { Operation, Route53Answer } from './operation.ts';
import { recordSetOperations } from './record-set-operations.ts';
import { Route53Error } from './route53-error.ts';
import { xmlDocument } from './xml.ts';

export interface Route53ServiceOptions {
  readonly hostedZones: HostedZones;
  /** Milliseconds since 1970; Date.now unless a test sets the clock. */
  readonly now?: () => number;
}

/** A batch of 1,000 changes of 32,000 characters in all, each escaped. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/** Of the account: shared/aws-facts.md. */
const LIMITS = { ratePerSecond: 10, burst: 50 };

const VERSION = '/2013-04-01';

export function route53Service({ hostedZones, now = Date.now }: Route53ServiceOptions): AwsService {
  const mayPass = throttle(LIMITS, now);
  const operations = {
    ...hostedZoneOperations(hostedZones),
    ...recordSetOperations(hostedZones, isAwsName),
    ...changeOperations(hostedZones),
  };
  const routes = routesTo(operations, VERSION);
  return async call => {
    const body = await readBody(call.request, BODY_LIMIT_BYTES);
    try {
      if (!mayPass()) throw new Route53Error('ThrottlingException', 'Rate exceeded');
      if (body === undefined) throw new Route53Error('InvalidInput', 'The request is larger than 1 MB');
      answerXml(call, performed(call, routes, body.toString()));
    } catch (error) {
      if (!(error instanceof Route53Error)) throw error;
      answerError(call, error);
    }
  };
}

function performed(
  { request, principal }: AwsRequest,
  routes: readonly Route<Operation>[],
  body: string,
): Route53Answer {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const path = pathname.replace(/\/$/, '');
  const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(path));
  if (route === undefined) {
    const message = `${request.method} ${pathname} of the Route 53 API is not supported by the local runtime.`;
    throw new Route53Error('NotImplemented', message);
  }
  const { id = '' } = route.pattern.exec(path)?.groups ?? {};
  const parameters = { id: idOf(decodeURIComponent(id)) };
  const { name, resource } = route.operation;
  const arn =
    resource === undefined ? '*' : `arn:${PARTITION}:route53:::${resource.replace('{id}', parameters.id)}`;
  const denial = principal.denial(`route53:${name}`, arn);
  if (denial !== undefined) throw new Route53Error('AccessDenied', denial);
  return route.operation.perform({ parameters, query: Object.fromEntries(searchParams), body });
}

function answerXml(
  { response }: AwsRequest,
  { status = 200, headers, element, content }: Route53Answer,
): void {
  response.writeHead(status, { 'content-type': 'text/xml', ...headers }).end(xmlDocument(element, content));
}

function answerError(call: AwsRequest, { name, message, status }: Route53Error): void {
  const content = {
    Error: { Type: 'Sender', Code: name, Message: message },
    RequestId: call.response.getHeader('x-amzn-requestid'),
  };
  answerXml(call, { status, element: 'ErrorResponse', content });
}
