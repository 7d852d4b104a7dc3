import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { valuesOf } from './dns/check-record.ts';
import { timeLimit } from './dns/dns-query.ts';
import { type Lookup, resolverLookup } from './dns/lookup.ts';
import { isPublicAddress } from './dns/public-address.ts';

/** How an HTTPS request to a domain ended, and for people why, in words of ours: the other side may be anybody. */
export type Reached =
  /** The domain's own certificate, and a response of the API that it is mapped to. */
  | { readonly kind: 'reached' }
  /** No IP address, no connection, or no response in time. */
  | { readonly kind: 'unreachable'; readonly why: string }
  /** The certificate is not valid for the name, or is another than the domain's own. */
  | { readonly kind: 'certificate_wrong'; readonly why: string }
  /** Something other than the API responded. */
  | { readonly kind: 'answer_foreign'; readonly why: string };

/**
 * Sends `GET /` to a domain over HTTPS, by public resolution and with normal verification of the certificate, whose
 * serial number is compared with this one unless it is null. It never throws, and takes at most BUDGET_MS.
 */
export type Reach = (domain: string, serial: string | null) => Promise<Reached>;

/** Of the look-up and the requests together; the functions that call it have 55 s. */
const BUDGET_MS = 6000;
/** How long one resolver may take. */
const LOOKUP_MS = 2000;
/** A domain name of API Gateway has three or four addresses. */
const MAX_ADDRESSES = 4;
const BODY_LIMIT_BYTES = 16_384;
const REDIRECTS: readonly number[] = [301, 302, 307, 308];

/** What errors of Node mean, by the beginning of their codes; the first that fits. */
const FAILURES: readonly [code: RegExp, kind: Exclude<Reached['kind'], 'reached'>, why: string][] = [
  [/^ERR_TLS_CERT_ALTNAME/, 'certificate_wrong', "It's for another name."],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)/, 'certificate_wrong', "It has expired, or isn't valid yet."],
  [
    /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS_INVALID)/,
    'certificate_wrong',
    "It isn't from a certificate authority that browsers trust.",
  ],
  [/^ECONNREFUSED/, 'unreachable', 'The connection was refused.'],
  [/^(ABORT_ERR|ETIMEDOUT)/, 'unreachable', 'There was no response in time.'],
  [/^(ERR_SSL|EPROTO)/, 'unreachable', 'The TLS connection failed.'],
];

/** Asks these recursive resolvers for the addresses: the next one only if one fails. */
export function reacher(resolverAddresses: readonly string[], budgetMs = BUDGET_MS): Reach {
  return async (domain, serial) => {
    const budget = timeLimit(budgetMs);
    const limits = { timeoutMs: LOOKUP_MS, budget };
    const addresses = await addressesOf(
      domain,
      resolverAddresses.map(address => resolverLookup(address, limits)),
    );
    if (addresses.length === 0) return { kind: 'unreachable', why: 'The name has no IP address.' };
    const ended = await Promise.all(
      addresses.slice(0, MAX_ADDRESSES).map(address => reachAt(address, domain, serial, budget)),
    );
    return ended.find(({ kind }) => kind !== 'reached') ?? { kind: 'reached' };
  };
}

async function addressesOf(domain: string, resolvers: readonly Lookup[]): Promise<readonly string[]> {
  for (const lookup of resolvers) {
    const [four, six] = await Promise.all([lookup(domain, 'A'), lookup(domain, 'AAAA')]);
    const addresses = [four, six].map(valuesOf).find(({ length }) => length > 0);
    if (addresses || four.kind !== 'unknown') return addresses ?? [];
  }
  return [];
}

async function reachAt(
  address: string,
  domain: string,
  serial: string | null,
  signal: AbortSignal,
): Promise<Reached> {
  if (!isPublicAddress(address)) {
    return { kind: 'unreachable', why: `${address} isn't a public IP address.` };
  }
  try {
    const response = await get(address, domain, signal);
    const served = serialOf(response);
    if (serial !== null && served !== plain(serial)) {
      response.destroy();
      return { kind: 'certificate_wrong', why: "It isn't the one issued for the domain." };
    }
    return judge(response, await textOf(response));
  } catch (error) {
    const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
    const [, kind, why] = FAILURES.find(([pattern]) => pattern.test(code)) ?? [];
    return { kind: kind ?? 'unreachable', why: why ?? 'The connection failed.' };
  }
}

function get(host: string, domain: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host,
      port: 443,
      path: '/',
      servername: domain,
      headers: { Host: domain, 'User-Agent': 'petstore-domain-check' },
      agent: false,
      signal,
    });
    sent
      .on('response', resolve)
      // A server may send any number of interim responses.
      .on('information', () => sent.destroy())
      .on('error', reject)
      // A server that switches protocols gets neither.
      .on('close', reject)
      .end();
  });
}

/** The beginning of the body. */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
}

/**
 * Whether the API responded: with an Error of the service, a redirect, or whatever the API of another project returns. For
 * a domain name without a mapping API Gateway itself responds, with 403 and only a message.
 */
function judge({ statusCode = 0, headers }: IncomingMessage, body: string): Reached {
  const answer = parsed(body);
  const isError = answer.status === statusCode && 'code' in answer && 'message' in answer;
  const isRedirect = REDIRECTS.includes(statusCode) && headers.location !== undefined;
  const isGateway = headers['x-amzn-requestid'] !== undefined || headers['x-amz-apigw-id'] !== undefined;
  const isUnmapped = statusCode === 403 && Object.keys(answer).join() === 'message';
  if (isError || isRedirect || (isGateway && !isUnmapped)) return { kind: 'reached' };
  return { kind: 'answer_foreign', why: `The response (${statusCode}) isn't from the API.` };
}

/** The fields of a JSON object; none for any other text. */
function parsed(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function serialOf({ socket }: IncomingMessage): string {
  return plain((socket as TLSSocket).getPeerCertificate().serialNumber);
}

/** ACM writes `0a:1b:…`, Node `A1B…`: without colons, case and leading zeros both are the same. */
function plain(serial: string): string {
  return serial.replaceAll(':', '').toLowerCase().replace(/^0+/, '');
}
