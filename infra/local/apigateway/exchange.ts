/** A request to a stage and the response to it: target, headers, limits and ids. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { unescape as percentDecode } from 'node:querystring';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { readBody } from '../aws-api/http-messages.ts';
import { REQUEST_LIMIT_BYTES } from '../lambda/functions.ts';
import { GatewayFault } from './gateway-fault.ts';

export type Header = readonly [name: string, value: string];

/** One request, and what a stage adds to it while serving it. */
export interface Exchange {
  readonly apiId: string;
  readonly stageName: string;
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly startedAtMs: number;
  readonly httpMethod: string;
  /** The path as the client wrote it, without the stage and empty segments in front. */
  readonly path: string;
  /** The path as the client wrote it, with the stage unless it is mapped by a custom domain name. */
  readonly calledPath: string;
  readonly query: string;
  readonly protocol: string;
  /** The headers in the client's order and case. */
  readonly headers: readonly Header[];
  readonly sourceIp: string;
  readonly userAgent: string | undefined;
  /** The host of the request, with its port unless it is a custom domain name. */
  readonly domainName: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
  /** The values of `$context` variables. Each step of serving the request adds its own. */
  readonly variables: Map<string, string>;
}

/** The value of a header, whose name is compared without regard to case; of several values, the last. */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  return headers.findLast(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1];
}

/** Begins the exchange of a request to a stage. */
export function beginExchange(
  request: Pick<IncomingMessage, 'method' | 'rawHeaders' | 'httpVersion' | 'socket'>,
  { path, calledPath, query }: RequestTarget,
  stage: { apiId: string; stageName: string; accountId: string },
  startedAtMs: number,
): Exchange {
  const headers = rawHeaders(request);
  const { apiId, stageName, accountId } = stage;
  const userAgent = headerValue(headers, 'User-Agent');
  const scheme: Exchange['scheme'] = request.socket instanceof TLSSocket ? 'https' : 'http';
  const domainName = calledHost(headers, scheme);
  const exchange = {
    apiId,
    stageName,
    // A client can set the request id, but not the extended request id.
    requestId: headerValue(headers, 'x-amzn-RequestId') || randomUUID(),
    extendedRequestId: extendedRequestId(),
    startedAtMs,
    httpMethod: request.method ?? 'GET',
    path,
    calledPath,
    query,
    protocol: `HTTP/${request.httpVersion}`,
    headers,
    sourceIp: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    userAgent,
    domainName,
    port: request.socket.localPort ?? 80,
    scheme,
  };
  const variables = new Map([
    ['accountId', accountId],
    ['apiId', apiId],
    ['stage', stageName],
    ['requestId', exchange.requestId],
    ['extendedRequestId', exchange.extendedRequestId],
    ['requestTime', commonLogTime(startedAtMs)],
    ['requestTimeEpoch', String(startedAtMs)],
    ['httpMethod', exchange.httpMethod],
    ['path', calledPath],
    ['protocol', exchange.protocol],
    ['identity.sourceIp', exchange.sourceIp],
    ['domainName', domainName],
    ['domainPrefix', domainPrefix(domainName)],
  ]);
  if (userAgent !== undefined) variables.set('identity.userAgent', userAgent);
  return { ...exchange, variables };
}

/**
 * AWS omits the port, which is always 443, and so does a custom domain name here. Any other host keeps its port, so that
 * links point back to this server.
 */
function calledHost(headers: readonly Header[], scheme: Exchange['scheme']): string {
  const host = headerValue(headers, 'Host') ?? '';
  return scheme === 'https' ? hostName(host) : host;
}

