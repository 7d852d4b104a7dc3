import * as http from 'node:http';
import * as https from 'node:https';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { readBody, sendJsonError } from '../aws-api/http-messages.ts';
import type { Permission } from '../aws-api/operation.ts';
import type { AwsRequest, AwsService } from '../aws-api/service-api.ts';
import { REGION, regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { developer, type Principal } from '../iam/principal.ts';
import type { Engine } from './engine.ts';

/** DynamoDB Local closes a connection that was idle for 30 s. Closing it earlier avoids a request on a closed one. */
const IDLE_CONNECTION_MS = 10_000;
const RESPONSE_LIMIT_MS = 30_000;
const CONTENT_TYPE = 'application/x-amz-json-1.0';
const FORWARDED_HEADERS = ['accept-encoding', 'content-type', 'x-amz-date', 'x-amz-target'];

/** DynamoDB: checks what the sender's role allows and forwards the request to the engine, with the engine's access key. */
export function dynamoDbService({ endpoint, accessKeyId }: Pick<Engine, 'endpoint' | 'accessKeyId'>): {
  service: AwsService;
  close(): void;
} {
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/${REGION}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;
  const connections = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
  const plainAgent = new http.Agent(connections);
  const secureAgent = new https.Agent(connections);

  async function service({ request, body, response, principal }: AwsRequest): Promise<void> {
    if (request.method !== 'POST' || request.url !== '/') {
      return refuse(response, 'UnknownOperationException', 'DynamoDB has POST / only.');
    }
    const denial = denialOf(principal, request, body);
    if (denial !== undefined) return refuse(response, 'AccessDeniedException', denial);
    forward(new URL('/', await endpoint), request, body, response);
  }

  /** Nothing of the request chooses where it goes. */
  function forward(
    url: URL,
    { headers: sent }: http.IncomingMessage,
    body: Buffer,
    response: http.ServerResponse,
  ): void {
    const forwarded = FORWARDED_HEADERS.flatMap(name =>
      sent[name] === undefined ? [] : [[name, sent[name]]],
    );
    const headers = { ...Object.fromEntries(forwarded), authorization, 'content-length': body.length };
    const options = { method: 'POST', headers };
    const engine =
      url.protocol === 'https:'
        ? https.request(url, { ...options, agent: secureAgent })
        : http.request(url, { ...options, agent: plainAgent });
    // A client sees an engine that is down, or stops during a response, as a network failure.
    const fail = () => response.destroy();
    engine.on('error', fail);
    engine.setTimeout(RESPONSE_LIMIT_MS, () => engine.destroy());
    engine.on('response', received => {
      const {
        connection,
        'keep-alive': keepAlive,
        'transfer-encoding': encoding,
        ...endToEnd
      } = received.headers;
      // In one piece, so that headers and body are one packet.
      readBody(received, Number.POSITIVE_INFINITY).then(
        content => response.writeHead(received.statusCode ?? 502, endToEnd).end(content),
        fail,
      );
    });
    response.on('close', () => {
      if (!response.writableFinished) engine.destroy();
    });
    engine.end(body);
  }

  return {
    service,
    close: () => {
      plainAgent.destroy();
      secureAgent.destroy();
    },
  };
}

function refuse(response: http.ServerResponse, name: string, message: string): void {
  sendJsonError(response, 400, new AwsApiError(name, message), CONTENT_TYPE);
}

/** The operation is named in a header: DynamoDB_20120810.PutItem. A developer may do everything, so only a function's request is read. */
function denialOf(principal: Principal, request: http.IncomingMessage, body: Buffer): string | undefined {
  if (principal === developer) return undefined;
  const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
  for (const { action, resource } of requiredPermissions(operation, body.toString())) {
    const denial = principal.denial(action, resource);
    if (denial !== undefined) return denial;
  }
  return undefined;
}

interface TableRequest {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName?: string }>>[];
}

/** Each part of a transaction is authorized as the operation that it corresponds to. */
const ACTION_BY_TRANSACT_ITEM = new Map([
  ['ConditionCheck', 'ConditionCheckItem'],
  ['Delete', 'DeleteItem'],
  ['Get', 'GetItem'],
  ['Put', 'PutItem'],
  ['Update', 'UpdateItem'],
]);

/**
 * The permissions that a DynamoDB request needs. An operation without a table needs one for all resources, and so does a
 * request that cannot be read. The engine ignores fields of other operations, and refuses empty lists.
 */
export function requiredPermissions(operation: string, body: string): Permission[] {
  try {
    return permissionsFor(operation, JSON.parse(body || '{}'));
  } catch {
    return [permission(operation, '*')];
  }
}

export function permissionsFor(operation: string, request: TableRequest): Permission[] {
  const { TableName, IndexName, RequestItems = {}, TransactItems = [] } = request;
  if (operation === 'TransactGetItems' || operation === 'TransactWriteItems') {
    return TransactItems.flatMap(item =>
      Object.entries(item).map(([kind, { TableName: table }]) =>
        permission(ACTION_BY_TRANSACT_ITEM.get(kind) ?? kind, tableArn(table ?? '')),
      ),
    );
  }
  if (operation === 'BatchGetItem' || operation === 'BatchWriteItem') {
    return Object.keys(RequestItems).map(table => permission(operation, tableArn(table)));
  }
  if (TableName === undefined) {
    return [permission(operation, '*')];
  }
  const table = tableArn(TableName);
  return [permission(operation, IndexName === undefined ? table : `${table}/index/${IndexName}`)];
}

function permission(operation: string, resource: string): Permission {
  return { action: `dynamodb:${operation}`, resource };
}

/** The ARN of a table, which a request names by name or ARN. */
function tableArn(table: string): string {
  return table.startsWith('arn:') ? table : regionalArn('dynamodb', `table/${table}`);
}
