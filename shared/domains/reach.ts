import { Resolver } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** How an HTTPS request to a domain ended, and for people why. */
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
/** A domain name of API Gateway has three or four addresses. */
const MAX_ADDRESSES = 4;
const BODY_LIMIT_BYTES = 16_384;
const REDIRECTS: readonly number[] = [301, 302, 307, 308];
/** Codes of Node for a certificate that it does not accept. */
const CERTIFICATE_ERROR =
  /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS_INVALID)/;

/** Asks these recursive resolvers for the addresses. `connection` changes where and how connections are opened. */
export function reacher(
  resolverAddresses: readonly string[],
  { port = 443, budgetMs = BUDGET_MS, ...connection }: RequestOptions & { budgetMs?: number } = {},
): Reach {
  return async (domain, serial) => {
    const signal = AbortSignal.timeout(budgetMs);
    const addresses = await addressesOf(domain, resolverAddresses, signal);
    if (addresses.length === 0) return { kind: 'unreachable', why: 'The name has no IP address.' };
    const ended = await Promise.all(
      addresses
        .slice(0, MAX_ADDRESSES)
        .map(host => reachAt({ ...connection, host, port, signal }, domain, serial)),
    );
    return ended.find(({ kind }) => kind !== 'reached') ?? { kind: 'reached' };
  };
}

async function addressesOf(
  domain: string,
  resolverAddresses: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1500, tries: 2 });
  resolver.setServers(resolverAddresses);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  const [four, six] = await Promise.all([
    resolver.resolve4(domain).catch(() => []),
    resolver.resolve6(domain).catch(() => []),
  ]);
  signal.removeEventListener('abort', cancel);
  return four.length > 0 ? four : six;
}

async function reachAt(connection: RequestOptions, domain: string, serial: string | null): Promise<Reached> {
  try {
    const response = await get(connection, domain);
    const served = serialOf(response);
    if (serial !== null && served !== plain(serial)) {
      response.destroy();
      return { kind: 'certificate_wrong', why: "It isn't the one issued for the domain." };
    }
    return judge(response, await textOf(response));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const why = `${message.replace(/\.$/, '')}.`;
    return { kind: CERTIFICATE_ERROR.test(code) ? 'certificate_wrong' : 'unreachable', why };
  }
}

function get(connection: RequestOptions, domain: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({
      ...connection,
      path: '/',
      servername: domain,
      headers: { Host: domain, 'User-Agent': 'petstore-domain-check' },
      agent: false,
    })
      .on('response', resolve)
      .on('error', reject)
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
