import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { PROOF_PATH, proofOf } from './arrival-proof.ts';
import { valuesOf } from './dns/check-record.ts';
import { timeLimit } from './dns/dns-query.ts';
import { isCloudflareProxy, isPublicAddress } from './dns/ip-address.ts';
import { type Found, type Lookup, resolverLookup } from './dns/lookup.ts';

/** How HTTPS requests to a domain ended: all of them reached it, or the first that did not. */
export type Reached = Arrived | Unreached;

interface Arrived {
  readonly kind: 'reached';
  /** Present if a proxy responds, with a certificate of its own, and passes requests on to us. */
  readonly isProxied?: true;
}

interface Unreached {
  readonly kind: /** No IP address, no connection, or no response in time. */
    | 'unreachable'
    /** The certificate is not valid for the name, or is another than the domain's own. */
    | 'certificate_wrong'
    /** Something other than the API responded. */
    | 'answer_foreign'
    /** The certificate is somebody else's, and nothing proves that requests arrive here. */
    | 'unproven'
    /** Nothing could prove it: the domain leads to an API that isn't the service's own. */
    | 'unprovable'
    /** Unproven while our own edge fails or has no proofs to give: this shows nothing about the domain. */
    | 'unknown';
  /** For people, in words of ours: the other side may be anybody. */
  readonly why: string;
  /** The IP address, if the name has any. */
  readonly at?: string;
  /** Present if it's of IPv6, and the network here has none. */
  readonly hasNoRoute?: true;
  /** Whether requests to other addresses of the name have reached it. */
  readonly isPartial?: boolean;
}

/** What HTTPS requests show of a domain. */
export interface Observed {
  /** At the addresses of its domain name at API Gateway. */
  readonly edge: Reached;
  /** At the addresses that visitors get. */
  readonly visitors: Reached;
}

/**
 * Sends `GET /` for a domain over HTTPS, with normal verification of the certificate, which has to be the domain's own or,
 * with a proof (arrival-proof.ts), a proxy's: to every address that `edgeHost` has, the host of its domain name, and to every
 * address that public resolution gives, or will give once caches have forgotten what was there before `published`, hosts or
 * addresses. It never throws, and takes at most BUDGET_MS.
 */
export type Reach = (
  domain: string,
  certificate: OwnCertificate,
  edgeHost: string,
  published?: readonly string[],
) => Promise<Observed>;

/** The certificate of a domain. */
export interface OwnCertificate {
  /** Its serial numbers as ACM writes them: the present one, and the one before its renewal. */
  readonly serials: readonly string[];
  /** While ACM renews it: its names, and from when on it may have issued another one that it does not report yet. */
  readonly renewal?: { readonly names: readonly string[]; readonly sinceMs: number };
}

/** Of the look-up and the requests together; the functions that call it have 55 s. */
const BUDGET_MS = 6000;
/** How long one resolver may take. */
const LOOKUP_MS = 2000;
/** Of each family. A domain name of API Gateway has three or four addresses. */
const MAX_ADDRESSES = 4;
const BODY_LIMIT_BYTES = 16_384;
/** Anybody may use up the throttle of proofs, which refills every second. */
const PROOF_ATTEMPTS = 3;
const PROOF_PAUSE_MS = 300;
const REDIRECTS: readonly number[] = [301, 302, 307, 308];

/** What errors of Node mean, by the beginning of their codes; the first that fits. */
const FAILURES: readonly [code: RegExp, kind: Unreached['kind'], why: string][] = [
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

/** The network has no way to an address of IPv6. Functions on AWS have none, unless they are in a VPC. */
const NO_IPV6 = /^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT)$/;

/** What is asked for at each address. */
interface Visit {
  readonly domain: string;
  readonly certificate: OwnCertificate;
  /** The addresses of the domain name at API Gateway. */
  readonly ours: readonly string[];
  readonly secret: string;
  readonly signal: AbortSignal;
}

/** Asks these recursive resolvers for the addresses: the next one only if one fails. `secret` is that of proofs. */
export function reacher(resolverAddresses: readonly string[], secret: string, budgetMs = BUDGET_MS): Reach {
  return async (domain, certificate, edgeHost, published = []) => {
    const signal = timeLimit(budgetMs);
    const limits = { timeoutMs: LOOKUP_MS, budget: signal };
    const resolvers = resolverAddresses.map(address => resolverLookup(address, limits));
    const [ours = [], ...found] = await Promise.all(
      [edgeHost, domain, ...published.slice(0, MAX_ADDRESSES)].map(name => addressesOf(name, resolvers)),
    );
    // A host without an address is where visitors get nowhere, whatever others have cached.
    const theirs = found.every(addresses => addresses.length > 0) ? [...new Set(found.flat())] : [];
    const visit = { domain, certificate, ours, secret, signal };
    const requests = new Map([...new Set([...ours, ...theirs])].map(at => [at, reachAt(at, visit)]));
    const worstOf = async (addresses: readonly string[]): Promise<Reached> => {
      if (addresses.length === 0) return { kind: 'unreachable', why: 'The name has no IP address.' };
      const ended = await Promise.all(addresses.map(async at => ({ at, outcome: await requests.get(at) })));
      const proxies = ended.filter(({ outcome }) => outcome?.kind === 'reached' && outcome.isProxied);
      const known = [...ours, ...proxies.map(({ at }) => at)];
      const failed = ended.filter(
        ({ at, outcome }) =>
          outcome?.kind !== 'reached' &&
          !(outcome?.hasNoRoute && known.some(other => areNeighbors(other, at))),
      );
      const { outcome: wrong } = failed.find(({ outcome }) => outcome?.kind !== 'unknown') ?? failed[0] ?? {};
      const isPartial = ended.some(({ outcome }) => outcome?.kind === 'reached');
      if (wrong && wrong.kind !== 'reached') return isPartial ? { ...wrong, isPartial } : wrong;
      return proxies[0]?.outcome ?? { kind: 'reached' };
    };
    return { edge: await worstOf(ours), visitors: await worstOf(theirs) };
  };
}

