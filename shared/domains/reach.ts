import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { PROOF_PATH, proofOf } from './arrival-proof.ts';
import { valuesOf } from './dns/check-record.ts';
import { NO_ANSWER } from './dns/delegation.ts';
import { MAX_RECORDS, timeLimit } from './dns/dns-query.ts';
import { isCloudflareProxy, isPublicAddress } from './dns/ip-address.ts';
import { type Found, type Lookup, resolverLookup } from './dns/lookup.ts';

/** How HTTPS requests to a domain ended: all of them reached it, or the gravest one that didn't. */
export type Reached = Arrived | Unreached;

interface Arrived {
  readonly kind: 'reached';
  /** Present if a proxy responds with its own certificate and passes requests on to us. */
  readonly isProxied?: true;
}

export interface Unreached {
  readonly kind: /** No IP address, no connection, or no response in time. */
    | 'unreachable'
    /** Nobody finds its IP addresses: the look-ups fail. */
    | 'unresolved'
    /** The certificate isn't valid for the name, or isn't the domain's own. */
    | 'certificate_wrong'
    /** Something other than the API responded. */
    | 'answer_foreign'
    /** The certificate is somebody else's, and nothing proves that requests arrive here. */
    | 'unproven'
    /** Nothing could prove it: the domain leads to an API that isn't the service's own. */
    | 'unprovable'
    /** Unproven while our own edge fails or has no proofs to give: this shows nothing about the domain. */
    | 'unknown'
    /** Nothing seems wrong, but an address can't be requested from here, there was no time for it, or it isn't known. */
    | 'unconfirmed';
  /** For people, in our own words: the other side may be anybody. */
  readonly why: string;
  /** The IP address, if the name has any. */
  readonly at?: string;
  /** Whether requests to other addresses of the name have reached it. */
  readonly isPartial?: boolean;
}

/** What HTTPS requests show of a domain. */
export interface Observed {
  /** At the addresses of its API Gateway domain name. */
  readonly edge: Reached;
  /** At the addresses visitors get. */
  readonly visitors: Reached;
}

/**
 * Sends `GET /` for a domain over HTTPS, with normal verification of the certificate, which has to be the domain's own or,
 * with a proof (arrival-proof.ts), a proxy's: to every address that `edgeHost` has, the host of its domain name, and to
 * every address that public resolution gives, or will give once caches expire: that of `published`, hosts or addresses. It
 * never throws, and the look-ups and requests take at most BUDGET_MS.
 */
export type Reach = (
  domain: string,
  certificate: OwnCertificate,
  edgeHost: string,
  published?: readonly string[],
  options?: ReachOptions,
) => Promise<Observed>;

interface ReachOptions {
  /** Whether one of the addresses of `edgeHost` stands for all of them: each request costs as much as a client's. */
  readonly isSample?: boolean;
}

/** The certificate of a domain. */
export interface OwnCertificate {
  /** Its serial numbers as ACM writes them: the current one, and the one before its renewal. */
  readonly serials: readonly string[];
  /** While ACM renews it: its names, and since when ACM may have issued a new one without reporting it yet. */
  readonly renewal?: { readonly names: readonly string[]; readonly sinceMs: number };
}

/** Of the look-up and the requests together; the functions that call it have 55 s. */
const BUDGET_MS = 6000;
/** How long one resolver may take. */
const LOOKUP_MS = 2000;
/** Real domains have a dozen addresses at most; more have to wait until others have ended. */
const CONCURRENT_REQUESTS = 12;
/** A request that had less than this part of the time left by others shows nothing. */
const FAIR_SHARE = 1 / 3;
const BODY_LIMIT_BYTES = 16_384;
/** Anybody may use up the throttle of proofs, which refills every second. */
const PROOF_ATTEMPTS = 3;
const PROOF_PAUSE_MS = 300;
const REDIRECTS: readonly number[] = [301, 302, 307, 308];

/** What Node's errors mean, by the beginning of their codes; the first match counts. */
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

const NOT_REQUESTED =
  "IPv6 addresses can't be requested from here, and API Gateway wasn't seen to have this one.";

/** The network has no route to an IPv6 address. Functions on AWS have none, unless they're in a VPC. */
const NO_IPV6 = /^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT)$/;

/** What to request at each address. */
interface Visit {
  readonly domain: string;
  readonly certificate: OwnCertificate;
  /** The addresses of the domain name at API Gateway. */
  readonly ours: readonly string[];
  readonly secret: string;
  readonly signal: AbortSignal;
  /** How long a request has to wait to show that there's no response. */
  readonly fairMs: number;
}

interface ReachParts {
  /** Of proofs. */
  readonly secret: string;
  /** The IPv6 addresses we have seen API Gateway have (aws/gateway-addresses.ts). */
  readonly gatewayAddresses: () => Promise<ReadonlySet<string>>;
  readonly budgetMs?: number;
}

