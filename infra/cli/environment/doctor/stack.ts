import type { CloudFormationClientConfig } from '@aws-sdk/client-cloudformation';

/** The stack of an environment, as CloudFormation has it. */
export interface DeployedStack {
  readonly status: string;
  readonly isProtected: boolean;
  /** The physical ids of the resources of a type. */
  resourcesOf(type: string): readonly string[];
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
    const resources: { type: string; id: string }[] = [];
    for await (const page of paginateListStackResources({ client }, { StackName: stackName })) {
      for (const { ResourceType = '', PhysicalResourceId = '' } of page.StackResourceSummaries ?? []) {
        resources.push({ type: ResourceType, id: PhysicalResourceId });
      }
    }
    return {
      status: stack?.StackStatus ?? 'UNKNOWN',
      isProtected: stack?.EnableTerminationProtection ?? false,
      resourcesOf: wanted => resources.filter(({ type }) => type === wanted).map(({ id }) => id),
    };
  } catch (error) {
    // CloudFormation has no name of its own for this error.
    const isAbsent =
      (error as Error).name === 'ValidationError' && /not exist/.test((error as Error).message);
    if (isAbsent) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}
