/**
 * ResponseParameters: `<prefix>Name` ← expression, where the expression is `'literal'` with its quotes,
 * `context.variable`, or, in gateway responses, `method.request.header.Name`.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { requireVariable, type TextPlace } from './context-variables.ts';
import { type Exchange, type Header, headerValue } from './exchange.ts';

/** Makes the mapped headers of one answer. A source without a value makes no header. */
export type HeaderMappings = (exchange: Exchange) => readonly Header[];

type Source = (exchange: Exchange) => string | undefined;

/** Checks the mappings and returns what applies them to an answer. */
export function headerMappings(
  parameters: Readonly<Record<string, string>>,
  prefix: 'gatewayresponse.header.' | 'method.response.header.',
  place: TextPlace,
  refuse: (fault: string) => never,
): HeaderMappings {
  const mappings = Object.entries(parameters).map(([parameter, expression]) => {
    const name = parameter.startsWith(prefix) ? parameter.slice(prefix.length) : '';
    if (!isHeader(name, ''))
      refuse(`the response parameter ${parameter} is not supported by the local runtime`);
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
  return refuse(`the expression ${expression} of the header ${name} is not supported by the local runtime`);
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
