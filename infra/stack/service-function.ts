import { Duration, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Environment } from './environments.ts';
import { functionCode, type ShippedFiles } from './function-bundles.ts';
import type { ServiceTable } from './service-table.ts';

interface ServiceFunctionProps {
  readonly environment: Environment;
  /** A name to invoke it by; without one CloudFormation chooses. */
  readonly functionName?: string;
  /** 6 s by default: a store gives up after 2.3 s (shared/aws/retries.ts), and the rest is for a slow cold start. */
  readonly timeout?: Duration;
  readonly files?: ShippedFiles;
}

/** Conditions of a grant: operators, with the values that each condition key must have. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;

export type TableAction =
  | 'GetItem'
  | 'Query'
  | 'Scan'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

/** A Lambda function, at functions/<path>.ts, with only the permissions it is granted. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly logGroup: LogGroup;

  constructor(
    scope: Construct,
    id: string,
    path: string,
    { environment, functionName, timeout = Duration.seconds(6), files }: ServiceFunctionProps,
  ) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: environment.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Our own role: CDK would attach a managed policy that may write to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      ...(functionName && { functionName }),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: functionCode(path, files),
      role,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      // More memory means more CPU: at 1 GB, a cold start takes a third as long as at 256 MB.
      memorySize: 1024,
      timeout,
      ...(environment.tracing && { tracing: Tracing.ACTIVE }),
    });
    if (environment.tracing)
      acknowledgeWildcard(this, '*', 'X-Ray has no resources that a trace could be sent to.');
  }

  withVariable(variable: string, value: string): this {
    this.lambda.addEnvironment(variable, value);
    return this;
  }

  /** Allows the function an action on resources that are not tables. */
  allow(action: string, ...resources: string[]): this {
    return this.allowIf({}, action, ...resources);
  }

  /** Allows actions where a request meets the conditions. */
  allowIf(conditions: Conditions, action: string, ...resources: string[]): this {
    this.lambda.addToRolePolicy(
      new PolicyStatement({ actions: [action], resources, conditions: { ...conditions } }),
    );
    return this;
  }

  /** Invokes the function on a schedule. The rule is a part of the scope. */
  runEvery(period: Duration, scope: Construct, id: string, description: string): void {
    new Rule(scope, id, {
      description,
      schedule: Schedule.rate(period),
      targets: [new targets.LambdaFunction(this.lambda)],
    });
  }

  /** Gives the function the table's name, and allows it these actions on the table, and queries of the named indexes. */
  grantTable(
    table: ServiceTable,
    variable: string,
    actions: readonly TableAction[],
    indexes: readonly string[] = [],
  ): this {
    this.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: actions.map(action => `dynamodb:${action}`),
        resources: [table.tableArn],
      }),
    );
    const indexArns = indexes.map(index => `${table.tableArn}/index/${index}`);
    if (indexArns.length > 0) this.allow('dynamodb:Query', ...indexArns);
    return this.withVariable(variable, table.tableName);
  }
}

/** Explains a wildcard in a function's permissions, which cdk-nag would reject otherwise. */
export function acknowledgeWildcard(scope: Construct, resource: string, reason: string): void {
  const id = findingId(scope, `AwsSolutions-IAM5[Resource::${resource}]`);
  Validations.of(scope).acknowledge({ id, reason });
}

/** A finding's id as cdk-nag writes it: a stack pinned to an account or region has literal ARNs. */
function findingId(scope: Construct, id: string): string {
  const { partition, region, account } = Stack.of(scope);
  const pinned = (value: string, placeholder: string) => (Token.isUnresolved(value) ? placeholder : value);
  return id
    .replaceAll('<AWS::Partition>', pinned(partition, '<AWS::Partition>'))
    .replaceAll('<AWS::Region>', pinned(region, '<AWS::Region>'))
    .replaceAll('<AWS::AccountId>', pinned(account, '<AWS::AccountId>'));
}
