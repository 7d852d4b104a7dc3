import { BillingMode, Table, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Environment } from './environments.ts';
import { removalPolicyOf } from './removal-policy.ts';

/** A table with point-in-time recovery and, where data is kept, deletion protection. */
export class ServiceTable extends Table {
  constructor(scope: Construct, id: string, environment: Environment, props: TableProps) {
    super(scope, id, {
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: environment.keepsData,
      removalPolicy: removalPolicyOf(environment),
      ...props,
    });
  }
}
