/** What AWS's REST protocols share: the operation is found by method and path, and its input is merged from the request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';
import { AwsApiError, notSupported } from './aws-api-error.ts';
import { sendJson, sendRestJsonError } from './http-messages.ts';
import { jsonObject } from './json-protocol.ts';
import type { HttpBinding, Permission, RestOperation } from './operation.ts';
import {
  type AwsRequest,
  type AwsService,
  acceptedBody,
  awsService,
  errorNamesOf,
  performOperation,
  type ServiceApi,
} from './service-api.ts';
import { targetOf } from './signature.ts';

interface RestApi extends ServiceApi {
  readonly operations: readonly RestOperation[];
  /** What all paths begin with: `/2013-04-01`. */
  readonly pathPrefix?: string;
  /** What a policy must allow, where the service names it by method and path instead of by operation. */
  permission?(method: string, path: string): Permission;
}

/** How a protocol writes bodies. */
interface BodyFormat {
  /** The members of an input that are in the body. */
  read(body: Buffer, operation: RestOperation): object;
  write(response: ServerResponse, content: RestResponse, operation: RestOperation): void;
  writeError(call: AwsRequest, status: number, error: AwsApiError): void;
}

/** A response without its body format. */
interface RestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A text that is the body itself, or the members in the body; absent when there is no output. */
  readonly body?: string | object | undefined;
}

function restService(api: RestApi, format: BodyFormat): AwsService {
  const routes = api.operations.map(operation => routeTo(operation, api.pathPrefix));
  return awsService(
    api,
    async call => {
      const body = acceptedBody(api, call);
      const { request, response } = call;
      const target = targetOf(request);
      const path = target.path.replace(/\/$/, '');
      const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(path));
      if (route === undefined) throw notSupported(`${request.method} ${path} of the ${api.title} API`);
      const { operation, method, pattern } = route;
      const { http } = operation;
      const input = {
        ...(http.payload === undefined ? format.read(body, operation) : { [http.payload]: body }),
        ...headerMembers(http, request),
        ...queryMembers(http, target.parameters, api),
        ...decodedValues(pattern.exec(path)?.groups, api),
      };
      const permission = api.permission?.(method, decoded(path, api));
      const output = await performOperation(api, { operation, input, permission }, call);
      format.write(response, restResponse(http, output as OutputMembers | undefined), operation);
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
function decoded(text: string, api: ServiceApi): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AwsApiError(errorNamesOf(api).unreadableRequest, 'Invalid request path');
  }
}

type OutputMembers = Readonly<Record<string, unknown>>;

function restResponse(
  { status = 200, output: binding = {} }: HttpBinding,
  output?: OutputMembers,
): RestResponse {
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

export interface RestJsonApi extends RestApi {
  /** Members of outputs that have another name in bodies, with that name. */
  readonly outputNames?: Readonly<Record<string, string>>;
}

/** AWS's REST-JSON protocol: `POST /apikeys {"name": "…"}`. */
export function restJsonService(api: RestJsonApi): AwsService {
  const { outputNames = {} } = api;
  return restService(api, {
    read: body => jsonObject(body, api),
    write(response, { status, headers, body }) {
      if (body === undefined) {
        response.writeHead(status, headers).end();
      } else if (typeof body === 'string') {
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      } else {
        const members = Object.entries(body).map(([member, value]) => [outputNames[member] ?? member, value]);
        sendJson(response, status, Object.fromEntries(members), headers);
      }
    },
    writeError({ response }, status, error) {
      const { retryAfterSeconds } = error;
      if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
      sendRestJsonError(response, status, error);
    },
  });
}

export interface RestXmlApi extends RestApi {
  readonly namespace: string;
  /** The members that are lists, with the elements of their items: `Changes`, `Change`. */
  readonly listItems: Readonly<Record<string, string>>;
}

/** Names of members in a request are the client's. */
type ListItems = ReadonlyMap<string, string>;

const parser = new XMLParser({ parseTagValue: false, ignoreDeclaration: true });
const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@' });

/**
 * AWS's REST-XML protocol: `POST /2013-04-01/hostedzone <CreateHostedZoneRequest>…`. A list is an element with an
 * element for each of its items: `<Changes><Change>…</Change></Changes>`.
 */
export function restXmlService(api: RestXmlApi): AwsService {
  const { namespace } = api;
  const listItems = new Map(Object.entries(api.listItems));
  const { unreadableRequest } = errorNamesOf(api);
  const document = (element: string, content: object) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ [element]: { '@xmlns': namespace, ...content } })}`;

  return restService(api, {
    read(body, { name }) {
      if (body.length === 0) return {};
      const text = body.toString();
      if (XMLValidator.validate(text) !== true) {
        throw new AwsApiError(unreadableRequest, 'Invalid XML');
      }
      const root = `${name}Request`;
      const parsed: Readonly<Record<string, unknown>> = parser.parse(text);
      if (!(root in parsed)) {
        throw new AwsApiError(unreadableRequest, `Invalid XML ; the root element is not ${root}`);
      }
      const content = withLists(parsed[root], listItems);
      // An element without child elements is parsed as its text.
      return typeof content === 'object' && content !== null ? content : {};
    },
    write(response, { status, headers, body = {} }, { name }) {
      const content = withItems(body, listItems) as object;
      response.writeHead(status, { 'content-type': 'text/xml', ...headers });
      response.end(document(`${name}Response`, content));
    },
    writeError({ response, requestId }, status, { name, message }) {
      const content = { Error: { Type: 'Sender', Code: name, Message: message }, RequestId: requestId };
      response.writeHead(status, { 'content-type': 'text/xml' }).end(document('ErrorResponse', content));
    },
  });
}

/** Replaces the elements of lists by their items. What is not in the form of a list is left to the input schema. */
function withLists(content: unknown, listItems: ListItems): unknown {
  if (Array.isArray(content)) return content.map(item => withLists(item, listItems));
  if (typeof content !== 'object' || content === null) return content;
  const members = Object.entries(content).map(([member, value]) => {
    const item = listItems.get(member);
    if (item === undefined) return [member, withLists(value, listItems)];
    if (value === '') return [member, []];
    const isList = typeof value === 'object' && Object.keys(value).join() === item;
    return [member, isList ? [value[item]].flat().map(one => withLists(one, listItems)) : value];
  });
  return Object.fromEntries(members);
}

/** Gives each item of a list its element; leaves out what is undefined. */
function withItems(content: unknown, listItems: ListItems): unknown {
  if (Array.isArray(content)) return content.map(item => withItems(item, listItems));
  if (typeof content !== 'object' || content === null) return content;
  const members = Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .map(([member, value]) => {
      const item = listItems.get(member);
      const written = withItems(value, listItems);
      return [member, item === undefined ? written : { [item]: written }];
    });
  return Object.fromEntries(members);
}
