import { DescribeTableCommand, DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { DescribeExecutionCommand, ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startLocalAws } from '../../local-aws.ts';
import { unexpectedReport } from '../aws-api/served-endpoint.ts';
import { writeCloudAssembly } from '../cloud-assembly-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const call = (operation: string, Parameters: object, more: object) => ({
  Type: 'Task',
  Resource: `arn:aws:states:::aws-sdk:${operation}`,
  Parameters,
  ...more,
});

const MACHINE_ARN = 'arn:aws:states:us-east-1:000000000000:stateMachine:Guarded-Flow';
const STACK_ARN = 'arn:aws:cloudformation:us-east-1:000000000000:stack/Guarded/local';

const definition = {
  StartAt: 'Describe',
  States: {
    Describe: call(
      'cloudformation:describeStacks',
      { StackName: STACK_ARN },
      {
        ResultSelector: { 'stack.$': '$.Stacks[0]', tables: ['Guarded-Table'] },
        Next: 'Protected?',
      },
    ),
    'Protected?': {
      Type: 'Choice',
      Choices: [
        { Variable: '$.stack.Nothing', IsPresent: true, Next: 'Wrong' },
        { Variable: '$.stack.EnableTerminationProtection', BooleanEquals: false, Next: 'Each' },
      ],
      Default: 'Wrong',
    },
    Wrong: { Type: 'Fail' },
    Each: {
      Type: 'Map',
      ItemsPath: '$.tables',
      MaxConcurrency: 1,
      ItemProcessor: {
        ProcessorConfig: { Mode: 'INLINE' },
        StartAt: 'Look',
        States: {
          Look: call('dynamodb:describeTable', { 'TableName.$': '$' }, { Next: 'Protect' }),
          Protect: call(
            'dynamodb:updateTable',
            { 'TableName.$': '$.Table.TableName', DeletionProtectionEnabled: true },
            { End: true },
          ),
        },
      },
      Next: 'Protect the stack',
    },
    'Protect the stack': call(
      'cloudformation:updateTerminationProtection',
      { StackName: STACK_ARN, EnableTerminationProtection: true },
      { Next: 'See' },
    ),
    See: call('cloudformation:describeStacks', { StackName: STACK_ARN }, { End: true }),
  },
};

const roleOf = (...Action: string[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {},
    Policies: [
      { PolicyName: 'Inline', PolicyDocument: { Statement: [{ Effect: 'Allow', Action, Resource: '*' }] } },
    ],
  },
});

/** Deploys a stack whose rule starts the state machine when the stack is deployed, and returns how that ended. */
async function deployed(...actions: string[]) {
  const assembly = writeCloudAssembly(
    temporaryFolder(),
    {
      Guarded: {
        Resources: {
          Table: {
            Type: 'AWS::DynamoDB::Table',
            Properties: {
              AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
              KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
            },
          },
          Role: roleOf(...actions),
          RuleRole: roleOf('states:StartExecution'),
          Flow: {
            Type: 'AWS::StepFunctions::StateMachine',
            Properties: {
              DefinitionString: JSON.stringify(definition),
              RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
            },
          },
          Deployed: {
            Type: 'AWS::Events::Rule',
            Properties: {
              EventPattern: { detail: { 'status-details': { status: ['CREATE_COMPLETE'] } } },
              Targets: [{ Id: 'T', Arn: { Ref: 'Flow' }, RoleArn: { 'Fn::GetAtt': ['RuleRole', 'Arn'] } }],
            },
          },
        },
      },
    },
    {},
  );
  const dynamoDbEndpoint = inject('dynamoDbEndpoint');
  const aws = await startLocalAws({ assembly, port: 0, dynamoDbEndpoint, report: unexpectedReport });
  onTestFinished(aws.stop);
  const { awsEndpoint: endpoint, awsCredentials: credentials } = aws;
  const sfn = new SFNClient({ endpoint, region: 'us-east-1', credentials });
  const dynamoDb = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  onTestFinished(() => {
    sfn.destroy();
    dynamoDb.destroy();
  });
  const { executions = [] } = await sfn.send(new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN }));
  expect(executions).toHaveLength(1);
  const { executionArn } = executions[0] ?? {};
  const describe = () => sfn.send(new DescribeExecutionCommand({ executionArn }));
  await expect.poll(async () => (await describe()).status).not.toBe('RUNNING');
  return { execution: await describe(), dynamoDb };
}

test('a task calls CloudFormation and DynamoDB in the name of the role, when its rule has matched', async () => {
  const { execution, dynamoDb } = await deployed('cloudformation:*', 'dynamodb:*Table');
  expect(execution).toMatchObject({ status: 'SUCCEEDED' });
  expect(JSON.parse(execution.output ?? '')).toEqual({
    Stacks: [
      {
        StackId: STACK_ARN,
        StackName: 'Guarded',
        CreationTime: expect.any(String),
        StackStatus: 'CREATE_COMPLETE',
        EnableTerminationProtection: true,
      },
    ],
  });
  const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName: 'Guarded-Table' }));
  expect(Table?.DeletionProtectionEnabled).toBe(true);
  await dynamoDb.send(
    new UpdateTableCommand({ TableName: 'Guarded-Table', DeletionProtectionEnabled: false }),
  );
});

test('a call that the role is not granted fails the execution, by the name of the service’s error', async () => {
  const { execution } = await deployed('cloudformation:*', 'dynamodb:DescribeTable');
  expect(execution).toMatchObject({
    status: 'FAILED',
    error: 'DynamoDb.DynamoDbException',
    cause: expect.stringContaining('dynamodb:UpdateTable on resource: arn:aws:dynamodb:'),
  });
});
