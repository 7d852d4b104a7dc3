import type { Answer } from './answer.ts';
import type { RequestApiKey } from './api-key-requirement.ts';
import type { Exchange } from './exchange.ts';
import type { Authorization } from './token-authorizer.ts';

/** A request that found its method and may use it. */
export interface MethodRequest {
  readonly exchange: Exchange;
  readonly resourceId: string;
  readonly resourcePath: string;
  readonly operationName: string | undefined;
  /** Still percent-encoded. */
  readonly pathParameters: readonly (readonly [name: string, value: string])[];
  readonly queryParameters: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Absent when the method has no authorizer. */
  readonly authorization: Authorization | undefined;
  /** Absent when the method requires none. */
  readonly apiKey: RequestApiKey | undefined;
}

/** What is behind a method; throws a GatewayFault when the gateway itself must answer. */
export type Integrate = (request: MethodRequest) => Promise<Answer>;
