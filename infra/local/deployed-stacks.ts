import * as z from 'zod';
import { AwsApiError, notSupported } from './aws-api/aws-api-error.ts';
import { sendXmlError } from './aws-api/http-messages.ts';
import { operation } from './aws-api/operation.ts';
import {
  type AwsService,
  acceptedBody,
  awsService,
  performOperation,
  type ServiceApi,
} from './aws-api/service-api.ts';
import { stackId } from './cloudformation/pseudo-parameters.ts';

/** A stack as CloudFormation describes it. */
interface DeployedStack {
  readonly StackId: string;
  readonly StackName: string;
  readonly StackStatus: 'CREATE_COMPLETE' | 'UPDATE_COMPLETE';
  readonly CreationTime: string;
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
        CreationTime: CreationTime ?? new Date().toISOString(),
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
  const describeStacks = operation({
    name: 'DescribeStacks',
    input: z.strictObject({ StackName: z.string() }),
    resource: ({ StackName }) => StackName,
    perform: ({ StackName }) => stacks.describe(StackName),
  });
  const api: ServiceApi = {
    title: 'CloudFormation',
    sdk: () => import('@aws-sdk/client-cloudformation').then(sdk => [sdk, sdk.CloudFormationClient]),
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
