/** The gateway responses: the status and message of each type unless an API customises it. */
export const GATEWAY_RESPONSE_DEFAULTS = {
  ACCESS_DENIED: { status: 403, message: 'User is not authorized to access this resource' },
  API_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, message: null },
  AUTHORIZER_FAILURE: { status: 500, message: null },
  BAD_REQUEST_BODY: { status: 400, message: 'Invalid request body' },
  BAD_REQUEST_PARAMETERS: { status: 400, message: 'Bad Request' },
  DEFAULT_4XX: { status: 400, message: 'Bad Request' },
  DEFAULT_5XX: { status: 500, message: 'Internal server error' },
  EXPIRED_TOKEN: { status: 403, message: 'The security token included in the request is expired' },
  INTEGRATION_FAILURE: { status: 504, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
  INVALID_API_KEY: { status: 403, message: 'Forbidden' },
  INVALID_SIGNATURE: { status: 403, message: 'The request signature does not match' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  QUOTA_EXCEEDED: { status: 429, message: 'Limit Exceeded' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  RESOURCE_NOT_FOUND: { status: 404, message: 'Not Found' },
  THROTTLED: { status: 429, message: 'Too Many Requests' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported Media Type' },
  WAF_FILTERED: { status: 403, message: 'Forbidden' },
} as const satisfies Record<string, { status: number; message: string | null }>;

export type GatewayResponseType = keyof typeof GATEWAY_RESPONSE_DEFAULTS;

/** The type whose response a status has if its own type isn't customized. */
export function familyOf(status: number): GatewayResponseType {
  return status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
}

interface FaultOptions {
  /** The status for a DEFAULT type, which covers several. */
  readonly status?: number;
  /** The message to the client in place of the type's own. */
  readonly clientMessage?: string;
  readonly cause?: unknown;
}

/** Ends the processing of a request: the gateway itself responds, with the gateway response of this type. */
export class GatewayFault extends Error {
  readonly type: GatewayResponseType;
  readonly status: number;
  readonly clientMessage: string | null;

  constructor(type: GatewayResponseType, { status, clientMessage, cause }: FaultOptions = {}) {
    super(type, { cause });
    this.name = 'GatewayFault';
    this.type = type;
    this.status = status ?? GATEWAY_RESPONSE_DEFAULTS[type].status;
    this.clientMessage = clientMessage ?? GATEWAY_RESPONSE_DEFAULTS[type].message;
  }
}
