/** AWS's JSON protocol: `POST /` with the header `X-Amz-Target: CertificateManager.RequestCertificate`. */
import { AwsApiError, notSupported } from './aws-api-error.ts';
import { sendJson, sendJsonError } from './http-messages.ts';
import {
  type AwsService,
  acceptedBody,
  awsService,
  errorNamesOf,
  performOperation,
  type ServiceApi,
} from './service-api.ts';

export interface JsonApi extends ServiceApi {
  readonly jsonVersion: '1.0' | '1.1';
  /** What precedes the operation's name in X-Amz-Target: `CertificateManager`. */
  readonly targetPrefix: string;
}

export function jsonService(api: JsonApi): AwsService {
  const operations = new Map(api.operations.map(operation => [operation.name, operation]));
  const contentType = `application/x-amz-json-${api.jsonVersion}`;
  return awsService(
    api,
    async call => {
      const body = acceptedBody(api, call);
      const name = String(call.request.headers['x-amz-target']).replace(`${api.targetPrefix}.`, '');
      const operation = operations.get(name);
      if (operation === undefined) throw notSupported(`${name} of the ${api.title} API`);
      const output = await performOperation(api, { operation, input: jsonObject(body, api) }, call);
      sendJson(call.response, 200, output, { 'content-type': contentType });
    },
    ({ response }, status, error) => sendJsonError(response, status, error, contentType),
  );
}

/** The object in a body; no body is an empty object. */
export function jsonObject(body: Buffer, api: ServiceApi): object {
  try {
    const content: unknown = body.length === 0 ? {} : JSON.parse(body.toString());
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw new AwsApiError(errorNamesOf(api).unreadableRequest, 'The request body is not a JSON object.');
}
