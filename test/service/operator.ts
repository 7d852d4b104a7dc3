import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

/** Invokes the operator function with AWS's own client, as operators do, and returns what it answers. */
export async function operate(
  awsEndpoint: string,
  stage: string,
  payload: unknown,
): Promise<Record<string, unknown>> {
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'x' };
  const lambda = new LambdaClient({ endpoint: awsEndpoint, region: 'us-east-1', credentials });
  const { Payload } = await lambda.send(
    new InvokeCommand({ FunctionName: `petstore-${stage}-operator`, Payload: JSON.stringify(payload) }),
  );
  lambda.destroy();
  return JSON.parse(Payload?.transformToString() ?? 'null');
}

/** A new API key of an environment. */
export async function newApiKey(awsEndpoint: string, stage: string): Promise<string> {
  const { result } = await operate(awsEndpoint, stage, { command: 'keys.create', name: 'Another client' });
  return (result as { key: string }).key;
}