/** The name in a Host header, which may be in capitals and have a port. */
export function hostName(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/** An IP address in brackets, or labels; then perhaps a port. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*\.?)(?::\d{1,5})?$/i;

/**
 * Whether a request has one Host header with a host and perhaps a port. API Gateway selects an API by it, and functions
 * make links of it.
 */
export function hasValidHost(request: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  const hosts = rawHeaders(request).filter(([name]) => name.toLowerCase() === 'host');
  return hosts.length === 1 && HOST.test(hosts[0]?.[1] ?? '');
}

/** The first label of a host name. */
export function domainPrefix(domainName: string): string {
  return domainName.replace(/\..*$/, '');
}

/** In the form of API Gateway: 11 random bytes as 15 characters of base64, and the padding. */
export function extendedRequestId(): string {
  return `${randomBytes(11).toString('base64url')}=`;
}

/** The time of the Common Log Format: 09/Apr/2015:12:34:56 +0000. */
export function commonLogTime(timeMs: number): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+) GMT$/.exec(
    new Date(timeMs).toUTCString(),
  ) as RegExpExecArray;
  return `${day}/${month}/${year}:${time} +0000`;
}

function rawHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): readonly Header[] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, pair) => [
    rawHeaders[2 * pair] ?? '',
    rawHeaders[2 * pair + 1] ?? '',
  ]);
}

/** The parts of a request's target: `/production/v1/pets?limit=5`. */
export interface RequestTarget {
  readonly stageName: string;
  /** The path as the client wrote it, with the stage if it contains one. */
  readonly calledPath: string;
  /** The path below the stage, as the client wrote it but with one slash in front: `/v1/pets`, or `/`. */
  readonly path: string;
  /** The text after the question mark, or an empty string. */
  readonly query: string;
}

/** Splits a target in origin form, or in absolute form as clients of a proxy write it. */
export function requestTarget(url: string): RequestTarget {
  const { wholePath, query } = pathAndQuery(url);
  const [, before = '/', stageName = '', rest = ''] = /^(\/+)([^/]*)(.*)$/s.exec(wholePath) ?? [];
  return { stageName, calledPath: `${before}${stageName}${rest || '/'}`, path: oneSlashInFront(rest), query };
}

/** The target of a request to a custom domain name, whose base path is mapped to a stage. */
export function mappedTarget(url: string, stageName: string): RequestTarget {
  const { wholePath, query } = pathAndQuery(url);
  return { stageName, calledPath: wholePath || '/', path: oneSlashInFront(wholePath), query };
}

/** API Gateway drops empty segments in front of a path. */
const oneSlashInFront = (path: string) => path.replace(/^\/*/, '/');

function pathAndQuery(url: string) {
  const [, beforeQuery = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  return { wholePath: beforeQuery.replace(/^https?:\/\/[^/]*/i, ''), query };
}

/**
 * The segments of a path, percent-encoded. One trailing slash is ignored. A malformed escape is passed on as it is, as all
 * path parameters are: it is not documented whether API Gateway refuses it, and the function has to be able to.
 */
export function pathSegments(path: string): readonly string[] {
  const trimmed = path.replace(/^\//, '').replace(/\/$/, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

/**
 * The decoded parameters of a query in their order. A plus is a space, and a semicolon separates as & does: API Gateway
 * documents that it splits there, and that |, { and } have to be encoded.
 */
export function queryParameters(query: string): readonly (readonly [name: string, value: string])[] {
  if (/%(?![0-9A-Fa-f]{2})|[|{}]/.test(query)) throw new GatewayFault('BAD_REQUEST_PARAMETERS');
  return query
    .split(/[&;]/)
    .filter(pair => pair !== '')
    .map(pair => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair.replaceAll('+', ' ')) ?? [];
      return [percentDecode(name), percentDecode(value)] as const;
    });
}

/**
 * The limits for requests: 10,240 bytes of request line and header values, above which the gateway returns 431 as a
 * DEFAULT_4XX response, and 10 MB of body. SERVER_LIMITS lets more headers than that through Node's HTTP parser.
 */
