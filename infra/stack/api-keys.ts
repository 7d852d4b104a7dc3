import { AttributeType, type Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { API_KEYS_TABLE } from '../../shared/api-keys/api-key-table.ts';
import type { Environment } from './environments.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceTable } from './service-table.ts';

/** The API keys: their table and the authorizer function. */
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
  }
}
