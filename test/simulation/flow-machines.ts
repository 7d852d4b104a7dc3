import { readCloudAssembly } from '../../infra/local/cloudformation/cloud-assembly.ts';
import { resolveStack } from '../../infra/local/cloudformation/stack.ts';
import { RESOURCE_TYPES } from '../../infra/local/resource-types.ts';
import type { Definition } from '../../infra/local/stepfunctions/definition.ts';
import { readDefinition } from '../../infra/local/stepfunctions/definition.ts';

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

/** The state machines of the staging stack in a cloud assembly, and the timeouts of its functions. */
export function flowMachines(assembly: string): { machines: FlowMachines; operateTimeoutMs: number } {
  const artifact = readCloudAssembly(assembly).stacks.find(({ name }) => name === 'Petstore-Staging');
  if (!artifact) throw new Error('The assembly has no stack Petstore-Staging.');
  const { resources } = resolveStack(artifact, RESOURCE_TYPES);

  const only = (type: string, prefix: string) => {
    const [found, ...others] = resources.filter(
      resource => resource.type === type && resource.logicalId.startsWith(prefix),
    );
    if (!found || others.length > 0) throw new Error(`There is not exactly one ${type} ${prefix}.`);
    return found;
  };
  const timeoutMsOf = (prefix: string) =>
    Number(only('AWS::Lambda::Function', prefix).properties.Timeout) * 1000;

  const read = (name: string): FlowMachine => {
    const machine = only('AWS::StepFunctions::StateMachine', `DomainFlow${name}`);
    const definition = readDefinition(String(machine.properties.DefinitionString), machine);
    const tasks = Object.entries(definition.States).flatMap(([state, task]) => {
      if (task.Type !== 'Task') return [];
      const { FunctionName } = task.Parameters as { FunctionName: string };
      const [prefix, step = ''] = /DomainFlow(\w+)Function/.exec(FunctionName) ?? [];
      return [[state, { name: step, timeoutMs: timeoutMsOf(prefix ?? FunctionName) }] as const];
    });
    return { definition, stepOf: new Map(tasks) };
  };

  const known: Readonly<Record<string, FlowMachine>> = { Verify: read('Verify'), Remove: read('Remove') };
  return {
    machines(name) {
      const machine = known[name];
      if (!machine) throw new Error(`There is no state machine ${name}.`);
      return machine;
    },
    operateTimeoutMs: timeoutMsOf('OperatorOperateFunction'),
  };
}
