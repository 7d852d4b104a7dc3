import { Arn, Duration, Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, type Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { API_KEYS_TABLE } from '../../shared/api-keys/api-key-table.ts';
import type { Environment } from './environments.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceTable } from './service-table.ts';

/** API Gateway's key of a key that expired or was never recorded counts towards a quota, and does no other harm. */
const RECONCILE_EVERY = Duration.minutes(5);

/** The API keys: their table, the authorizer function, and the scheduled removal of what API Gateway keeps of old ones. */
export class ApiKeys extends Construct {
  readonly table: Table;
  readonly authorize: ServiceFunction;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.table = new ServiceTable(this, 'Table', environment, {
      partitionKey: { name: API_KEYS_TABLE.partitionKey, type: AttributeType.STRING },
    });
    this.authorize = new ServiceFunction(this, 'Authorize', 'api-keys/authorize', { environment })
      // One conditional update looks a key up and records its use.
      .grantTable(this.table, 'API_KEYS_TABLE', ['UpdateItem'])
      .withVariable('API_KEY_PREFIX', environment.apiKeyPrefix);
    this.#addReconciliation(environment);
  }

  #addReconciliation(environment: Environment): void {
    const reconcile = new ServiceFunction(this, 'ReconcileKeys', 'api-keys/reconcile-keys', {
      environment,
      // It removes keys for 30 s (shared/api-keys/key-reconciliation.ts); the rest is for the lists of 10,000 keys.
      timeout: Duration.seconds(55),
    })
      .grantTable(this.table, 'API_KEYS_TABLE', ['Scan'])
      .withVariable('ENVIRONMENT', environment.stage)
      .allow('apigateway:GET', gatewayArn(this, '/apikeys'))
      .allow('apigateway:DELETE', gatewayArn(this, '/apikeys/*'));
    acknowledgeKeyIds(reconcile);
    new Rule(this, 'EveryFewMinutes', {
      description: 'Orphaned API keys are removed.',
      schedule: Schedule.rate(RECONCILE_EVERY),
      targets: [new LambdaFunction(reconcile.lambda)],
    });
  }
}

/** The ARN of a path of API Gateway's control plane. */
export function gatewayArn(scope: Construct, path: string): string {
  return Arn.format({ service: 'apigateway', account: '', resource: path }, Stack.of(scope));
}

export function acknowledgeKeyIds(scope: Construct): void {
  Validations.of(scope).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:apigateway:<AWS::Region>::/apikeys/*]',
    reason: 'API Gateway chooses the ids of its keys, so the one to delete cannot be named in advance.',
  });
}
