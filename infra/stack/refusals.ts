import { Validations } from 'aws-cdk-lib';
import {
  ContentHandling,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import { type ErrorCode, errorBody } from '../../shared/http/errors.ts';
import { GATEWAY_HEADERS } from './gateway-responses.ts';

/**
 * The media types that a refusal has a template for. A mock integration has no catch-all: API Gateway answers any other
 * type with the gateway response UNSUPPORTED_MEDIA_TYPE, so these are the ones that clients commonly send.
 */
const COMMON_MEDIA_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/xml',
  'multipart/form-data',
  'text/plain',
];

/** Makes API Gateway itself answer every method that the resource has no operation for: no function, no authorizer. */
export function refuseOtherMethods(
  resource: IResource,
  code: ErrorCode,
  extraHeaders: Readonly<Record<string, string>> = {},
): void {
  const headers = { ...GATEWAY_HEADERS, ...extraHeaders };
  const body = errorBody(code);
  const statusCode = String(body.status);
  const refusal = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    // API Gateway takes all bodies of the API for binary; the templates render text.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    requestTemplates: Object.fromEntries(
      COMMON_MEDIA_TYPES.map(type => [type, `{"statusCode":${statusCode}}`]),
    ),
    integrationResponses: [
      {
        statusCode,
        contentHandling: ContentHandling.CONVERT_TO_TEXT,
        responseParameters: mapHeaders(headers, value => value),
        responseTemplates: { 'application/json': JSON.stringify(body) },
      },
    ],
  });
  const method = resource.addMethod('ANY', refusal, {
    methodResponses: [{ statusCode, responseParameters: mapHeaders(headers, () => true) }],
  });
  const reason = 'It only says that there is no such path or method; nothing is behind it.';
  Validations.of(method).acknowledge(
    { id: 'AwsSolutions-APIG4', reason },
    { id: 'AwsSolutions-COG4', reason },
  );
}

function mapHeaders<Value>(
  headers: Readonly<Record<string, string>>,
  toValue: (value: string) => Value,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, toValue(value)]),
  );
}
