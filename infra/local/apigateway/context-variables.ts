/**
 * `$context` variables and the texts that contain them.
 *
 * In a text, `$context.name` is replaced by the value of the variable. VTL (#set, #if, $input, $util…) is rejected: API
 * Gateway evaluates it in mapping templates only (mapping-template.ts).
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type Exchange, type Header, headerValue } from './exchange.ts';

/** Values by the name after `$context.`. A variable without a value for this request is not in the map. */
export type ContextVariables = ReadonlyMap<string, string>;

/** Where a text is used, which decides the variables that it may contain. */
type TextPlace = 'a mapping template' | 'a gateway response' | 'the access log format';

const REQUEST_VARIABLES = [
  'accountId',
  'apiId',
  'domainName',
  'domainPrefix',
  'extendedRequestId',
  'httpMethod',
  // These have a value only for methods that require an API key.
  'identity.apiKey',
  'identity.apiKeyId',
  'identity.sourceIp',
  'identity.userAgent',
  'path',
  'protocol',
  'requestId',
  'requestTime',
  'requestTimeEpoch',
  'resourceId',
  'resourcePath',
  'stage',
  // The local AWS has no IAM callers, web ACLs and traces: these are accepted and never have a value.
  'identity.caller',
  'identity.user',
  'identity.userArn',
  'wafResponseCode',
  'webaclArn',
  'xrayTraceId',
];
const ERROR_VARIABLES = ['error.message', 'error.messageString', 'error.responseType'];
const OUTCOME_VARIABLES = [
  'integration.integrationStatus',
  'integration.latency',
  'integration.requestId',
  'integration.status',
  'integrationErrorMessage',
  'integrationLatency',
  'integrationStatus',
  'responseLatency',
  'responseLength',
  'status',
];

const VARIABLES_BY_PLACE: Record<TextPlace, ReadonlySet<string>> = {
  'a mapping template': new Set(REQUEST_VARIABLES),
  'a gateway response': new Set([...REQUEST_VARIABLES, ...ERROR_VARIABLES]),
  'the access log format': new Set([...REQUEST_VARIABLES, ...ERROR_VARIABLES, ...OUTCOME_VARIABLES]),
};

/** A key of the context that a Lambda authorizer returns, its principalId, or its latency. */
const AUTHORIZER_KEY = /^authorizer\.[\w-]+$/;

const VARIABLE = /\$context\.([A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)*)/g;

const VTL =
  /#\{?(?:set|if|elseif|else|end|foreach|include|parse|macro|evaluate|define|stop|break)\b|##|#\*|\$!?\{?[A-Za-z]\w*/;

/** Rejects a variable that has no value in that place. */
export function requireVariable(name: string, place: TextPlace, refuse: (fault: string) => never): void {
  if (VARIABLES_BY_PLACE[place].has(name) || AUTHORIZER_KEY.test(name)) return;
  refuse(`the variable $context.${name} in ${place} is not supported by the local AWS`);
}

/** Checks a text and returns its renderer, which writes `absent` for a variable without a value. */
export function contextText(
  text: string,
  place: TextPlace,
  absent: string,
  refuse: (fault: string) => never,
): (variables: ContextVariables) => string {
  for (const [, name = ''] of text.matchAll(VARIABLE)) requireVariable(name, place, refuse);
  const construct = VTL.exec(text.replaceAll(VARIABLE, ''))?.[0];
  if (construct !== undefined) {
    refuse(`the template construct ${construct} in ${place} is not supported by the local AWS`);
  }
  return variables => text.replaceAll(VARIABLE, (_, name: string) => variables.get(name) ?? absent);
}

/** Makes the mapped headers of one response. A source without a value makes no header. */
export type HeaderMappings = (exchange: Exchange) => readonly Header[];

type Source = (exchange: Exchange) => string | undefined;

/**
 * ResponseParameters: `<prefix>Name` ← expression, where the expression is `'literal'` with its quotes,
 * `context.variable`, or, in gateway responses, `method.request.header.Name`.
 */
export function headerMappings(
  parameters: Readonly<Record<string, string>>,
  prefix: 'gatewayresponse.header.' | 'method.response.header.',
  place: TextPlace,
  refuse: (fault: string) => never,
): HeaderMappings {
  const mappings = Object.entries(parameters).map(([parameter, expression]) => {
    const name = parameter.startsWith(prefix) ? parameter.slice(prefix.length) : '';
    if (!isHeader(name, '')) refuse(`the response parameter ${parameter} is not supported by the local AWS`);
    return { name, source: source(name, expression, place, refuse) };
  });
  return exchange =>
    mappings.flatMap(({ name, source }) => {
      const value = source(exchange);
      // The context of an authorizer may contain what a header cannot, such as a line break.
      return value !== undefined && isHeader(name, value) ? [[name, value] as const] : [];
    });
}

function source(
  name: string,
  expression: string,
  place: TextPlace,
  refuse: (fault: string) => never,
): Source {
  const literal = /^'(.*)'$/s.exec(expression)?.[1];
  if (literal !== undefined) {
    if (!isHeader(name, literal)) refuse(`the header ${name} cannot carry the value ${expression}`);
    return () => literal;
  }
  const variable = /^context\.(.+)$/.exec(expression)?.[1];
  if (variable !== undefined) {
    requireVariable(variable, place, refuse);
    return ({ variables }) => variables.get(variable);
  }
  const requestHeader = /^method\.request\.header\.([\w-]+)$/.exec(expression)?.[1];
  if (requestHeader !== undefined && place === 'a gateway response') {
    return ({ headers }) => headerValue(headers, requestHeader);
  }
  return refuse(`the expression ${expression} of the header ${name} is not supported by the local AWS`);
}

/** Whether the name and the value are valid in HTTP. */
export function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
