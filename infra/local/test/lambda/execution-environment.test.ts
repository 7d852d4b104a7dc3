import { describe, expect, test } from 'vitest';
import { developerKey } from '../../iam/principal.ts';
import { functionEnvironment } from '../../lambda/execution-environment.ts';

const configuration = {
  arn: 'arn:aws:lambda:us-east-1:000000000000:function:fn',
  name: 'fn',
  handlerFile: '/assets/fn/index.cjs',
  handlerName: 'handler',
  environment: {},
  memoryMb: 128,
  logGroup: '/aws/lambda/fn',
} as Parameters<typeof functionEnvironment>[0];

const environment = (network: { awsEndpoint: string; dynamoDbEndpoint: string }) =>
  functionEnvironment(configuration, 'stream', { ...network, accessKey: developerKey(undefined) });

describe('the environment of a function', () => {
  test('has one endpoint for all services', () => {
    const variables = environment({ awsEndpoint: 'http://aws', dynamoDbEndpoint: 'http://aws' });
    expect(variables).toMatchObject({ AWS_ENDPOINT_URL: 'http://aws' });
    expect(variables).not.toHaveProperty('AWS_ENDPOINT_URL_DYNAMODB');
  });

  test('has DynamoDB at its own endpoint where a proxy stands for the other services', () => {
    expect(environment({ awsEndpoint: 'http://proxy', dynamoDbEndpoint: 'http://aws' })).toMatchObject({
      AWS_ENDPOINT_URL: 'http://proxy',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://aws',
    });
  });
});
