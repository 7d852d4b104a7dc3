import { Duration } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { API_KEYS_TABLE } from '../../shared/api-keys/api-key-record.ts';
import { ENVIRONMENT_TAG } from '../../shared/aws/ownership-tags.ts';
import type { Environment } from './environments.ts';
import { allowTagging, gatewayArn } from './service-api.ts';
import { acknowledgeWildcard, ServiceFunction } from './service-function.ts';
import { ServiceTable } from './service-table.ts';

/** A leftover key at API Gateway, of one that expired or was never recorded, only counts towards a quota. */
const RECONCILE_EVERY = Duration.minutes(5);

/** The API keys: their table, the authorizer function, and the scheduled removal of what API Gateway keeps of old ones. */
export class ApiKeys extends Construct {
  readonly table: ServiceTable;
  readonly authorize: ServiceFunction;
  readonly #stage: string;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.#stage = environment.stage;
    this.table = new ServiceTable(this, 'Table', environment, {
      name: 'apiKeys',
      partitionKey: { name: API_KEYS_TABLE.partitionKey, type: AttributeType.STRING },
    });
    this.authorize = new ServiceFunction(this, 'Authorize', 'api-keys/authorize', { environment })
      // One conditional update looks a key up and records its use.
      .grantTable(this.table, 'API_KEYS_TABLE', ['UpdateItem'])
      .withVariable('API_KEY_PREFIX', environment.apiKeyPrefix);
    this.#addReconciliation(environment);
  }

  /** Lets a function find and delete this environment's keys at API Gateway, and no others. */
  grantKeyRemoval(fn: ServiceFunction): void {
    this.#grantKeyList(fn);
    fn.allowIf(
      { StringEquals: { [`aws:ResourceTag/${ENVIRONMENT_TAG}`]: this.#stage } },
      'apigateway:DELETE',
      gatewayArn(this, '/apikeys/*'),
    );
    acknowledgeWildcard(
      fn,
      'arn:<AWS::Partition>:apigateway:<AWS::Region>::/apikeys/*',
      'API Gateway chooses the ids of its keys; the condition is on their tag.',
    );
  }

  /** Lets a function create keys at API Gateway that have the tag of this environment. */
  grantKeyCreation(fn: ServiceFunction): void {
    this.#grantKeyList(fn);
    const isTagged = { StringEquals: { [`aws:RequestTag/${ENVIRONMENT_TAG}`]: this.#stage } };
    fn.allowIf(isTagged, 'apigateway:POST', gatewayArn(this, '/apikeys'));
    allowTagging(fn, 'apikeys', this.#stage);
  }

  #grantKeyList(fn: ServiceFunction): void {
    fn.allow('apigateway:GET', gatewayArn(this, '/apikeys')).withVariable('ENVIRONMENT', this.#stage);
  }

  #addReconciliation(environment: Environment): void {
    const reconcile = new ServiceFunction(this, 'ReconcileKeys', 'api-keys/reconcile-keys', {
      environment,
      // It removes keys for 30 s (shared/api-keys/key-reconciliation.ts); the rest is for the lists of 10,000 keys.
      timeout: Duration.seconds(55),
    }).grantTable(this.table, 'API_KEYS_TABLE', ['Scan']);
    this.grantKeyRemoval(reconcile);
    reconcile.runEvery(RECONCILE_EVERY, this, 'EveryFewMinutes', 'Orphaned API keys are removed.');
  }
}
