import type { Answer } from './answer.ts';
import type { RequestApiKey } from './api-key-requirement.ts';
import type { Exchange } from './exchange.ts';
import type { Authorization } from './token-authorizer.ts';

/** A request that is routed to a method and authorized. */
export interface MethodRequest {
  readonly exchange: Exchange;
  readonly resourceId: string;
  readonly resourcePath: string;
  readonly operationName: string | undefined;
  /** The path parameters, percent-encoded. */
  readonly pathParameters: readonly (readonly [name: string, value: string])[];
  readonly queryParameters: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Whether the API has binary media types: functions then get and give bodies in base64. */
  readonly isBinaryApi: boolean;
  /** Undefined when the method has no authorizer. */
  readonly authorization: Authorization | undefined;
  /** Undefined when the method requires no API key. */
  readonly apiKey: RequestApiKey | undefined;
}

/** The integration of a method. Throws a GatewayFault when the gateway itself must answer. */
export type Integrate = (request: MethodRequest) => Promise<Answer>;
