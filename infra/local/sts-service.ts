import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AwsApiError, NOT_SUPPORTED, notSupported } from './aws-api/aws-api-error.ts';
import { readBody } from './aws-api/http-messages.ts';
import type { AwsService } from './aws-api/service-api.ts';
import { ACCOUNT_ID, PARTITION, REGION } from './cloudformation/pseudo-parameters.ts';

/** Somebody whose signature can be verified. */
export interface KnownCaller {
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string;
  readonly arn: string;
}

/** The developer's access key and secret access key are this word. */
export const DEVELOPER = 'developer';

export const DEVELOPER_CALLER: KnownCaller = {
  secretAccessKey: DEVELOPER,
  arn: `arn:${PARTITION}:iam::${ACCOUNT_ID}:user/${DEVELOPER}`,
};

interface StsOptions {
  caller(accessKeyId: string): KnownCaller | undefined;
  readonly now?: () => number;
}

const MAX_BODY_BYTES = 65_536;

/** How far the clock of a signature may differ. */
const MAX_SKEW_MS = 5 * 60_000;

/**
 * STS's GetCallerIdentity, as a signed or a presigned request. In contrast to all other services here it verifies the
 * signature: who gets the ARN of a caller relies on it.
 */
export function stsService({ caller, now = Date.now }: StsOptions): AwsService {
  return async ({ request, response, requestId }) => {
    try {
      const body = (await readBody(request, MAX_BODY_BYTES))?.toString() ?? '';
      const { arn } = verified(request, body, caller, now());
      const { searchParams } = urlOf(request);
      const parameters = request.method === 'GET' ? searchParams : new URLSearchParams(body);
      if (parameters.get('Action') !== 'GetCallerIdentity' || parameters.get('Version') !== '2011-06-15') {
        throw notSupported(`The action ${parameters.get('Action')} of the STS API`);
      }
      const members = `<Arn>${arn}</Arn><UserId>${arn.split('/').at(-1)}</UserId><Account>${ACCOUNT_ID}</Account>`;
      const result = `<GetCallerIdentityResult>${members}</GetCallerIdentityResult>`;
      const metadata = `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata>`;
      const namespace = 'https://sts.amazonaws.com/doc/2011-06-15/';
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(
          `<GetCallerIdentityResponse xmlns="${namespace}">${result}${metadata}</GetCallerIdentityResponse>`,
        );
    } catch (error) {
      if (!(error instanceof AwsApiError)) throw error;
      const { name, message } = error;
      const status = name === NOT_SUPPORTED.name ? NOT_SUPPORTED.status : 403;
      const fault = `<Error><Type>Sender</Type><Code>${name}</Code><Message>${message}</Message></Error>`;
      response
        .writeHead(status, { 'content-type': 'text/xml' })
        .end(`<ErrorResponse>${fault}<RequestId>${requestId}</RequestId></ErrorResponse>`);
    }
  };
}

/** The parts of a signature, which are in the header Authorization or in the query. */
interface Signature {
  readonly accessKeyId: string;
  readonly scope: string;
  readonly date: string;
  readonly validMs: number;
  readonly signedHeaders: readonly string[];
  readonly token: string | undefined;
  readonly value: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/([^,\s]+), ?SignedHeaders=([^,\s]+), ?Signature=([0-9a-f]{64})$/;

function signatureOf({ headers }: IncomingMessage, query: URLSearchParams): Signature | undefined {
  const [, accessKeyId = '', scope = '', signed = '', value = ''] =
    AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  if (value !== '') {
    const [date, token] = [headers['x-amz-date'], headers['x-amz-security-token']].map(header =>
      header?.toString(),
    );
    return {
      ...{ accessKeyId, scope, value, token, date: date ?? '' },
      validMs: MAX_SKEW_MS,
      signedHeaders: signed.split(';'),
    };
  }
  if (query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return undefined;
  const [key = '', ...rest] = (query.get('X-Amz-Credential') ?? '').split('/');
  return {
    accessKeyId: key,
    scope: rest.join('/'),
    date: query.get('X-Amz-Date') ?? '',
    // STS may accept a signature for 15 minutes, whatever it says itself.
    validMs: Number(query.get('X-Amz-Expires') ?? Number.NaN) * 1000,
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    token: query.get('X-Amz-Security-Token') ?? undefined,
    value: query.get('X-Amz-Signature') ?? '',
  };
}

/** Whose signature a request has. Throws AWS's error if it is nobody's. */
function verified(
  request: IncomingMessage,
  body: string,
  callerOf: StsOptions['caller'],
  nowMs: number,
): KnownCaller {
  const { pathname, searchParams } = urlOf(request);
  const signature = signatureOf(request, searchParams);
  if (signature === undefined) throw new AwsApiError('IncompleteSignature', 'The request is not signed.');
  const { accessKeyId, scope, date, validMs, signedHeaders, token, value } = signature;
  const caller = callerOf(accessKeyId);
  if (caller === undefined || caller.sessionToken !== token) {
    throw new AwsApiError('InvalidClientTokenId', 'The security token included in the request is invalid.');
  }
  const ageMs = nowMs - Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (!(ageMs >= -MAX_SKEW_MS && ageMs <= validMs)) {
    throw new AwsApiError('SignatureDoesNotMatch', `Signature expired or not yet current: ${date}`);
  }
  const isWhole =
    scope === `${date.slice(0, 8)}/${REGION}/sts/aws4_request` && signedHeaders.includes('host');
  const canonical = [
    request.method,
    pathname,
    [...searchParams]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(pair => pair.map(encoded).join('='))
      .toSorted()
      .join('&'),
    ...signedHeaders.map(name => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signedHeaders.join(';'),
    sha256(body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${caller.secretAccessKey}`);
  const given = Buffer.from(value, 'hex');
  const computed = hmac(key, text);
  if (!isWhole || given.length !== computed.length || !timingSafeEqual(given, computed)) {
    throw new AwsApiError(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
    );
  }
  return caller;
}

function urlOf({ url = '/' }: IncomingMessage): URL {
  return URL.parse(url, 'http://sts') ?? new URL('http://sts');
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
