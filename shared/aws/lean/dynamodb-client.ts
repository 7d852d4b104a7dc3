import { type DynamoDBClientConfig, DynamoDBClient as SdkClient } from '@aws-sdk/client-dynamodb';
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';

/** The SDK's client without middleware this service doesn't need, and with the protocol below. */
export class DynamoDBClient extends SdkClient {
  constructor(config: DynamoDBClientConfig) {
    super({ ...config, protocol: ParsedJsonProtocol });
    // Walks through every input and output, even though nothing is logged.
    this.middlewareStack.remove('loggerMiddleware');
    this.middlewareStack.remove('getUserAgentMiddleware');
    // Passes on the invocation's trace, which DynamoDB ignores.
    this.middlewareStack.remove('recursionDetectionMiddleware');
  }
}

/**
 * Returns responses as JSON.parse made them. The SDK walks through every attribute of every item to decode binary values,
 * and no table of this service has any. Errors are left to the SDK.
 */
class ParsedJsonProtocol extends AwsJson1_0Protocol {
  override async deserializeResponse(
    ...[operation, context, response]: Parameters<AwsJson1_0Protocol['deserializeResponse']>
  ) {
    if (response.statusCode >= 300) return super.deserializeResponse(operation, context, response);
    const { buffer, byteOffset, byteLength } = await context.streamCollector(response.body);
    const body = Buffer.from(buffer, byteOffset, byteLength).toString();
    return { ...JSON.parse(body || '{}'), $metadata: this.deserializeMetadata(response) };
  }
}
