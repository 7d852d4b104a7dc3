import type { Actor } from './virtual-time.ts';

export type ServiceName =
  | 'dynamodb'
  | 'acm'
  | 'apigateway'
  | 'route53'
  | 'states'
  | 'events'
  | 'dns'
  | 'https';

/** A call of an AWS service, as one attempt of the SDK makes it. */
export interface Call {
  readonly actor: Actor;
  readonly service: ServiceName;
  readonly operation: string;
  readonly input: unknown;
  /** The same for all attempts of one call, as the idempotency token is that the SDK generates. */
  readonly token: object;
}
