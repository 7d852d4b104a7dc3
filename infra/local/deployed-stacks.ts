import * as z from 'zod';
import { AwsApiError } from './aws-api/aws-api-error.ts';
import { awsService } from './aws-api/aws-service.ts';
import { operationOf } from './aws-api/operation.ts';
import type { AwsService } from './aws-api/service-api.ts';
import { stackId } from './cloudformation/pseudo-parameters.ts';

const operation = operationOf<typeof import('@aws-sdk/client-cloudformation')>();

/** A stack as CloudFormation describes it. */
interface DeployedStack {
  readonly StackId: string;
  readonly StackName: string;
  readonly StackStatus: 'CREATE_COMPLETE' | 'UPDATE_COMPLETE';
  readonly CreationTime: Date;
  readonly EnableTerminationProtection: boolean;
}

/** The stacks that are deployed. As after a deploy by CDK, none is protected against its deletion at first. */
export class DeployedStacks {
  #byId: ReadonlyMap<string, DeployedStack> = new Map();

  /** Replaces the stacks by those of a new deployment, and returns them. */
  deploy(names: readonly string[]): readonly DeployedStack[] {
    const stacks = names.map((StackName): DeployedStack => {
      const StackId = stackId(StackName);
      const { CreationTime } = this.#byId.get(StackId) ?? {};
      return {
        StackId,
        StackName,
        StackStatus: CreationTime === undefined ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE',
        CreationTime: CreationTime ?? new Date(),
        EnableTerminationProtection: false,
      };
    });
    this.#byId = new Map(stacks.map(stack => [stack.StackId, stack]));
    return stacks;
  }

  describe(id: string): DeployedStack {
    const stack = this.#byId.get(id);
    if (stack === undefined) throw new AwsApiError('ValidationError', `Stack with id ${id} does not exist`);
    return stack;
  }
}

/** CloudFormation's DescribeStacks of a stack by its id. */
export function cloudFormationService(stacks: DeployedStacks): AwsService {
  return awsService({
    title: 'CloudFormation',
    sdk: () => import('@aws-sdk/client-cloudformation').then(sdk => [sdk, sdk.CloudFormationClient]),
    actionPrefix: 'cloudformation',
    operations: [
      operation({
        name: 'DescribeStacks',
        input: z.strictObject({ StackName: z.string() }),
        resource: ({ StackName }) => StackName,
        perform: ({ StackName }) => ({ Stacks: [stacks.describe(StackName)] }),
      }),
    ],
    errorNames: { accessDenied: 'AccessDenied', invalidInput: 'ValidationError' },
  });
}
