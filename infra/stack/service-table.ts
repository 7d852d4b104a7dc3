import { Arn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  BillingMode,
  type GlobalSecondaryIndexProps,
  Table,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { TableName } from '../settings/settings.ts';
import type { Environment } from './environments.ts';

interface ServiceTableProps extends TableProps {
  /** The table's name in the settings. */
  readonly name: TableName;
}

/**
 * A table with point-in-time recovery. Where the environment names a restored table, the stack uses that one and creates none.
 */
export class ServiceTable extends Construct {
  readonly name: TableName;
  readonly tableName: string;
  readonly tableArn: string;
  readonly #table: Table | undefined;

  constructor(scope: Construct, id: string, environment: Environment, { name, ...props }: ServiceTableProps) {
    super(scope, id);
    this.name = name;
    const restored = environment.restoredTables[name];
    if (restored === undefined) {
      // CDK leaves the id Default out of the logical id, and CloudFormation would replace a table whose logical id changes.
      this.#table = new Table(this, 'Default', {
        billingMode: BillingMode.PAY_PER_REQUEST,
        pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
        removalPolicy: removalPolicyOf(environment),
        ...(environment.protected && { deletionProtection: true }),
        ...props,
      });
    }
    this.tableName = restored ?? this.#table?.tableName ?? '';
    this.tableArn =
      this.#table?.tableArn ??
      Arn.format({ service: 'dynamodb', resource: 'table', resourceName: this.tableName }, Stack.of(this));
  }

  /** A restored table has the indexes of the table that it was restored from. */
  addGlobalSecondaryIndex(index: GlobalSecondaryIndexProps): void {
    this.#table?.addGlobalSecondaryIndex(index);
  }
}

/**
 * What happens to a resource that holds data when the stack is deleted. The rollback of a failed first deploy deletes it in
 * either case, unless the setting `protected` protects it.
 */
export function removalPolicyOf({ keepsData }: Environment): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
