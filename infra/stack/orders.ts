import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { listOrders } from '../../shared/orders/operations.ts';
import { ORDERS_TABLE } from '../../shared/orders/order.ts';
import type { Environment } from './environments.ts';
import type { PublicApi } from './public-api.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceTable } from './service-table.ts';

/** The orders: their table and the operation that lists them. Operators record orders through the operator function. */
export class Orders extends Construct {
  readonly table: ServiceTable;

  constructor(scope: Construct, id: string, environment: Environment, api: PublicApi) {
    super(scope, id);
    const { statusIndex } = ORDERS_TABLE;
    this.table = new ServiceTable(this, 'Table', environment, {
      name: 'orders',
      partitionKey: { name: ORDERS_TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: ORDERS_TABLE.sortKey, type: AttributeType.NUMBER },
    });
    this.table.addGlobalSecondaryIndex({
      indexName: statusIndex.name,
      partitionKey: { name: statusIndex.partitionKey, type: AttributeType.STRING },
      sortKey: { name: statusIndex.sortKey, type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    });
    api.route(
      listOrders,
      new ServiceFunction(this, 'ListOrders', 'orders/list-orders', { environment })
        .grantTable(this.table, 'ORDERS_TABLE', ['Query'], [statusIndex.name])
        .withVariable('CURSOR_SECRET', api.cursorSecret.secretValue.unsafeUnwrap()),
    );
  }
}
