import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import {
  nameOf,
  noEffect,
  type Resource,
  type ResourceType,
  refusal,
  resourcesOf,
} from '../cloudformation/resource-type.ts';
import type { DeclaredRole } from '../iam/roles.ts';
import { type Definition, readDefinition } from './definition.ts';

/** AWS::StepFunctions::StateMachine. */
const StateMachineProperties = z.strictObject({
  StateMachineName: z.string().optional(),
  StateMachineType: z.literal('STANDARD').default('STANDARD'),
  DefinitionString: z.string(),
  RoleArn: z.string(),
  LoggingConfiguration: noEffect,
  Tags: noEffect,
  TracingConfiguration: noEffect,
});

export const stateMachineArn = (name: string) => regionalArn('states', `stateMachine:${name}`);

export const stateMachineType: ResourceType = {
  properties: StateMachineProperties,
  ref: declaration => stateMachineArn(nameOf(declaration, 'StateMachineName')),
  attributes: {
    Arn: declaration => stateMachineArn(nameOf(declaration, 'StateMachineName')),
    Name: declaration => nameOf(declaration, 'StateMachineName'),
  },
};

/** A state machine that a stack declares. */
export interface DeclaredStateMachine {
  readonly arn: string;
  readonly name: string;
  readonly role: DeclaredRole;
  readonly definition: Definition;
}

export function declaredStateMachines(
  resources: readonly Resource[],
  roles: ReadonlyMap<string, DeclaredRole>,
): DeclaredStateMachine[] {
  return resourcesOf('AWS::StepFunctions::StateMachine', StateMachineProperties, resources).map(resource => {
    const { DefinitionString, RoleArn } = resource.properties;
    const role = roles.get(RoleArn);
    if (role === undefined) throw refusal(resource, `no stack declares its role ${RoleArn}`);
    return {
      arn: resource.physicalId,
      name: resource.physicalId.replace(/^.*:/, ''),
      role,
      definition: readDefinition(DefinitionString, resource),
    };
  });
}
