import type { CloudFormationClientConfig } from '@aws-sdk/client-cloudformation';

export interface DeployedStack {
  readonly status: string;
  readonly isProtected: boolean;
  /** The physical ids of the resources of a type that exist, or of those whose logical ids begin so. */
  resourcesOf(type: string, logicalId?: string): readonly string[];
}

/** The stack with its resources; undefined if there is none of this name. */
export async function readStack(
  stackName: string,
  options: CloudFormationClientConfig,
): Promise<DeployedStack | undefined> {
  const { CloudFormationClient, DescribeStacksCommand, paginateListStackResources } = await import(
    '@aws-sdk/client-cloudformation'
  );
  const client = new CloudFormationClient(options);
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const pages = await Array.fromAsync(paginateListStackResources({ client }, { StackName: stackName }));
    const resources = pages
      .flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries)
      .filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE');
    return {
      status: stack?.StackStatus ?? 'UNKNOWN',
      isProtected: stack?.EnableTerminationProtection ?? false,
      resourcesOf: (type, begin = '') =>
        resources
          .filter(
            ({ ResourceType, LogicalResourceId }) =>
              ResourceType === type && LogicalResourceId?.startsWith(begin),
          )
          .map(({ PhysicalResourceId = '' }) => PhysicalResourceId),
    };
  } catch (error) {
    // CloudFormation has no name of its own for this error.
    const isAbsent =
      (error as Error).name === 'ValidationError' && /not exist/.test((error as Error).message);
    if (isAbsent) return undefined;
    throw error;
  }
}

/** The stack protects itself again within an hour: a deletion is to follow at once. */
export function unprotectCommandOf(stackName: string): string {
  return `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${stackName}`;
}