async function addressesOf(name: string, resolvers: readonly Lookup[]): Promise<readonly string[]> {
  if (isIP(name)) return [name];
  const families = (['A', 'AAAA'] as const).map(async type => {
    let found: Found | undefined;
    for (const lookup of resolvers) {
      found = await lookup(name, type);
      if (found.kind !== 'unknown') break;
    }
    return found ? valuesOf(found).slice(0, MAX_ADDRESSES) : [];
  });
  return (await Promise.all(families)).flat();
}

async function reachAt(at: string, visit: Visit): Promise<Reached> {
  if (!isPublicAddress(at)) return { kind: 'unreachable', why: "It isn't a public IP address.", at };
  try {
    const response = await get(at, '/', visit);
    const isProxied = !isOwn(response, visit.certificate);
    const isApi = isOfApi(response, await textOf(response));
    const passage = isProxied && (await passageAt(at, visit));
    if (passage && passage !== 'reached')
      return { kind: passage, why: "It isn't the one issued for the domain.", at };
    const why = `The response (${response.statusCode}) isn't from the API.`;
    if (!isApi) return { kind: 'answer_foreign', why, at };
    return isProxied ? { kind: 'reached', isProxied } : { kind: 'reached' };
  } catch (error) {
    const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
    const [, kind, why] = FAILURES.find(([pattern]) => pattern.test(code)) ?? [];
    const hasNoRoute = at.includes(':') && NO_IPV6.test(code);
    return {
      kind: kind ?? 'unreachable',
      why: why ?? 'The connection failed.',
      at,
      ...(hasNoRoute && { hasNoRoute }),
    };
  }
}

/**
 * Whether whoever responds at an address, with a certificate that isn't the domain's own, passes requests on to us, unchanged.
 * What our edge refuses at the same time shows nothing. It also shows whether the API could prove itself.
 */
async function passageAt(at: string, visit: Visit): Promise<'reached' | Unreached['kind']> {
  const [edge = at] = visit.ours;
  if (visit.ours.includes(at)) return 'certificate_wrong';
  let isRefused = false;
  for (let attempt = 1; attempt <= PROOF_ATTEMPTS; attempt += 1) {
    const passed = await proofAt(at, visit);
    if (passed === 'given') return 'reached';
    const own = await proofAt(edge, visit).catch(() => 'given');
    if (own === 'none') return 'unprovable';
    if (own === 'given' && passed === 'none') return 'unproven';
    isRefused ||= own === 'refused' && passed === 'refused';
    await pause(PROOF_PAUSE_MS);
  }
  return isRefused ? 'unknown' : 'unproven';
}

/** Asks for a proof. `refused`: the request is throttled, or the server fails. */
async function proofAt(at: string, visit: Visit): Promise<'given' | 'none' | 'refused'> {
  const nonce = randomBytes(16).toString('hex');
  const response = await get(at, `${PROOF_PATH}?nonce=${nonce}`, visit);
  const { statusCode = 0 } = response;
  const { proof } = parsed(await textOf(response));
  if (statusCode === 429 || statusCode >= 500) return 'refused';
  return proof !== undefined && proof === proofOf(visit.secret, visit.domain, nonce) ? 'given' : 'none';
}

/**
 * Whether who responds at one address does at the other, too, which is of IPv6: both are in one /32, as those of API Gateway in
 * a region are, of which each answer is a sample; or both are Cloudflare's, which gives every proxied name addresses of both
 * families.
 */
function areNeighbors(one: string, other: string): boolean {
  const networkOf = (address: string) => address.split(':', 2).join(':');
  return networkOf(one) === networkOf(other) || (isCloudflareProxy(one) && isCloudflareProxy(other));
}

function get(host: string, path: string, { domain, signal }: Visit): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host,
      port: 443,
      path,
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
function isOfApi({ statusCode = 0, headers }: IncomingMessage, body: string): boolean {
  const answer = parsed(body);
  const isError = answer.status === statusCode && 'code' in answer && 'message' in answer;
  const isRedirect = REDIRECTS.includes(statusCode) && headers.location !== undefined;
  const isGateway = headers['x-amzn-requestid'] !== undefined || headers['x-amz-apigw-id'] !== undefined;
  const isUnmapped = statusCode === 403 && Object.keys(answer).join() === 'message';
  return isError || isRedirect || (isGateway && !isUnmapped);
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

function isOwn({ socket }: IncomingMessage, { serials, renewal }: OwnCertificate): boolean {
  const { serialNumber, issuer, subjectaltname, valid_from } = (socket as TLSSocket).getPeerCertificate();
  if (serials.map(plain).includes(plain(serialNumber))) return true;
  const names = renewal?.names.map(name => `DNS:${name}`).toSorted();
  return (
    renewal !== undefined &&
    issuer.O === 'Amazon' &&
    subjectaltname?.split(', ').toSorted().join() === names?.join() &&
    Date.parse(valid_from) >= renewal.sinceMs
  );
}

/** ACM writes `0a:1b:…`, Node `A1B…`: without colons, case and leading zeros both are the same. */
function plain(serial: string): string {
  return serial.replaceAll(':', '').toLowerCase().replace(/^0+/, '');
}
