import { ACMClient } from '@aws-sdk/client-acm';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { Route53Client } from '@aws-sdk/client-route-53';
import { SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ServiceName } from './call.ts';

const CLIENTS: readonly (readonly [ServiceName, { readonly prototype: object }])[] = [
  ['dynamodb', DynamoDBDocumentClient],
  ['acm', ACMClient],
  ['apigateway', APIGatewayClient],
  ['route53', Route53Client],
  ['states', SFNClient],
  ['events', EventBridgeClient],
];

/** The client of DynamoDB retries until its deadline, which is about this often. */
const MOST_ATTEMPTS = 8;

type Send = (service: ServiceName, operation: string, input: unknown, attempts: number) => Promise<unknown>;

/** Makes all clients of the SDK in this process pass their commands to `send` instead of sending them to AWS. */
export function divertClients(send: Send): void {
  for (const [service, { prototype }] of CLIENTS) {
    Object.assign(prototype, {
      async send(this: Client, command: Command) {
        const attempts = Math.min(await this.config.maxAttempts(), MOST_ATTEMPTS);
        return send(service, operationOf(command), command.input, attempts);
      },
    });
  }
}

interface Client {
  readonly config: { maxAttempts(): Promise<number> };
}

interface Command {
  readonly input: unknown;
  /** A command of the document client has the command with AWS's name inside: GetItem in Get. */
  readonly clientCommand?: object;
}

const operations = new Map<unknown, string>();

function operationOf(command: Command): string {
  const { constructor: kind } = command.clientCommand ?? command;
  const operation = operations.get(kind) ?? kind.name.replace(/Command$/, '');
  operations.set(kind, operation);
  return operation;
}
