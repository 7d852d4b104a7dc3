import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { onTestFinished } from 'vitest';
import { eventsService } from '../../../../infra/local/events/events-service.ts';
import type { AwsEvent } from '../../../../infra/local/events/rules.ts';
import type { Principal } from '../../../../infra/local/iam/principal.ts';
import { serveEndpoint } from '../aws-api/served-endpoint.ts';

/** EventBridge on a free port until the test has finished, and the events that it has accepted. */
export async function serveEvents(principal?: Principal) {
  const accepted: AwsEvent[] = [];
  const service = eventsService({ accept: event => accepted.push(event) });
  const { endpoint, clientOptions } = await serveEndpoint({ events: service }, principal);
  const client = new EventBridgeClient(clientOptions);
  onTestFinished(() => client.destroy());
  return { endpoint, client, accepted };
}
