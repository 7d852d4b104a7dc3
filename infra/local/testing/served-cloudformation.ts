import { cloudFormationService, DeployedStacks } from '../deployed-stacks.ts';
import type { Principal } from '../iam/principal.ts';
import { serveEndpoint } from './served-endpoint.ts';

/** CloudFormation on a free port until the test has finished, with one stack: deployed, or with this status. */
export async function serveCloudFormation(stackName: string, StackStatus = '', principal?: Principal) {
  const stacks = new DeployedStacks();
  const [{ StackId = '' } = {}] = stacks.deploy([stackName]);
  if (StackStatus) stacks.describe = () => ({ StackId, StackStatus }) as never;
  const { endpoint } = await serveEndpoint({ cloudformation: cloudFormationService(stacks) }, principal);
  return { endpoint, stackId: StackId };
}
