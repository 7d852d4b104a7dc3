import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { RequestTarget } from './request-target.ts';

export type Header = readonly [name: string, value: string];

/** One request, and what a stage adds to it while serving it. */
export interface Exchange {
  readonly apiId: string;
  readonly stageName: string;
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly startedAtMs: number;
  readonly httpMethod: string;
  /** The path as the client wrote it, without the stage. */
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
