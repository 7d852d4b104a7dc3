import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { REGION, URL_SUFFIX } from '../cloudformation/pseudo-parameters.ts';
import type { Caller } from '../iam/principal.ts';
import { AwsApiError, NOT_SUPPORTED, notSupported } from './aws-api-error.ts';
import { readBody, sendJsonError, sendXmlError } from './http-messages.ts';
import type { AwsService } from './service-api.ts';
import { invalidToken, signatureFault, signatureOf } from './signature.ts';

interface AwsEndpointOptions {
  /** The services by their name in the credential scope. */
  readonly services: Readonly<Record<string, AwsService>>;
  /** Whose an access key is. */
  caller(accessKeyId: string): Caller | undefined;
  readonly region?: string;
  readonly now?: () => number;
  report(line: string): void;
}

/** The host of STS on AWS, for which presigned requests are signed. Nobody can give it the IP address of this machine. */
export const STS_HOST = `sts.${REGION}.${URL_SUFFIX}`;

/** As a client names this machine. The port doesn't matter: a proxy in front of the endpoint has another one. */
const OWN_HOST = /^(127\.0\.0\.1|localhost)(:\d+)?$/;

/** A path without a host before it, and without empty or dot segments, which clients normalize in different ways. */
const TARGET = /^(\/(?!\/|\.{1,2}(?:\/|\?|$))[^/?]*)+(\?.*)?$/s;

/** DynamoDB's limit for a request, the largest of all services. */
const REQUEST_LIMIT_BYTES = 16 * 1024 * 1024;

/** The services whose errors are XML. */
const XML_SERVICES = new Set(['route53', 'sts']);

/** How the other services call errors of signatures. */
const JSON_ERROR_NAMES = new Map([
  ['InvalidClientTokenId', 'UnrecognizedClientException'],
  ['SignatureDoesNotMatch', 'InvalidSignatureException'],
]);

/**
 * The one endpoint of all AWS services. Every request is signed: the signature names the sender and the service. Web pages
 * of a browser on this machine are refused before that, even if DNS rebinding has given them its IP address.
 */
export function awsEndpoint(options: AwsEndpointOptions): RequestListener {
  const { caller, region = REGION, now = Date.now, report } = options;
  const services = new Map(Object.entries(options.services));

  return async (request, response) => {
    const requestId = randomUUID();
    response.setHeader('x-amzn-requestid', requestId);
    const signature = signatureOf(request);
    const [, , service = ''] = signature?.scope.split('/') ?? [];
    const refuse = (status: number, error: AwsApiError) => {
      if (XML_SERVICES.has(service)) return sendXmlError(response, status, error, requestId);
      const { name, message } = error;
      sendJsonError(
        response,
        status,
        { name: JSON_ERROR_NAMES.get(name) ?? name, message },
        'application/json',
      );
    };
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refuse(...refusal);
    if (signature === undefined || (signature.isPresigned && service !== 'sts')) {
      const name = 'MissingAuthenticationTokenException';
      return refuse(403, new AwsApiError(name, 'Missing Authentication Token'));
    }
    const perform = services.get(service);
    if (perform === undefined) {
      return refuse(NOT_SUPPORTED.status, notSupported(`The AWS service ${service}`));
    }
    const sender = caller(signature.accessKeyId);
    if (sender === undefined) return refuse(403, invalidToken());
    try {
      const body = await readBody(request, REQUEST_LIMIT_BYTES);
      if (body === undefined) {
        return refuse(413, new AwsApiError('RequestEntityTooLarge', 'The request is larger than 16 MB.'));
      }
      const fault = signatureFault(signature, { request, body }, sender, { region, service, nowMs: now() });
      if (fault !== undefined) return refuse(403, fault);
      const { principal, arn: callerArn } = sender;
      await perform({ request, response, body, principal, callerArn, requestId });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // A client that disconnected, such as a function that was stopped during a call, needs no report.
      if (code !== 'ECONNRESET') report(`AWS endpoint, ${service}: ${message}`);
      if (code === 'ECONNRESET' || response.headersSent) response.destroy();
      else refuse(500, new AwsApiError('InternalFailure', 'The local AWS failed, and reported why.'));
    }
  };
}

/** Why a request isn't meant for this endpoint, or doesn't come from a program. Browsers mark every request, whatever its method. */
function refusalOf({ headers, url = '' }: IncomingMessage): [status: number, error: AwsApiError] | undefined {
  const { host = '', origin } = headers;
  if (!OWN_HOST.test(host) && host !== STS_HOST) {
    return [421, new AwsApiError('MisdirectedRequest', `${host} is another host.`)];
  }
  if (origin !== undefined || Object.keys(headers).some(name => name.startsWith('sec-fetch-'))) {
    return [403, new AwsApiError('AccessDeniedException', 'Browsers are refused.')];
  }
  return TARGET.test(url)
    ? undefined
    : [400, new AwsApiError('BadRequestException', 'The target of the request is not a path.')];
}
