import type { ACMClient } from '@aws-sdk/client-acm';
import type { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Route53Client } from '@aws-sdk/client-route-53';
import type { SFNClient } from '@aws-sdk/client-sfn';
import { onTestFinished, vi } from 'vitest';

/** Has the SDK's clients that are created during this test use an endpoint for a service. */
export function stubEndpoint(
  service: 'ACM' | 'API_GATEWAY' | 'EVENTBRIDGE' | 'ROUTE_53' | 'SFN',
  endpoint: string,
): void {
  vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, endpoint);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

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
 * Has every client of a service get these responses during this test, one after the other, then empty ones; an error is
 * thrown. Returns the commands that are sent. For responses that the local service never gives.
 */
export function cannedResponses(
  client: Client,
  ...responses: readonly (object | Error)[]
): readonly SentCommand[] {
  const upcoming = [...responses];
  const sent: SentCommand[] = [];
  const send = vi.spyOn(client.prototype, 'send');
  send.mockImplementation(async (command: { constructor: { name: string }; input: object }) => {
    sent.push({ name: command.constructor.name, input: command.input });
    const response = upcoming.shift() ?? {};
    if (response instanceof Error) throw response;
    return response;
  });
  onTestFinished(() => send.mockRestore());
  return sent;
}
