import { RemovalPolicy } from 'aws-cdk-lib';
import { BillingMode, Table, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Environment } from './environments.ts';

/** A table that can be taken back to any second of the last 35 days and, where data is kept, is hard to lose. */
export class ServiceTable extends Table {
  constructor(scope: Construct, id: string, environment: Environment, props: TableProps) {
    super(scope, id, {
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: environment.keepsData,
      removalPolicy: environment.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...props,
    });
  }
}
