import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { stackId } from './pseudo-parameters.ts';

/** A stack as CloudFormation describes it. */
interface DeployedStack {
  readonly StackId: string;
  readonly StackName: string;
  readonly StackStatus: 'CREATE_COMPLETE' | 'UPDATE_COMPLETE';
  readonly EnableTerminationProtection: boolean;
}

/** The stacks that are deployed. As after a deploy by CDK, none is protected against its deletion at first. */
export class DeployedStacks {
  #byId: ReadonlyMap<string, DeployedStack> = new Map();

  /** Replaces the stacks by those of a new deployment, and returns them. */
  deploy(names: readonly string[]): readonly DeployedStack[] {
    const stacks = names.map((StackName): DeployedStack => {
      const StackId = stackId(StackName);
      const StackStatus = this.#byId.has(StackId) ? 'UPDATE_COMPLETE' : 'CREATE_COMPLETE';
      return { StackId, StackName, StackStatus, EnableTerminationProtection: false };
    });
    this.#byId = new Map(stacks.map(stack => [stack.StackId, stack]));
    return stacks;
  }

  describe(id: string): DeployedStack {
    const stack = this.#byId.get(id);
    if (stack === undefined) throw new AwsApiError('ValidationError', `Stack with id ${id} does not exist`);
    return stack;
  }

  /** Switches termination protection on or off. */
  protect(id: string, EnableTerminationProtection: boolean): void {
    this.#byId = new Map(this.#byId).set(id, { ...this.describe(id), EnableTerminationProtection });
  }
}
