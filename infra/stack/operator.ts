import { CfnOutput } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { ApiKeys } from './api-keys.ts';
import type { Environment } from './environments.ts';
import { ServiceFunction, wellKnownName } from './service-function.ts';

/** What operators invoke from the command line. */
export class Operator extends Construct {
  constructor(scope: Construct, id: string, environment: Environment, apiKeys: ApiKeys) {
    super(scope, id);
    const operate = new ServiceFunction(this, 'Operate', 'operator/operate', {
      environment,
      functionName: wellKnownName(environment, 'operator'),
    })
      .uses(apiKeys.table, 'API_KEYS_TABLE', ['PutItem'])
      .knows('API_KEY_PREFIX', environment.apiKeyPrefix);
    new CfnOutput(this, 'OperatorFunction', {
      value: operate.lambda.functionName,
      description: 'Function that operators invoke.',
    }).overrideLogicalId('OperatorFunction');
  }
}
