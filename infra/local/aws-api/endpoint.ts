import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { REGION, URL_SUFFIX } from '../cloudformation/pseudo-parameters.ts';
import type { Principal } from '../iam/principal.ts';
import { AwsApiError, NOT_SUPPORTED, notSupported } from './aws-api-error.ts';
import { sendRestJsonError } from './http-messages.ts';
import type { AwsService } from './service-api.ts';

interface AwsEndpointOptions {
  /** The services by their name in the credential scope. */
  readonly services: Readonly<Record<string, AwsService>>;
  principal(accessKeyId: string): Principal;
  report(line: string): void;
}

/** Credential=<access key id>/<date>/<region>/<service>/aws4_request in the Authorization header of SigV4. */
const CREDENTIAL_SCOPE = /Credential=([^/,\s]+)\/\d+\/[^/]*\/([^/,\s]+)\/aws4_request/;

/** The host of STS on AWS, for which presigned requests are signed. Nobody can give it the IP address of this machine. */
export const STS_HOST = `sts.${REGION}.${URL_SUFFIX}`;

/** As a client names this machine. The port doesn't matter: a proxy in front of the endpoint has another one. */
const OWN_HOST = /^(127\.0\.0\.1|localhost)(:\d+)?$/;

/**
 * The one endpoint of all AWS services. The signature of a request names its sender and its service. Only STS verifies
 * it: only processes of this machine can reach the endpoint. A web page in a browser of this machine is none of
 * them, even if DNS rebinding has given its name the IP address of this machine.
 */
export function awsEndpoint({ services, principal, report }: AwsEndpointOptions): RequestListener {
  return (request, response) => {
    const requestId = randomUUID();
    response.setHeader('x-amzn-requestid', requestId);
    const { host = '', origin } = request.headers;
    if (!OWN_HOST.test(host) && host !== STS_HOST) {
      sendRestJsonError(response, 421, new AwsApiError('MisdirectedRequest', `${host} is another host.`));
      return;
    }
    if (origin !== undefined) {
      sendRestJsonError(response, 403, new AwsApiError('AccessDeniedException', 'Browsers are refused.'));
      return;
    }
    const scope = CREDENTIAL_SCOPE.exec(request.headers.authorization ?? presigned(request.url));
    if (scope === null) {
      const name = 'MissingAuthenticationTokenException';
      sendRestJsonError(response, 403, new AwsApiError(name, 'Missing Authentication Token'));
      return;
    }
    const [, accessKeyId = '', serviceName = ''] = scope;
    const service = services[serviceName];
    if (service === undefined) {
      sendRestJsonError(response, NOT_SUPPORTED.status, notSupported(`The AWS service ${serviceName}`));
      return;
    }
    service({ request, response, principal: principal(accessKeyId), requestId }).catch(
      (error: NodeJS.ErrnoException) => {
        response.destroy();
        // A client that disconnected, such as a function that was stopped during a call, needs no report.
        if (error.code !== 'ECONNRESET') {
          report(`AWS endpoint, ${serviceName}: ${error.message}`);
        }
      },
    );
  };
}

/** The credential of a presigned request, which is in its query. */
function presigned(url = '/'): string {
  return `Credential=${URL.parse(url, 'http://aws')?.searchParams.get('X-Amz-Credential')}`;
}
