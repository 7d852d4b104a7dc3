import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { onTestFinished } from 'vitest';
import { awsService } from '../aws-api/aws-service.ts';
import { eventsApi } from '../events/events-service.ts';
import type { AwsEvent } from '../events/rules.ts';
import type { Principal } from '../iam/principal.ts';
import { serveEndpoint } from './served-endpoint.ts';

/** EventBridge on a free port until the test has finished, and the events that it has accepted. */
export async function serveEvents(principal?: Principal, onEvent: (event: AwsEvent) => void = () => {}) {
  const accepted: AwsEvent[] = [];
  const accept = (event: AwsEvent) => {
    accepted.push(event);
    onEvent(event);
  };
  const service = awsService(eventsApi({ accept }));
  const { endpoint, clientOptions } = await serveEndpoint({ events: service }, principal);
  const client = new EventBridgeClient(clientOptions);
  onTestFinished(() => client.destroy());
  return { endpoint, client, accepted };
}
