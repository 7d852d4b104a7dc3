import { parse } from 'node:path';
import { REGION } from '../cloudformation/pseudo-parameters.ts';
import { sessionCredentials } from '../iam/session-credentials.ts';
import type { FunctionConfiguration } from './function-configuration.ts';
import type { DynamoDbRoute, FunctionNetwork } from './function-network.ts';

/** A file that does not exist, for settings whose default is a file of the developer. */
const NO_FILE = '/nonexistent/aws';

/** The environment variables of a function: its own and those of Lambda, none of this process. */
export function functionEnvironment(
  configuration: FunctionConfiguration,
  logStreamName: string,
  {
    awsEndpoint,
    dynamoDbEndpoint = awsEndpoint,
    dynamoDb,
    waitScale = 1,
    patience = 1,
  }: Pick<FunctionNetwork, 'awsEndpoint' | 'dynamoDbEndpoint' | 'waitScale' | 'patience'> & {
    readonly dynamoDb?: Pick<DynamoDbRoute, 'engine'> | undefined;
  },
): Record<string, string> {
  const { dir, name: fileName } = parse(configuration.handlerFile);
  const dynamoDbUrl = dynamoDb?.engine ?? dynamoDbEndpoint;
  const { accessKeyId, secretAccessKey, sessionToken } = sessionCredentials(configuration.arn);
  return {
    ...configuration.environment,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_CONFIG_FILE: NO_FILE,
    AWS_DEFAULT_REGION: REGION,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL: awsEndpoint,
    ...(dynamoDbUrl !== awsEndpoint && { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbUrl }),
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(configuration.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: configuration.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: configuration.logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: logStreamName,
    AWS_REGION: REGION,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_SHARED_CREDENTIALS_FILE: NO_FILE,
    ...(patience !== 1 && { DYNAMODB_PATIENCE: String(patience) }),
    LAMBDA_TASK_ROOT: dir,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    ...(waitScale !== 1 && { WAIT_SCALE: String(waitScale) }),
    _HANDLER: `${fileName}.${configuration.handlerName}`,
  };
}
