import type { ACMClient } from '@aws-sdk/client-acm';
import type { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Route53Client } from '@aws-sdk/client-route-53';
import type { SFNClient } from '@aws-sdk/client-sfn';
import { onTestFinished, vi } from 'vitest';

type Client =
  | typeof ACMClient
  | typeof APIGatewayClient
  | typeof EventBridgeClient
  | typeof Route53Client
  | typeof SFNClient;

/** A command that was sent, such as ListCertificatesCommand, and what it asks. */
export interface SentCommand {
  readonly name: string;
  readonly input: object;
}

/**
 * Has every client of a service get these answers during this test, one after the other, then empty ones; an error is
 * thrown. Returns the commands that are sent. For answers that the local service never gives.
 */
export function cannedAnswers(
  client: Client,
  ...answers: readonly (object | Error)[]
): readonly SentCommand[] {
  const upcoming = [...answers];
  const sent: SentCommand[] = [];
  const send = vi.spyOn(client.prototype, 'send');
  send.mockImplementation(async (command: { constructor: { name: string }; input: object }) => {
    sent.push({ name: command.constructor.name, input: command.input });
    const answer = upcoming.shift() ?? {};
    if (answer instanceof Error) throw answer;
    return answer;
  });
  onTestFinished(() => send.mockRestore());
  return sent;
}
