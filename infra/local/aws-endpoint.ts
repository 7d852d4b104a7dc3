import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { type AwsService, answerRestJsonError } from './aws-service.ts';
import type { Principal } from './iam/principal.ts';

export interface AwsEndpointOptions {
  /** The services by their name in the credential scope. */
  readonly services: Readonly<Record<string, AwsService>>;
  principal(accessKeyId: string): Principal;
  report(line: string): void;
}

/** Credential=<access key id>/<date>/<region>/<service>/aws4_request in the Authorization header of SigV4. */
const CREDENTIAL_SCOPE = /Credential=([^/,\s]+)\/\d+\/[^/]*\/([^/,\s]+)\/aws4_request/;

/**
 * The one endpoint of all AWS services. Whom a request is from and which service it is for is read from its signature,
 * which is not verified: whoever can reach the endpoint is on this machine.
 */
export function awsEndpoint({ services, principal, report }: AwsEndpointOptions): RequestListener {
  return (request, response) => {
    response.setHeader('x-amzn-requestid', randomUUID());
    const scope = CREDENTIAL_SCOPE.exec(request.headers.authorization ?? '');
    if (scope === null) {
      answerRestJsonError(
        response,
        403,
        'MissingAuthenticationTokenException',
        'Missing Authentication Token',
      );
      return;
    }
    const [, accessKeyId = '', serviceName = ''] = scope;
    const service = services[serviceName];
    if (service === undefined) {
      const message = `The AWS service ${serviceName} is not supported by the local runtime.`;
      answerRestJsonError(response, 501, 'NotImplemented', message);
      return;
    }
    service({ request, response, principal: principal(accessKeyId) }).catch(
      (error: NodeJS.ErrnoException) => {
        // A client that went away, such as a function that was ended in the middle, is no news.
        if (error.code !== 'ECONNRESET') {
          report(`AWS endpoint, ${serviceName}: ${error.message}`);
        }
        response.destroy();
      },
    );
  };
}