const MAX_HEADER_BYTES = 10_240;
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Rejects a request whose request line and header values together are too long. */
export function requireHeadersWithinLimit({ httpMethod, path, query, headers }: Exchange): void {
  const values = [httpMethod, path, query, ...headers.map(([, value]) => value)];
  // Node decodes request line and headers as Latin-1: one character is one byte.
  const bytes = values.reduce((sum, value) => sum + value.length, 0);
  if (bytes > MAX_HEADER_BYTES) {
    throw new GatewayFault('DEFAULT_4XX', { status: 431, clientMessage: 'Request Header Fields Too Large' });
  }
}

/** The client disconnected before its request was complete: there is nobody to respond to. */
export class ClientGone extends Error {}

/** The client must be able to send all of a body that is too long, or it would see a reset instead of the response. */
export async function requestBody(request: IncomingMessage): Promise<Buffer> {
  const body = await readBody(request, MAX_BODY_BYTES).catch(() => {
    throw new ClientGone();
  });
  if (body === undefined) throw new GatewayFault('REQUEST_TOO_LARGE');
  return body;
}

const DECOMPRESS_BY_CODING = new Map([
  ['gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, ZlibOptions, Buffer>(inflate)],
]);

/**
 * The body without its Content-Encoding: API Gateway decompresses what is in a coding that it knows, and refuses the rest.
 * That it leaves the header in place is not documented, only reported.
 */
export async function decodedBody(body: Buffer, headers: readonly Header[]): Promise<Buffer> {
  const coding = headerValue(headers, 'Content-Encoding')?.trim().toLowerCase() ?? '';
  if (body.length === 0 || coding === '' || coding === 'identity') return body;
  const decompress = DECOMPRESS_BY_CODING.get(coding);
  if (decompress === undefined) throw new GatewayFault('UNSUPPORTED_MEDIA_TYPE');
  try {
    // Nothing longer fits into an event. The limit is that of the memory, too: 10 kB of gzip can be 10 MB.
    return await decompress(body, { maxOutputLength: REQUEST_LIMIT_BYTES });
  } catch (cause) {
    const isTooLong = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new GatewayFault(isTooLong ? 'REQUEST_TOO_LARGE' : 'UNSUPPORTED_MEDIA_TYPE', { cause });
  }
}

/** The response to the client, without the headers that every response has. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: string | Buffer;
}

/** The request fields that the headers of every response need. */
type RequestIds = Pick<Exchange, 'requestId' | 'extendedRequestId' | 'httpMethod'>;

/** The headers that every response has in addition to its own. */
export function complete(response: HttpResponse, { requestId, extendedRequestId }: RequestIds): HttpResponse {
  const hasType = response.headers.some(([name]) => name.toLowerCase() === 'content-type');
  const headers: Header[] = [
    ...response.headers,
    ...(hasType ? [] : [['Content-Type', 'application/json'] as const]),
    ['x-amzn-RequestId', requestId],
    ['x-amz-apigw-id', extendedRequestId],
  ];
  return { ...response, headers };
}

/** Sends a response. A client that has disconnected is not an error: Node discards what is written to it. */
export function send(response: HttpResponse, ids: RequestIds, to: ServerResponse): void {
  sendComplete(complete(response, ids), ids.httpMethod, to);
}

/** Sends a response that has all of its headers. */
export function sendComplete(
  { status, headers, body }: HttpResponse,
  httpMethod: string | undefined,
  response: ServerResponse,
): void {
  response.statusCode = status;
  for (const [name, value] of headers) response.appendHeader(name, value);
  // RFC 9110, 8.6: a 204 has no Content-Length, and a 304 would have to have that of the 200 response.
  const hasBody = status !== 204 && status !== 304;
  const isHead = httpMethod === 'HEAD';
  // The length of a response to HEAD is that of GET, which is unknown when the integration has left its body out.
  const hasLength = hasBody && !(isHead && body.length === 0);
  if (hasLength) response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(hasBody && !isHead ? body : undefined);
}