/** Asks these recursive resolvers for addresses, the next one only if one fails. */
export function reacher(
  resolverAddresses: readonly string[],
  { secret, gatewayAddresses, budgetMs = BUDGET_MS }: ReachParts,
): Reach {
  return (domain, certificate, edgeHost, published = [], options = {}) => {
    const signal = timeLimit(budgetMs);
    const limits = { timeoutMs: LOOKUP_MS, budget: signal, maxValues: MAX_RECORDS };
    const visit = { domain, certificate, secret, signal, fairMs: budgetMs * FAIR_SHARE };
    return observe(edgeHost, [domain, ...published], {
      resolvers: resolverAddresses.map(address => resolverLookup(address, limits)),
      requestAll: (addresses, ours) => requestAll(addresses, { ...visit, ours }),
      gatewayAddresses,
      ...options,
    });
  };
}

interface ObserveParts extends Pick<ReachParts, 'gatewayAddresses'>, ReachOptions {
  readonly resolvers: readonly Lookup[];
  /** How requests to these addresses end; some of them are `ours`. */
  readonly requestAll: (
    addresses: ReadonlySet<string>,
    ours: readonly string[],
  ) => Promise<readonly Ending[]>;
}

/** What requests show at our host's addresses, and at those of all names visitors are sent to. */
export async function observe(
  edgeHost: string,
  names: readonly string[],
  { resolvers, requestAll, gatewayAddresses, isSample = false }: ObserveParts,
): Promise<Observed> {
  const [own, visited] = await Promise.all([lookUp([edgeHost], resolvers), lookUp(names, resolvers)]);
  const ours = own.addresses;
  const isStrange = (at: string) => isIPv6(at) && !ours.includes(at);
  const sampled = ours.find(at => !isIPv6(at));
  const spared = isSample && sampled ? ours.filter(at => at !== sampled) : [];
  const requested = new Set([...ours, ...visited.addresses]).difference(new Set(spared));
  const [requestedOnes, remembered] = await Promise.all([
    requestAll(requested, ours),
    visited.addresses.some(isStrange) ? gatewayAddresses().catch(() => NONE) : NONE,
  ]);
  const sample = requestedOnes.filter(({ at }) => at === sampled);
  const ended = [...requestedOnes, ...spared.flatMap(at => sample.map(({ outcome }) => ({ at, outcome })))];
  const endingsAt = (addresses: readonly string[]) => ended.filter(({ at = '' }) => addresses.includes(at));
  const atEdge = endingsAt(ours);
  const isGateways = (at: string) => atEdge.some(hasArrived) && (ours.includes(at) || remembered.has(at));
  const isOffline = own.open.some(({ outcome }) => outcome.kind === 'unresolved');
  const open = isOffline ? visited.open.map(unlessOffline) : visited.open;
  return {
    edge: verdictOf(ours.length > 0 ? atEdge : [HOSTLESS], isGateways),
    visitors: verdictOf([...open, ...endingsAt(visited.addresses)], isGateways),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** How the request to an address ended; without an address, what the look-up of addresses left open. */
export interface Ending {
  readonly at?: string;
  readonly outcome: Reached;
}

/** Outcomes that aren't known to be anybody's fault, least grave first. */
const UNCERTAIN: readonly Reached['kind'][] = ['unconfirmed', 'unknown', 'unresolved'];

/**
 * What all endings show together: the gravest one that didn't arrive. An IPv6 address that can't be requested counts as arrived
 * if it's API Gateway's. So does one of Cloudflare's if another address of the same name was proven to pass requests on:
 * Cloudflare publishes its networks, and serves a name the same way at each of its addresses.
 */
export function verdictOf(endings: readonly Ending[], isGateways: (address: string) => boolean): Reached {
  const proxies = endings.filter(({ outcome }) => outcome.kind === 'reached' && outcome.isProxied);
  const isCloudflareProven = proxies.some(({ at }) => at !== undefined && isCloudflareProxy(at));
  const isTrusted = (at: string) => isGateways(at) || (isCloudflareProven && isCloudflareProxy(at));
  const isVouchedFor = ({ at = '', outcome: { kind } }: Ending) =>
    kind === 'unconfirmed' && isIPv6(at) && isTrusted(at);
  const [gravest] = endings
    .filter(ending => !hasArrived(ending) && !isVouchedFor(ending))
    .map(({ outcome }) => outcome)
    .toSorted((one, other) => gravityOf(other) - gravityOf(one));
  if (!gravest || gravest.kind === 'reached') return proxies[0]?.outcome ?? { kind: 'reached' };
  return endings.some(hasArrived) ? { ...gravest, isPartial: true } : gravest;
}

function gravityOf({ kind }: Reached): number {
  return UNCERTAIN.includes(kind) ? UNCERTAIN.indexOf(kind) : UNCERTAIN.length;
}

function hasArrived({ outcome }: Ending): boolean {
  return outcome.kind === 'reached';
}

/** Our edge's host has no address, or none was found. */
const HOSTLESS: Ending = { outcome: { kind: 'unreachable', why: 'Its host has no IP address.' } };

/** A failed look-up says nothing about a domain while even our own host can't be found. */
function unlessOffline({ outcome }: Ending): Ending {
  return outcome.kind === 'unresolved'
    ? { outcome: { kind: 'unconfirmed', why: 'No names can be looked up from here at the moment.' } }
    : { outcome };
}

/** The addresses of names, and what the look-ups left open. */
interface LookedUp {
  readonly addresses: readonly string[];
  readonly open: readonly Ending[];
}

async function lookUp(names: readonly string[], resolvers: readonly Lookup[]): Promise<LookedUp> {
  const all = await Promise.all(names.map(name => lookUpOne(name, resolvers)));
  return {
    addresses: [...new Set(all.flatMap(({ addresses }) => addresses))],
    open: all.flatMap(({ open }) => open),
  };
}

async function lookUpOne(name: string, resolvers: readonly Lookup[]): Promise<LookedUp> {
  if (isIP(name)) return { addresses: [name], open: [] };
  const [ipv4, ipv6] = await Promise.all([
    firstFound(name, 'A', resolvers),
    firstFound(name, 'AAAA', resolvers),
  ]);
  const addresses = [...valuesOf(ipv4), ...valuesOf(ipv6)];
  const open = (kind: 'unreachable' | 'unresolved' | 'unconfirmed', why: string): LookedUp => ({
    addresses,
    open: [{ outcome: { kind, why } }],
  });
  const failed = [ipv4, ipv6].find(({ kind }) => kind === 'unknown');
  if (failed?.kind === 'unknown') {
    const how = failed.why === NO_ANSWER ? "don't answer" : `fail (${failed.why})`;
    if (addresses.length === 0) return open('unresolved', `Its name servers ${how}.`);
    const family = failed === ipv4 ? 'IPv4' : 'IPv6';
    return open('unconfirmed', `Its name servers ${how} when asked for its ${family} addresses.`);
  }
  if (addresses.length > 0) return { addresses, open: [] };
  const isAbsent = ipv4.kind === 'none' && ipv4.isNameAbsent;
  return open('unreachable', isAbsent ? "The name doesn't exist." : 'The name has no IP address.');
}

async function firstFound(name: string, type: 'A' | 'AAAA', resolvers: readonly Lookup[]): Promise<Found> {
  let found: Found = { kind: 'unknown', why: NO_ANSWER };
  for (const lookup of resolvers) {
    found = await lookup(name, type);
    if (found.kind !== 'unknown') break;
  }
  return found;
}

/** A few at a time: if there isn't enough time, the last ones are unconfirmed. */
async function requestAll(addresses: ReadonlySet<string>, visit: Visit): Promise<readonly Ending[]> {
  const queue = addresses.values();
  const ended: Ending[] = [];
  const worker = async () => {
    for (const at of queue) ended.push({ at, outcome: await reachAt(at, visit) });
  };
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, worker));
  return ended;
}

