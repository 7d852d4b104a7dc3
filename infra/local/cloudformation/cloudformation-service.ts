import * as z from 'zod';
import { notSupported } from '../aws-api/aws-api-error.ts';
import { sendXmlError } from '../aws-api/http-messages.ts';
import { operation } from '../aws-api/operation.ts';
import { type AwsService, acceptedBody, awsService, performOperation } from '../aws-api/service-api.ts';
import type { DeployedStacks } from './deployed-stacks.ts';

/** CloudFormation's DescribeStacks of a stack by its id. */
export function cloudFormationService(stacks: DeployedStacks): AwsService {
  const describeStacks = operation({
    name: 'DescribeStacks',
    input: z.strictObject({ StackName: z.string() }),
    resource: ({ StackName }) => StackName,
    perform: ({ StackName }) => stacks.describe(StackName),
  });
  const api = {
    title: 'CloudFormation',
    actionPrefix: 'cloudformation',
    operations: [describeStacks],
    errorNames: { accessDenied: 'AccessDenied', invalidInput: 'ValidationError' },
  };
  return awsService(
    api,
    async call => {
      const parameters = new URLSearchParams(acceptedBody(api, call).toString());
      const { Action, Version, ...input } = Object.fromEntries(parameters);
      if (Action !== describeStacks.name || Version !== '2010-05-15')
        throw notSupported(`The action ${Action} of the CloudFormation API`);
      const stack = (await performOperation(api, { operation: describeStacks, input }, call)) as object;
      const members = Object.entries(stack).map(([name, value]) => `<${name}>${value}</${name}>`);
      const result = `<DescribeStacksResult><Stacks><member>${members.join('')}</member></Stacks></DescribeStacksResult>`;
      call.response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(`<DescribeStacksResponse>${result}</DescribeStacksResponse>`);
    },
    ({ response, requestId }, status, error) => sendXmlError(response, status, error, requestId),
  );
}
