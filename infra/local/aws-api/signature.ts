/** AWS's Signature Version 4, in the header Authorization or, of a presigned request, in the query. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../iam/principal.ts';
import { AwsApiError } from './aws-api-error.ts';

interface Signature {
  readonly accessKeyId: string;
  /** Such as `20260131/us-east-1/sts/aws4_request`. */
  readonly scope: string;
  readonly date: string;
  readonly validMs: number;
  readonly signedHeaders: readonly string[];
  readonly token: string | undefined;
  readonly value: string;
  readonly isPresigned: boolean;
}

/** How far the clock of a signature may differ. */
const MAX_SKEW_MS = 5 * 60_000;

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/([^,\s]+), ?SignedHeaders=([^,\s]+), ?Signature=([0-9a-f]{64})$/;

/** The parts of a request's signature, which is not verified yet. */
export function signatureOf(request: IncomingMessage): Signature | undefined {
  const { headers } = request;
  const [, accessKeyId = '', scope = '', signed = '', value = ''] =
    AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  if (value !== '') {
    return {
      accessKeyId,
      scope,
      value,
      isPresigned: false,
      date: String(headers['x-amz-date']),
      validMs: MAX_SKEW_MS,
      signedHeaders: signed.split(';'),
      token: headers['x-amz-security-token']?.toString(),
    };
  }
  const query = targetOf(request).parameters;
  if (query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return undefined;
  const [key = '', ...rest] = (query.get('X-Amz-Credential') ?? '').split('/');
  return {
    accessKeyId: key,
    scope: rest.join('/'),
    date: query.get('X-Amz-Date') ?? '',
    validMs: Number(query.get('X-Amz-Expires') ?? Number.NaN) * 1000,
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    token: query.get('X-Amz-Security-Token') ?? undefined,
    value: query.get('X-Amz-Signature') ?? '',
    isPresigned: true,
  };
}

/** The path of a request as it was sent, and its decoded query. A path is all that a target has before the query. */
export function targetOf({ url = '' }: IncomingMessage) {
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  return { path, parameters: new URLSearchParams(query) };
}

/** An access key or a session token that nobody has. */
export function invalidToken(): AwsApiError {
  return new AwsApiError('InvalidClientTokenId', 'The security token included in the request is invalid.');
}

/** AWS's error, unless the request is signed by the caller, for this service and region. */
export function signatureFault(
  { scope, date, validMs, signedHeaders, token, value }: Signature,
  { request, body }: { readonly request: IncomingMessage; readonly body: Buffer },
  { secretAccessKey, sessionToken = '' }: Caller,
  { region, service, nowMs }: { readonly region: string; readonly service: string; readonly nowMs: number },
): AwsApiError | undefined {
  if (!isSame(sessionToken, token ?? '')) return invalidToken();
  const ageMs = nowMs - Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (!(ageMs >= -MAX_SKEW_MS && ageMs <= validMs)) {
    return new AwsApiError('SignatureDoesNotMatch', `Signature expired or not yet current: ${date}`);
  }
  const headers = new Map(Object.entries(request.headers));
  const isWhole =
    scope === `${date.slice(0, 8)}/${region}/${service}/aws4_request` &&
    [...headers.keys()].every(
      name => !(name === 'host' || name.startsWith('x-amz-')) || signedHeaders.includes(name),
    );
  const { path, parameters } = targetOf(request);
  const canonical = [
    request.method,
    // As sent, and encoded once more. Paths with empty or dot segments are refused before.
    path.split('/').map(encoded).join('/'),
    [...parameters]
      .filter(([name]) => name !== 'X-Amz-Signature')
      // By name, then by value: a space comes before all encoded characters.
      .map(pair => pair.map(encoded).join(' '))
      .toSorted()
      .map(pair => pair.replace(' ', '='))
      .join('&'),
    ...signedHeaders.map(
      name =>
        `${name}:${String(headers.get(name) ?? '')
          .trim()
          .replaceAll(/\s+/g, ' ')}`,
    ),
    '',
    signedHeaders.join(';'),
    sha256(body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  if (isWhole && isSame(hmac(key, text).toString('hex'), value)) return undefined;
  return new AwsApiError(
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided.',
  );
}

/** Takes the same time whatever the texts are. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map(text => createHash('sha256').update(text).digest());
  return timingSafeEqual(left as Buffer, right as Buffer);
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
