/**
 * MOCK: the gateway answers from templates. The request template for the request's media type must render to
 * {"statusCode": 404}; that status selects the integration response, which makes the answer.
 */
import * as z from 'zod';
import type { Answer } from './answer.ts';
import { type ContextVariables, contextText } from './context-variables.ts';
import type { Declared } from './declared-resources.ts';
import { type Exchange, headerValue } from './exchange.ts';
import { GatewayFault } from './gateway-fault.ts';
import { headerMappings } from './header-mappings.ts';
import type { Integrate, MethodRequest } from './integration.ts';
import { jsonValue } from './invocation-payload.ts';
import type { IntegrationResponse, Method } from './resource-properties.ts';
import { wholeTextPattern } from './whole-text-pattern.ts';

const JSON_TYPE = 'application/json';

const MockRequest = z.object({ statusCode: z.int() });

interface MockResponse {
  /** Undefined for the default response. */
  readonly pattern: RegExp | undefined;
  answer(exchange: Exchange): Answer;
}

export function mockIntegration(method: Declared<Method>): Integrate {
  const { RequestTemplates, PassthroughBehavior, IntegrationResponses, ContentHandling } =
    method.properties.Integration;
  const convertsToText =
    ContentHandling !== undefined &&
    IntegrationResponses.every(response => response.ContentHandling !== undefined);
  const templates = new Map(
    Object.entries(RequestTemplates).map(([type, template]) => [
      type.toLowerCase(),
      contextText(template, 'a mapping template', '', method.refuse),
    ]),
  );
  const responses = IntegrationResponses.map(response => mockResponse(response, method));
  const passesThrough =
    PassthroughBehavior === 'WHEN_NO_MATCH' ||
    (PassthroughBehavior === 'WHEN_NO_TEMPLATES' && templates.size === 0);

  return async request => {
    // Templates render text. Without the conversion API Gateway takes the request for binary and decodes the response.
    if (request.isBinaryApi && !convertsToText) throw new GatewayFault('API_CONFIGURATION_ERROR');
    const template = templates.get(mediaType(request)) ?? (passesThrough ? passThrough(request) : undefined);
    if (template === undefined) throw new GatewayFault('UNSUPPORTED_MEDIA_TYPE');
    const status = statusOf(template(request.exchange.variables));
    const response =
      responses.find(({ pattern }) => pattern?.test(status)) ??
      responses.find(({ pattern }) => pattern === undefined);
    if (response === undefined) throw new GatewayFault('API_CONFIGURATION_ERROR');
    return response.answer(request.exchange);
  };
}

/** The media type without its parameters; for a request without a body, JSON. */
function mediaType({ exchange, body }: MethodRequest): string {
  if (body.length === 0) return JSON_TYPE;
  const contentType = headerValue(exchange.headers, 'Content-Type') ?? '';
  return contentType.replace(/;.*$/s, '').trim().toLowerCase() || JSON_TYPE;
}

function passThrough({ body }: MethodRequest): (variables: ContextVariables) => string {
  return () => body.toString('utf8');
}

function statusOf(mockRequest: string): string {
  // API Gateway also accepts keys without quotes, as in the template of CDK's CORS preflight: { statusCode: 204 }.
  const quoted = mockRequest.replaceAll(/([{,]\s*)([A-Za-z_]\w*)(?=\s*:)/g, '$1"$2"');
  const read = MockRequest.safeParse(jsonValue(mockRequest) ?? jsonValue(quoted));
  if (!read.success) throw new GatewayFault('DEFAULT_5XX', { status: 500, cause: read.error });
  return String(read.data.statusCode);
}

function mockResponse(
  response: z.infer<typeof IntegrationResponse>,
  { properties, refuse }: Declared<Method>,
): MockResponse {
  const { StatusCode, SelectionPattern, ResponseParameters, ResponseTemplates } = response;
  // An integration response may only use what the method response of its status declares.
  const methodResponse =
    properties.MethodResponses.find(candidate => candidate.StatusCode === StatusCode) ??
    refuse(`no MethodResponse declares the status ${StatusCode}`);
  for (const parameter of Object.keys(ResponseParameters)) {
    if (!Object.hasOwn(methodResponse.ResponseParameters, parameter)) {
      refuse(`the MethodResponse ${StatusCode} does not declare ${parameter}`);
    }
  }
  const [type, template] = Object.entries(ResponseTemplates).toSorted(jsonFirst)[0] ?? [JSON_TYPE, ''];
  const body = contextText(template, 'a mapping template', '', refuse);
  const headers = headerMappings(ResponseParameters, 'method.response.header.', 'a mapping template', refuse);
  return {
    pattern: SelectionPattern ? wholeTextPattern(SelectionPattern, refuse) : undefined,
    answer: exchange => {
      const mapped = headers(exchange);
      const hasType = mapped.some(([name]) => name.toLowerCase() === 'content-type');
      return {
        status: Number(StatusCode),
        headers: hasType ? mapped : [['Content-Type', type], ...mapped],
        body: body(exchange.variables),
      };
    },
  };
}

function jsonFirst([a]: [string, string], [b]: [string, string]): number {
  return Number(b === JSON_TYPE) - Number(a === JSON_TYPE);
}
