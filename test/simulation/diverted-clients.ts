import { ACMClient } from '@aws-sdk/client-acm';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Route53Client } from '@aws-sdk/client-route-53';
import { SFNClient } from '@aws-sdk/client-sfn';
import type { ServiceName } from './calls.ts';

const CLIENTS: readonly (readonly [ServiceName, { readonly prototype: object }])[] = [
  ['dynamodb', DynamoDBClient],
  ['acm', ACMClient],
  ['apigateway', APIGatewayClient],
  ['route53', Route53Client],
  ['states', SFNClient],
];

/** The client of DynamoDB retries while time is left, which is about this often. */
const MOST_ATTEMPTS = 8;

type Send = (service: ServiceName, operation: string, input: unknown, attempts: number) => Promise<unknown>;

/** Has the SDK's clients, all of this process, hand their commands over instead of sending them. */
export function divertClients(send: Send): void {
  for (const [service, { prototype }] of CLIENTS) {
    Object.assign(prototype, {
      async send(this: Client, command: { constructor: { name: string }; input: unknown }) {
        const attempts = Math.min(await this.config.maxAttempts(), MOST_ATTEMPTS);
        return send(service, command.constructor.name.replace(/Command$/, ''), command.input, attempts);
      },
    });
  }
}

interface Client {
  readonly config: { maxAttempts(): Promise<number> };
}
