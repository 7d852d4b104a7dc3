/**
 * Who sent a payload. Lambda doesn't tell a function who invoked it. So the sender signs STS's request "who am I?", bound to this
 * one payload, and the function sends that request: STS says whose signature it is. The secret stays with the sender. The
 * function can be made to call nothing but STS, since the proof contains no URL, host or header.
 */
import { createHash, createHmac } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import * as z from 'zod/mini';
import { log } from '../log.ts';

const part = (pattern: RegExp, wanted: string) =>
  z.string(`must be ${wanted}`).check(z.regex(pattern, `must be ${wanted}`));

/** The signature of a GetCallerIdentity request, and what it takes to repeat that request. */
export const CallerProof = z.strictObject({
  accessKeyId: part(/^\w{1,128}$/, 'an access key id'),
  /** Of temporary credentials. */
  sessionToken: z.optional(part(/^[!-~]{1,8192}$/, 'a session token')),
  date: part(/^\d{8}T\d{6}Z$/, 'a time such as 20260131T120000Z'),
  signature: part(/^[0-9a-f]{64}$/, 'a signature of 64 hexadecimal digits'),
});
export type CallerProof = Readonly<z.infer<typeof CallerProof>>;

/** Where a payload is sent. The proof is valid nowhere else. */
export interface ProofPlace {
  readonly region: string;
  /** Such as amazonaws.com. */
  readonly urlSuffix: string;
  /** Such as staging. */
  readonly environment: string;
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The name of the signed header that binds the signature to a payload. */
const BINDING = 'x-petstore-payload';

/** How long a proof is valid, and how far clocks may differ. STS itself may accept a signature for longer. */
export const VALID_SECONDS = 300;

/** Proves who sends a payload. Pass the payload without the proof. */
export function proveCaller(
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  payload: object,
  place: ProofPlace,
  nowMs = Date.now(),
): CallerProof {
  const date = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const unsigned = { accessKeyId, ...(sessionToken && { sessionToken }), date };
  const { host, query, binding } = identityRequest(unsigned, payload, place);
  const canonical = [
    'GET',
    '/',
    query,
    `host:${host}\n${BINDING}:${binding}\n`,
    `host;${BINDING}`,
    sha256(''),
  ].join('\n');
  const scope = scopeOf(date, place.region);
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return { ...unsigned, signature: hmac(key, text).toString('hex') };
}

/** The request to sign, and then to send with the signature. */
function identityRequest(
  { accessKeyId, sessionToken, date }: Omit<CallerProof, 'signature'>,
  payload: object,
  { region, urlSuffix, environment }: ProofPlace,
) {
  // In alphabetical order, as the signature requires.
  const parameters = {
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${scopeOf(date, region)}`,
    'X-Amz-Date': date,
    'X-Amz-Expires': String(VALID_SECONDS),
    ...(sessionToken !== undefined && { 'X-Amz-Security-Token': sessionToken }),
    'X-Amz-SignedHeaders': `host;${BINDING}`,
  };
  return {
    host: `sts.${region}.${urlSuffix}`,
    query: Object.entries(parameters)
      .map(([name, value]) => `${name}=${encoded(value)}`)
      .join('&'),
    binding: sha256(`${environment}\n${JSON.stringify(payload)}`),
  };
}

/** The ARN of the payload's proven sender; undefined if STS doesn't confirm it. Never throws. */
export type IdentifyCaller = (proof: CallerProof, payload: object) => Promise<string | undefined>;

/** Time for one request and one response. More wouldn't pay: the change is carried out in any case. */
export const TIMEOUT_MS = 3_000;

/** More than any response of STS. */
const MOST_BYTES = 16_384;

const ARN = /(?:<Arn>|"Arn":\s*")(arn:[\w-]+:(?:iam|sts)::\d{12}:[\w+=,.@/:-]{1,512})[<"]/;

/** `endpoint` is AWS_ENDPOINT_URL, which is set on one machine; without it, the region's STS. */
export function callerIdentification(
  place: ProofPlace & { readonly endpoint?: string | undefined },
): IdentifyCaller {
  return async (proof, payload) => {
    const refuse = (why: string) => {
      log.warn('STS did not confirm who sent a payload.', { why });
      return undefined;
    };
    const [, ...digits] = /^(....)(..)(..)T(..)(..)(..)Z$/.exec(proof.date) ?? [];
    const [year = 0, month = 0, day, hour, minute, second] = digits.map(Number);
    const signedMs = Date.UTC(year, month - 1, day, hour, minute, second);
    const isTimely = Math.abs(Date.now() - signedMs) <= VALID_SECONDS * 1000;
    if (!isTimely) return refuse('The proof is not of this time.');
    const { host, query, binding } = identityRequest(proof, payload, place);
    const path = `/?${query}&X-Amz-Signature=${proof.signature}`;
    try {
      const { status, body } = await get(place.endpoint ?? `https://${host}`, path, {
        host,
        [BINDING]: binding,
      });
      const [, arn] = ARN.exec(body) ?? [];
      return status === 200 && arn !== undefined ? arn : refuse(`The response has the status ${status}.`);
    } catch (error) {
      return refuse((error as Error).message);
    }
  };
}

async function get(
  endpoint: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  const { protocol, hostname, port } = new URL(endpoint);
  const send = protocol === 'http:' ? plainRequest : tlsRequest;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const request = send({ protocol, hostname, port, path, headers, signal, agent: false }, response => {
    let body = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      body += text;
      if (body.length <= MOST_BYTES) return;
      reject(new Error('The response is too long.'));
      request.destroy();
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    response.on('error', reject);
  });
  request.on('error', reject).end();
  return promise;
}

function scopeOf(date: string, region: string): string {
  return `${date.slice(0, 8)}/${region}/sts/aws4_request`;
}

/** SigV4's encoding, which leaves fewer characters than encodeURIComponent. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
