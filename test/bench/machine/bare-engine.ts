import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDbLocal } from '../../../infra/local/dynamodb/dynamodb-local.ts';

/** DynamoDB Local in memory, and a client with default settings. */
export interface BareEngine {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  stop(): Promise<void>;
}

export async function startBareEngine(): Promise<BareEngine> {
  const engine = startDynamoDbLocal(undefined, () => {});
  const endpoint = await engine.endpoint;
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return {
    endpoint,
    client,
    async stop() {
      client.destroy();
      await engine.stop();
    },
  };
}
