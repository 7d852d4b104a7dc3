/** What AWS's REST protocols share: the operation is found by method and path, and its input is merged from the request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AwsApiError, notSupported } from './aws-api-error.ts';
import type { HttpBinding, Permission, RestOperation } from './operation.ts';
import {
  type AwsRequest,
  type AwsService,
  acceptedBody,
  awsService,
  performOperation,
  type ServiceApi,
} from './service-api.ts';

export interface RestApi extends ServiceApi {
  readonly operations: readonly RestOperation[];
  /** What all paths begin with: `/2013-04-01`. */
  readonly pathPrefix?: string;
  /** What a policy must allow, where the service names it by method and path instead of by operation. */
  permission?(method: string, path: string): Permission;
}

/** How a protocol writes bodies. */
export interface BodyFormat {
  /** The members of an input that are in the body. */
  read(body: Buffer, operation: RestOperation): object;
  write(response: ServerResponse, answer: RestAnswer, operation: RestOperation): void;
  writeError(call: AwsRequest, status: number, error: AwsApiError): void;
}

/** An answer without its body format. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A text that is the body itself, or the members in the body; absent when there is no output. */
  readonly body?: string | object | undefined;
}

export function restService(api: RestApi, format: BodyFormat): AwsService {
  const routes = api.operations.map(operation => routeTo(operation, api.pathPrefix));
  return awsService(
    api,
    async call => {
      const body = await acceptedBody(api, call);
      const { request, response } = call;
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const path = pathname.replace(/\/$/, '');
      const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(path));
      if (route === undefined) throw notSupported(`${request.method} ${pathname} of the ${api.title} API`);
      const { operation, method, pattern } = route;
      const { http } = operation;
      const input = {
        ...(http.payload === undefined ? format.read(body, operation) : { [http.payload]: body }),
        ...headerMembers(http, request),
        ...queryMembers(http, searchParams, api),
        ...decodedValues(pattern.exec(path)?.groups, api),
      };
      const permission = api.permission?.(method, decoded(path, api));
      const output = await performOperation(api, { operation, input, permission }, call);
      format.write(response, restAnswer(http, output as OutputMembers | undefined), operation);
    },
    format.writeError,
  );
}

function routeTo(operation: RestOperation, prefix = '') {
  const [method = '', path = ''] = operation.http.route.split(' ');
  const pattern = new RegExp(`^${prefix}${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  return { method, pattern, operation };
}

function headerMembers({ headers = {} }: HttpBinding, request: IncomingMessage): object {
  const members = Object.entries(headers).map(([member, header]) => [member, request.headers[header]]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function queryMembers({ query = {} }: HttpBinding, given: URLSearchParams, { title }: ServiceApi): object {
  const listed = new Set(Object.values(query));
  const unlisted = [...given.keys()].filter(name => !listed.has(name));
  if (unlisted.length > 0) throw notSupported(`The parameter ${unlisted.join(', ')} of the ${title} API`);
  const members = Object.entries(query).filter(([, name]) => given.has(name));
  return Object.fromEntries(members.map(([member, name]) => [member, given.get(name)]));
}

function decodedValues(groups: Readonly<Record<string, string>> = {}, api: ServiceApi): object {
  return Object.fromEntries(Object.entries(groups).map(([member, value]) => [member, decoded(value, api)]));
}

/** Clients encode what is reserved in paths: API Gateway's base path (none) is %28none%29. */
function decoded(text: string, { errorNames }: ServiceApi): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AwsApiError(errorNames.unreadableRequest, 'Invalid request path');
  }
}

type OutputMembers = Readonly<Record<string, unknown>>;

function restAnswer({ status = 200, output: binding = {} }: HttpBinding, output?: OutputMembers): RestAnswer {
  if (output === undefined) return { status, headers: {} };
  const members = new Map(Object.entries(output));
  const take = (member: string | undefined) => {
    const value = members.get(member ?? '');
    members.delete(member ?? '');
    return value;
  };
  const headers = Object.entries(binding.headers ?? {}).map(([member, header]) => [header, take(member)]);
  const ownStatus = take(binding.status);
  const payload = take(binding.payload);
  return {
    status: ownStatus === undefined ? status : Number(ownStatus),
    headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)),
    body: binding.payload === undefined ? Object.fromEntries(members) : payload?.toString(),
  };
}
