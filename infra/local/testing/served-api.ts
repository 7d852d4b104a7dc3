import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { FindApiKey } from '../apigateway/gateway-services.ts';
import type { ProxyEvent } from '../apigateway/proxy-integration.ts';
import { type RestApis, restApis, type StageMapping } from '../apigateway/rest-apis.ts';
import type { Resource } from '../cloudformation/resource-type.ts';
import type { InvocationResult, ServiceCaller } from '../lambda/invocation.ts';

export { queryParameters } from '../apigateway/exchange.ts';

/** The endpoint type that the local AWS supports. */
export const REGIONAL = { EndpointConfiguration: { Types: ['REGIONAL'] } } as const;

export const API_ID = 'abcdefghij';
export const ACCOUNT_ID = '000000000000';
export const REGION = 'eu-central-1';
export const API_ARN = `arn:aws:execute-api:${REGION}:${ACCOUNT_ID}:${API_ID}`;
export const FUNCTION_ARN = `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:AnyFunction`;
export const AUTHORIZER_ARN = `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:Authorize`;
export const LOG_GROUP_ARN = `arn:aws:logs:${REGION}:${ACCOUNT_ID}:log-group:access:*`;

type Properties = Record<string, unknown>;

/** A resource of the type AWS::ApiGateway::`type`. */
export function resource(
  type: string,
  logicalId: string,
  properties: Properties,
  physicalId = logicalId,
): Resource {
  return { stack: 'Petstore-Test', logicalId, type: `AWS::ApiGateway::${type}`, physicalId, properties };
}

export const uri = (functionArn: string) =>
  `arn:aws:apigateway:${REGION}:lambda:path/2015-03-31/functions/${functionArn}/invocations`;

export const proxyTo = (functionArn: string, more: Properties = {}) => ({
  Type: 'AWS_PROXY',
  IntegrationHttpMethod: 'POST',
  Uri: uri(functionArn),
  ...more,
});

/** The API itself and its stage. */
export function api(stage: Properties = {}, apiId = API_ID, restApi: Properties = {}): Resource[] {
  return [
    resource('Account', 'Account', { CloudWatchRoleArn: 'arn' }),
    resource('RestApi', `Api${apiId}`, { Name: 'Petstore', ...REGIONAL, ...restApi }, apiId),
    resource('Stage', `Stage${apiId}`, { RestApiId: apiId, StageName: 'test', ...stage }),
  ];
}

export const path = (id: string, parent: string, pathPart: string) =>
  resource('Resource', id, {
    RestApiId: API_ID,
    ParentId: parent === 'root' ? `${API_ID}-root` : parent,
    PathPart: pathPart,
  });

export const method = (resourceId: string, httpMethod: string, more: Properties = {}) =>
  resource('Method', `${resourceId}${httpMethod}`, {
    RestApiId: API_ID,
    ResourceId: resourceId === 'root' ? `${API_ID}-root` : resourceId,
    HttpMethod: httpMethod,
    AuthorizationType: 'NONE',
    Integration: proxyTo(FUNCTION_ARN),
    ...more,
  });

export const gatewayResponse = (type: string, more: Properties = {}) =>
  resource('GatewayResponse', type, { RestApiId: API_ID, ResponseType: type, ...more });

export const authorizer = (more: Properties = {}) =>
  resource('Authorizer', 'authorizer1', {
    RestApiId: API_ID,
    Name: 'keys',
    Type: 'TOKEN',
    AuthorizerUri: uri(AUTHORIZER_ARN),
    IdentitySource: 'method.request.header.Authorization',
    ...more,
  });

/** `GET /pets/{petId}`, the method most tests call. */
export const onePet = (more: Properties = {}) => [
  path('pets', 'root', 'pets'),
  path('pet', 'pets', '{petId}'),
  method('pet', 'GET', more),
];

export interface Invocation {
  readonly functionArn: string;
  /** The event of a proxy integration. Tests compare that of an authorizer as a whole. */
  readonly event: ProxyEvent;
  readonly caller: ServiceCaller;
}

interface RequestOptions {
  readonly method?: string;
  /** Alternating names and values. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface ServedApi {
  readonly apis: RestApis;
  readonly port: number;
  readonly invocations: Invocation[];
  readonly logLines: string[];
  /** The current time in milliseconds, which tests set. */
  nowMs: number;
  send(target: string, options?: RequestOptions): Promise<Reply>;
}

type Invoke = (invocation: Invocation) => InvocationResult | Promise<InvocationResult>;

export const returns = (value: unknown): InvocationResult => ({ payload: JSON.stringify(value) });
export const throws = (errorMessage: string): InvocationResult => ({
  payload: JSON.stringify({ errorMessage, errorType: 'Error' }),
  functionError: 'Unhandled',
});

/** Serves resources on a free port until the test has finished, or one stage of them as a custom domain does. */
export async function serve(
  resources: readonly Resource[],
  invoke: Invoke = () => returns({ statusCode: 200, body: '{}' }),
  findApiKey: FindApiKey = () => undefined,
  isDefaultEndpointClosed: (apiId: string) => boolean = () => false,
  mapping?: StageMapping,
): Promise<ServedApi> {
  const invocations: Invocation[] = [];
  const logLines: string[] = [];
  const clock = { nowMs: Date.UTC(2025, 0, 2, 3, 4, 5) };
  const apis = restApis(resources, {
    invoke: async (functionArn, event, caller) => {
      const invocation = { functionArn, event: event as ProxyEvent, caller };
      invocations.push(invocation);
      return invoke(invocation);
    },
    writeLog: (logGroupArn, line) => logLines.push(`${logGroupArn} ${line}`),
    findApiKey,
    isDefaultEndpointClosed,
    accountId: ACCOUNT_ID,
    region: REGION,
    now: () => clock.nowMs,
  });
  const server = createServer((incoming, outgoing) =>
    mapping ? apis.handleMapped(mapping, incoming, outgoing) : apis.handle(incoming, outgoing),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(clock, {
    apis,
    port,
    invocations,
    logLines,
    send: (target: string, options?: RequestOptions) => send(port, target, options),
  });
}

/** Sends a request without fetch, which would normalize target and headers. */
function send(
  port: number,
  target: string,
  { method = 'GET', headers = [], body = '' }: RequestOptions = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body.length > 0 ? ['Content-Length', String(Buffer.byteLength(body))] : [];
    const outgoing = request({
      port,
      host: '127.0.0.1',
      path: target,
      method,
      headers: ['Host', `127.0.0.1:${port}`, ...length, ...headers],
    });
    outgoing.on('response', async incoming => {
      const chunks = await incoming.toArray();
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        rawHeaders: incoming.rawHeaders,
        body: Buffer.concat(chunks).toString(),
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
