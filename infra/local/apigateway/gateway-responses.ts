import { contextText, type HeaderMappings, headerMappings } from './context-variables.ts';
import type { Declared, GatewayResponse } from './declared-resources.ts';
import type { Exchange, Header, HttpResponse } from './exchange.ts';
import { familyOf, type GatewayFault } from './gateway-fault.ts';

/** Makes the gateway's own response to a request that ended in a fault. */
export type GatewayResponses = (fault: GatewayFault, exchange: Exchange) => HttpResponse;

interface Customisation {
  readonly status: number | undefined;
  readonly headers: HeaderMappings;
  readonly body: ReturnType<typeof contextText>;
}

export const DEFAULT_TEMPLATE = '{"message":$context.error.messageString}';

/** The x-amzn-ErrorType that was recorded of a type and of a server error. */
function errorTypeOf({ type, status }: GatewayFault): Header[] {
  if (status >= 500) return [['x-amzn-ErrorType', 'InternalServerErrorException']];
  return type === 'MISSING_AUTHENTICATION_TOKEN'
    ? [['x-amzn-ErrorType', 'MissingAuthenticationTokenException']]
    : [];
}

const UNCUSTOMISED: Customisation = {
  status: undefined,
  headers: () => [],
  body: variables => `{"message":${variables.get('error.messageString')}}`,
};

/** Checks the gateway responses of an API and returns what responds to its faults. */
export function gatewayResponses(declared: readonly Declared<GatewayResponse>[]): GatewayResponses {
  const customisations = new Map<string, Customisation>();
  for (const response of declared) {
    const { ResponseType } = response.properties;
    if (customisations.has(ResponseType))
      response.refuse(`the API has two gateway responses ${ResponseType}`);
    customisations.set(ResponseType, customisation(response));
  }
  return (fault, exchange) => {
    const { variables } = exchange;
    variables.set('error.messageString', JSON.stringify(fault.clientMessage));
    variables.set('error.responseType', fault.type);
    if (fault.clientMessage !== null) variables.set('error.message', fault.clientMessage);
    const chosen = choose(customisations, fault);
    return {
      status: chosen.status ?? fault.status,
      headers: chosen === UNCUSTOMISED ? errorTypeOf(fault) : chosen.headers(exchange),
      body: chosen.body(variables),
    };
  };
}

function choose(customisations: ReadonlyMap<string, Customisation>, fault: GatewayFault): Customisation {
  // API Gateway documents that this response cannot be customised.
  if (fault.type === 'REQUEST_TOO_LARGE') return UNCUSTOMISED;
  return customisations.get(fault.type) ?? customisations.get(familyOf(fault.status)) ?? UNCUSTOMISED;
}

function customisation({ properties, refuse }: Declared<GatewayResponse>): Customisation {
  const { StatusCode, ResponseParameters, ResponseTemplates } = properties;
  const template = ResponseTemplates['application/json'] ?? DEFAULT_TEMPLATE;
  return {
    status: StatusCode === undefined ? undefined : Number(StatusCode),
    headers: headerMappings(ResponseParameters, 'gatewayresponse.header.', 'a gateway response', refuse),
    body: contextText(template, 'a gateway response', '', refuse),
  };
}
