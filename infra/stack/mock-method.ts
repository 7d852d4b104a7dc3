import { Validations } from 'aws-cdk-lib';
import {
  ContentHandling,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import type { CorsAnswer } from './cors.ts';
import { GATEWAY_HEADERS } from './gateway-responses.ts';
import { COMMON_MEDIA_TYPES } from './media-types.ts';

/** One of the answers of a mock method. Its body is JSON. */
export interface MockAnswer {
  readonly statusCode: string;
  /** Headers beside those of every answer. A literal value has quotes inside. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cors: CorsAnswer;
  readonly body?: string;
}

interface MockMethodProps {
  readonly answers: readonly [MockAnswer, ...MockAnswer[]];
  /** VTL that chooses the status for a request without a body; the first answer's if absent, and always with a body. */
  readonly statusTemplate?: string;
  /** Why it needs no authorizer, for cdk-nag. */
  readonly reason: string;
}

/** A method that API Gateway answers itself: no function, no authorizer. */
export function addMockMethod(
  resource: IResource,
  httpMethod: string,
  { answers, statusTemplate, reason }: MockMethodProps,
): void {
  const [first, ...others] = answers;
  const requestTemplate = statusOf(first.statusCode);
  const integration = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    // API Gateway takes all bodies of the API for binary; the templates render text.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    requestTemplates: {
      ...Object.fromEntries(COMMON_MEDIA_TYPES.map(type => [type, requestTemplate])),
      // The template of a request without a body.
      'application/json': statusTemplate ?? requestTemplate,
    },
    integrationResponses: [
      integrationResponse(first),
      ...others.map(answer => ({ ...integrationResponse(answer), selectionPattern: answer.statusCode })),
    ],
  });
  const method = resource.addMethod(httpMethod, integration, {
    methodResponses: answers.map(answer => ({
      statusCode: answer.statusCode,
      responseParameters: declared([...Object.keys(headersOf(answer)), ...answer.cors.templateHeaders]),
    })),
  });
  Validations.of(method).acknowledge(
    { id: 'AwsSolutions-APIG4', reason },
    { id: 'AwsSolutions-COG4', reason },
  );
}

/** What the request template of a mock integration renders to choose a status. */
export function statusOf(statusCode: string): string {
  return `{"statusCode":${statusCode}}`;
}

function integrationResponse(answer: MockAnswer) {
  const { statusCode, body = '', cors } = answer;
  return {
    statusCode,
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    responseParameters: Object.fromEntries(
      Object.entries(headersOf(answer)).map(([name, value]) => [parameterOf(name), value]),
    ),
    responseTemplates: { 'application/json': `${cors.template}${body}` },
  };
}

function headersOf({ headers, cors }: MockAnswer): Record<string, string> {
  return { ...GATEWAY_HEADERS, ...headers, ...cors.headers };
}

function declared(names: readonly string[]): Record<string, boolean> {
  return Object.fromEntries(names.map(name => [parameterOf(name), true]));
}

function parameterOf(headerName: string): string {
  return `method.response.header.${headerName}`;
}
