import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { controlPlaneClient } from '../aws/control-plane.ts';
import { DEPLOYED_STACK_STATUSES } from './project-choices.ts';

/** The last deploy of a stack, as CloudFormation describes it. */
export function stackDeploy(StackName: string) {
  const client = controlPlaneClient(CloudFormationClient);
  return {
    async hasSucceeded(): Promise<boolean> {
      const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
      return DEPLOYED_STACK_STATUSES.includes(String(stack?.StackStatus));
    },
  };
}
