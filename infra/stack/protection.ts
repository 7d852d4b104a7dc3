import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import {
  Choice,
  Condition,
  DefinitionBody,
  JsonPath,
  Map as MapState,
  StateMachine,
  Succeed,
} from 'aws-cdk-lib/aws-stepfunctions';
import { CallAwsService } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { acknowledgeMachine } from './domain-flow.ts';
import { ServiceTable } from './service-table.ts';

/** The statuses of a stack that has been deployed at least once, and that no deploy is changing. */
const DEPLOYED = ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'];

/** A table that is being changed refuses another change: from 5 s, doubling up to a minute, 75 s + 9 × 60 s in all. */
const RETRY = {
  errors: ['States.TaskFailed'],
  interval: Duration.seconds(5),
  backoffRate: 2,
  maxDelay: Duration.minutes(1),
  maxAttempts: 13,
};

/**
 * Protects the tables and then the stack against deletion once a deploy has succeeded. In the template, the protection
 * would come too early: CloudFormation could not roll back a first deploy that failed, nor could CDK delete the stack to
 * deploy it again. CDK switches termination protection off at every deploy, also at one without changes, which emits no
 * event: hence the schedule. Tables are looked at in any case: somebody may have switched off the protection of one.
 */
export class Protection extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const stack = Stack.of(this);
    const tables = stack.node.findAll().filter(construct => construct instanceof ServiceTable);

    const describeTable = new CallAwsService(this, 'Describe the table', {
      service: 'dynamodb',
      action: 'describeTable',
      iamAction: 'dynamodb:DescribeTable',
      iamResources: tables.map(({ tableArn }) => tableArn),
      parameters: { TableName: JsonPath.stringAt('$') },
    });
    const protectTable = new CallAwsService(this, 'Protect the table', {
      service: 'dynamodb',
      action: 'updateTable',
      iamAction: 'dynamodb:UpdateTable',
      iamResources: tables.map(({ tableArn }) => tableArn),
      parameters: {
        TableName: JsonPath.stringAt('$.Table.TableName'),
        DeletionProtectionEnabled: true,
      },
    });
    const isTableProtected = '$.Table.DeletionProtectionEnabled';
    const protectTables = new MapState(this, 'Protect the tables', {
      itemsPath: '$.tables',
      resultPath: JsonPath.DISCARD,
      maxConcurrency: 1,
    }).itemProcessor(
      describeTable.next(
        new Choice(this, 'Table protected?')
          .when(Condition.isNotPresent(isTableProtected), protectTable)
          .when(Condition.booleanEquals(isTableProtected, false), protectTable)
          .otherwise(new Succeed(this, 'The table is protected')),
      ),
    );

    const describeStack = new CallAwsService(this, 'Describe the stack', {
      service: 'cloudformation',
      action: 'describeStacks',
      iamAction: 'cloudformation:DescribeStacks',
      iamResources: [stack.stackId],
      parameters: { StackName: stack.stackId },
      resultSelector: {
        stack: JsonPath.objectAt('$.Stacks[0]'),
        tables: tables.map(({ tableName }) => tableName),
      },
    });
    const protectStack = new CallAwsService(this, 'Protect the stack', {
      service: 'cloudformation',
      action: 'updateTerminationProtection',
      iamAction: 'cloudformation:UpdateTerminationProtection',
      iamResources: [stack.stackId],
      parameters: { StackName: stack.stackId, EnableTerminationProtection: true },
    });
    for (const task of [describeTable, protectTable, describeStack, protectStack]) task.addRetry(RETRY);
    const isStackProtected = '$.stack.EnableTerminationProtection';
    const nothingToDo = new Succeed(this, 'Nothing to do');
    protectTables.next(
      new Choice(this, 'Stack protected?')
        .when(Condition.isNotPresent(isStackProtected), protectStack)
        .when(Condition.booleanEquals(isStackProtected, false), protectStack)
        .otherwise(nothingToDo),
    );
    const isDeployed = new Choice(this, 'Stack deployed?').otherwise(nothingToDo);
    for (const status of DEPLOYED) {
      isDeployed.when(Condition.stringEquals('$.stack.StackStatus', status), protectTables);
    }

    const machine = new StateMachine(this, 'Protection', {
      definitionBody: DefinitionBody.fromChainable(describeStack.next(isDeployed)),
    });
    acknowledgeMachine(machine, 'It calls nothing of the service that could be traced.');
    new Rule(this, 'Deployed', {
      description: 'Tables and stack are protected against deletion.',
      schedule: Schedule.rate(Duration.hours(1)),
      eventPattern: {
        source: ['aws.cloudformation'],
        detailType: ['CloudFormation Stack Status Change'],
        detail: { 'stack-id': [stack.stackId], 'status-details': { status: DEPLOYED } },
      },
      targets: [new SfnStateMachine(machine)],
    });
  }
}
