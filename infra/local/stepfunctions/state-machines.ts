import { parseProperties, refusal } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import type { DeclaredRole } from '../iam/roles.ts';
import type { Definition } from './definition.ts';
import { readDefinition } from './read-definition.ts';
import { StateMachineProperties } from './state-machine-type.ts';

/** A state machine that a stack declares. */
export interface DeclaredStateMachine {
  readonly arn: string;
  readonly name: string;
  readonly roleArn: string;
  readonly role: DeclaredRole;
  readonly definition: Definition;
  /** As the template has it. */
  readonly definitionText: string;
}

export function declaredStateMachines(
  resources: readonly Resource[],
  roles: ReadonlyMap<string, DeclaredRole>,
): DeclaredStateMachine[] {
  return resources
    .filter(({ type }) => type === 'AWS::StepFunctions::StateMachine')
    .map(resource => {
      const { DefinitionString, RoleArn } = parseProperties(
        StateMachineProperties,
        resource.properties,
        resource,
      );
      const role = roles.get(RoleArn);
      if (role === undefined) {
        throw refusal(resource, `no stack declares its role ${RoleArn}`);
      }
      return {
        arn: resource.physicalId,
        name: resource.physicalId.replace(/^.*:/, ''),
        roleArn: RoleArn,
        role,
        definition: readDefinition(DefinitionString, resource),
        definitionText: DefinitionString,
      };
    });
}