async function reachAt(at: string, visit: Visit): Promise<Reached> {
  if (!isPublicAddress(at)) return { kind: 'unreachable', why: "It isn't a public IP address.", at };
  const startedAtMs = Date.now();
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
    if (isIPv6(at) && NO_IPV6.test(code)) return { kind: 'unconfirmed', why: NOT_REQUESTED, at };
    const isTooLate = code === 'ABORT_ERR' && Date.now() - startedAtMs < visit.fairMs;
    if (isTooLate) return { kind: 'unconfirmed', why: 'There was no time left to request it.', at };
    const [, kind, why] = FAILURES.find(([pattern]) => pattern.test(code)) ?? [];
    return { kind: kind ?? 'unreachable', why: why ?? 'The connection failed.', at };
  }
}

/**
 * Whether whoever responds at an address, with a certificate that isn't the domain's own, passes requests on to us unchanged. If
 * our edge refuses at the same time, that shows nothing. It also shows whether the API could prove itself.
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
      // Nor may a server switch protocols.
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
 * Whether the API responded: with one of the service's Errors, a redirect, or whatever another project's API returns. For a
 * domain name without a mapping, API Gateway itself responds, with 403 and only a message.
 */
function isOfApi({ statusCode = 0, headers }: IncomingMessage, body: string): boolean {
  const answer = parsed(body);
  const isError = answer.status === statusCode && 'code' in answer && 'message' in answer;
  const isRedirect = REDIRECTS.includes(statusCode) && headers.location !== undefined;
  const isGateway = headers['x-amzn-requestid'] !== undefined || headers['x-amz-apigw-id'] !== undefined;
  const isUnmapped = statusCode === 403 && Object.keys(answer).join() === 'message';
  return isError || isRedirect || (isGateway && !isUnmapped);
}

/** The fields of a JSON object; empty for any other text. */
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

/** ACM writes `0a:1b:…`, Node `A1B…`: without colons, case and leading zeros they're equal. */
function plain(serial: string): string {
  return serial.replaceAll(':', '').toLowerCase().replace(/^0+/, '');
}
