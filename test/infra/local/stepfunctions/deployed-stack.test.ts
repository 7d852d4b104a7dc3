import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { type LocalAws, startLocalAws } from '../../../../infra/local/local-aws.ts';
import { unexpectedReport } from '../aws-api/unexpected-report.ts';
import { functionFixture, writeCloudAssembly } from '../cloud-assembly-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const fnArn = { 'Fn::GetAtt': ['Ask', 'Arn'] };

/** As CDK synthesizes it: the definition joined of text, partition and ARNs. */
const resources = {
  ...functionFixture('Ask', 'ask'),
  FlowRole: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: {} } },
  FlowPolicy: {
    Type: 'AWS::IAM::Policy',
    Properties: {
      PolicyName: 'Flow',
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Allow',
            Action: 'lambda:InvokeFunction',
            Resource: [fnArn, { 'Fn::Join': ['', [fnArn, ':*']] }],
          },
        ],
      },
      Roles: [{ Ref: 'FlowRole' }],
    },
  },
  Flow: {
    Type: 'AWS::StepFunctions::StateMachine',
    Properties: {
      DefinitionString: {
        'Fn::Join': [
          '',
          [
            '{"StartAt":"Wait","States":{"Wait":{"Type":"Wait","SecondsPath":"$.wait","Next":"Ask"},"Ask":{"Type":"Task","Resource":"arn:',
            { Ref: 'AWS::Partition' },
            ':states:::lambda:invoke","Parameters":{"FunctionName":"',
            fnArn,
            '","Payload.$":"$"},"OutputPath":"$.Payload","End":true}}}',
          ],
        ],
      },
      RoleArn: { 'Fn::GetAtt': ['FlowRole', 'Arn'] },
      TracingConfiguration: { Enabled: true },
    },
  },
};
const outputs = {
  Arn: { Value: { Ref: 'Flow' } },
  Name: { Value: { 'Fn::GetAtt': ['Flow', 'Name'] } },
};

test('a state machine of a stack runs, and its executions survive a restart', async () => {
  const assembly = writeCloudAssembly(
    temporaryFolder(),
    { Zoo: { Resources: resources, Outputs: outputs } },
    { ask: `exports.handler = async event => ({ heard: event });` },
  );
  const dynamoDbEndpoint = inject('dynamoDbEndpoint');
  const options = {
    assembly,
    port: 0,
    dataFolder: temporaryFolder(),
    dynamoDbEndpoint,
    report: unexpectedReport,
  };
  const clientOf = ({ awsEndpoint: endpoint }: LocalAws) => {
    const credentials = { accessKeyId: 'developer', secretAccessKey: 'x' };
    const client = new SFNClient({ endpoint, region: 'us-east-1', credentials });
    onTestFinished(() => client.destroy());
    return client;
  };

  const first = await startLocalAws(options);
  onTestFinished(first.stop);
  const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:Zoo-Flow';
  expect(first.outputs.get('Zoo')).toEqual({ Arn: stateMachineArn, Name: 'Zoo-Flow' });
  const { executionArn } = await clientOf(first).send(
    new StartExecutionCommand({ stateMachineArn, name: 'one', input: '{"wait":100}' }),
  );
  await first.stop();

  const second = await startLocalAws({ ...options, waitScale: 0.001 });
  onTestFinished(second.stop);
  const client = clientOf(second);
  const execution = await vi.waitFor(
    async () => {
      const described = await client.send(new DescribeExecutionCommand({ executionArn }));
      expect(described.status).not.toBe('RUNNING');
      return described;
    },
    { timeout: 120_000 },
  );
  expect(execution).toMatchObject({ status: 'SUCCEEDED', output: '{"heard":{"wait":100}}' });
});
