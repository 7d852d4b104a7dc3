/**
 * MOCK: the gateway responds from templates. The request template for the request's media type must render to
 * {"statusCode": 404}; that status selects the integration response, which makes the response.
 */
import * as z from 'zod';
import { headerMappings, isHeader } from './context-variables.ts';
import {
  type Declared,
  type IntegrationResponse,
  type Method,
  wholeTextPattern,
} from './declared-resources.ts';
import { type Exchange, type HttpResponse, headerValue } from './exchange.ts';
import { GatewayFault } from './gateway-fault.ts';
import { jsonValue } from './gateway-services.ts';
import { mappingTemplate, type TemplateInput } from './mapping-template.ts';
import type { Integrate, MethodRequest } from './routes.ts';

const JSON_TYPE = 'application/json';

const MockRequest = z.object({ statusCode: z.int() });

interface MockResponse {
  /** Undefined for the default response. */
  readonly pattern: RegExp | undefined;
  render(exchange: Exchange, input: TemplateInput): HttpResponse;
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
      mappingTemplate(template, 'request', method.refuse),
    ]),
  );
  const responses = IntegrationResponses.map(response => mockResponse(response, method));
  if (PassthroughBehavior === undefined)
    method.refuse('a mock without the PassthroughBehavior NEVER is not supported');

  return async request => {
    // Templates render text. Without the conversion API Gateway takes the request for binary and decodes the response.
    if (request.isBinaryApi && !convertsToText) throw new GatewayFault('API_CONFIGURATION_ERROR');
    const template = templates.get(mediaType(request));
    if (template === undefined) throw new GatewayFault('UNSUPPORTED_MEDIA_TYPE');
    const input = templateInput(request);
    const status = statusOf(template(input).text);
    const response =
      responses.find(({ pattern }) => pattern?.test(status)) ??
      responses.find(({ pattern }) => pattern === undefined);
    if (response === undefined) throw new GatewayFault('API_CONFIGURATION_ERROR');
    return response.render(request.exchange, input);
  };
}

/** The media type without its parameters; for a request without a body, JSON. */
function mediaType({ exchange, body }: MethodRequest): string {
  if (body.length === 0) return JSON_TYPE;
  const contentType = headerValue(exchange.headers, 'Content-Type') ?? '';
  return contentType.replace(/;.*$/s, '').trim().toLowerCase() || JSON_TYPE;
}

/**
 * `$input.params(name)` looks in the path, the query and the headers, in this order. Whether it finds a header whose
 * name is in another case is not documented: here it does not.
 */
function templateInput({ exchange, pathParameters, queryParameters }: MethodRequest): TemplateInput {
  const parameters = [exchange.headers, queryParameters, pathParameters].flat();
  return {
    variables: exchange.variables,
    params: name => parameters.findLast(([candidate]) => candidate === name)?.[1] ?? '',
  };
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
  const renderTemplate = mappingTemplate(ResponseTemplates[JSON_TYPE] ?? '', 'response', refuse);
  const headers = headerMappings(ResponseParameters, 'method.response.header.', 'a mapping template', refuse);
  return {
    pattern: SelectionPattern ? wholeTextPattern(SelectionPattern, refuse) : undefined,
    render: (exchange, input) => {
      const rendered = renderTemplate(input);
      const overridden = new Set(rendered.headers.map(([name]) => name.toLowerCase()));
      const mapped = headers(exchange).filter(([name]) => !overridden.has(name.toLowerCase()));
      // A header that only a template sets need not be declared.
      const all = [...mapped, ...rendered.headers.filter(([name, value]) => isHeader(name, value))];
      const hasType = all.some(([name]) => name.toLowerCase() === 'content-type');
      return {
        status: rendered.status ?? Number(StatusCode),
        headers: hasType ? all : [['Content-Type', JSON_TYPE], ...all],
        body: rendered.text,
      };
    },
  };
}
