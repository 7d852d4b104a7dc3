import * as acm from '@aws-sdk/client-acm';
import * as apigateway from '@aws-sdk/client-api-gateway';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as events from '@aws-sdk/client-eventbridge';
import * as route53 from '@aws-sdk/client-route-53';
import * as states from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { calls } from '../../infra/local/simulation.ts';
import { controlPlaneLimits } from '../../shared/aws/control-plane.ts';
import { dynamoDbLimits, isThrottling } from '../../shared/aws/retries.ts';

/** The clients of the service, and the modules that have the classes of their errors. */
const CLIENTS = [
  ['dynamodb', DynamoDBDocumentClient, dynamodb],
  ['acm', acm.ACMClient, acm],
  ['apigateway', apigateway.APIGatewayClient, apigateway],
  ['route53', route53.Route53Client, route53],
  ['states', states.SFNClient, states],
  ['events', events.EventBridgeClient, events],
] as const;

/** Tests set longer limits than those on AWS by variables, for machines on which everything is slow. */
const asOnAws = () => undefined;

type Send = ReturnType<typeof calls>;

/** Makes all clients of the SDK in this process pass their commands to `send` instead of sending them to AWS. */
export function divertClients(send: Send): void {
  for (const [service, { prototype }, module] of CLIENTS) {
    Object.assign(prototype, {
      async send(this: Client, command: Command) {
        const limits = (service === 'dynamodb' ? dynamoDbLimits : controlPlaneLimits)(asOnAws);
        // A client with one attempt gives it the time of all.
        const isOnce = (await this.config.maxAttempts()) === 1;
        const attemptTimeoutMs = isOnce ? limits.budgetMs : limits.attemptTimeoutMs;
        const callLimits = { ...limits, attemptTimeoutMs, isRetried: isThrottling };
        const attempts = send(service, operationOf(command), command.input, callLimits);
        return attempts.catch(error => {
          throw sdkError(error, module);
        });
      },
    });
  }
}

type ErrorClass = new (fields: object) => Error;

/** The error in the SDK's class of that name, if the service has one. */
function sdkError(error: Error, module: object): Error {
  const Class = (module as Readonly<Record<string, ErrorClass>>)[error.name];
  return Class ? new Class({ ...error, message: error.message, $metadata: {} }) : error;
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
