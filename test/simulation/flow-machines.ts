import { inject } from 'vitest';
import { readCloudAssembly } from '../../infra/local/cloudformation/cloud-assembly.ts';
import { RESOURCE_TYPES } from '../../infra/local/cloudformation/resource-types.ts';
import { resolveStack } from '../../infra/local/cloudformation/stack.ts';
import { declaredRoles } from '../../infra/local/iam/roles.ts';
import type { Definition } from '../../infra/local/stepfunctions/definition.ts';
import { declaredStateMachines } from '../../infra/local/stepfunctions/state-machines.ts';

/** A function of a flow, by the name of its construct. */
export interface Step {
  readonly name: string;
  readonly timeoutMs: number;
}

export interface FlowMachine {
  readonly definition: Definition;
  /** The function of each task, by the name of its state. */
  readonly stepOf: ReadonlyMap<string, Step>;
}

export type FlowMachines = (name: string) => FlowMachine;

/** The state machines of the staging stack as they are synthesized, with the functions that they invoke. */
export function flowMachines(): { machines: FlowMachines; operateTimeoutMs: number } {
  const artifact = readCloudAssembly(inject('assembly')).stacks.find(({ name }) => name === 'Petstore-Staging');
  if (!artifact) throw new Error('The assembly has no stack Petstore-Staging.');
  const { resources } = resolveStack(artifact, RESOURCE_TYPES);
  const declared = declaredStateMachines(resources, declaredRoles(resources));
  const timeoutMsOf = (functionName: string) => {
    const found = resources.find(({ physicalId, logicalId }) =>
      [physicalId, logicalId].some(id => functionName.includes(id)),
    );
    return Number(found?.properties.Timeout) * 1000;
  };
  const read = (name: string): FlowMachine => {
    const machine = declared.find(other => other.name.includes(`DomainFlow${name}`));
    if (!machine) throw new Error(`The stack has no state machine ${name}.`);
    const { definition } = machine;
    const stepOf = new Map<string, Step>();
    for (const [state, { Type, ...rest }] of Object.entries(definition.States)) {
      if (Type !== 'Task') continue;
      const { FunctionName = '' } = (rest as { Parameters: { FunctionName?: string } }).Parameters;
      const [, step = ''] = /DomainFlow(\w+?)Function/.exec(FunctionName) ?? [];
      stepOf.set(state, { name: step, timeoutMs: timeoutMsOf(FunctionName) });
    }
    return { definition, stepOf };
  };
  const known = new Map(['Verify', 'Remove'].map(name => [name, read(name)]));
  const operate = resources.find(({ logicalId }) => logicalId.startsWith('OperatorOperateFunction'));
  return {
    machines: name => known.get(name) ?? read(name),
    operateTimeoutMs: Number(operate?.properties.Timeout) * 1000,
  };
}
