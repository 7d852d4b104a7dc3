import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { nameOf, noEffect, type ResourceType } from '../cloudformation/resource-type.ts';

/** AWS::StepFunctions::StateMachine. */
export const StateMachineProperties = z.strictObject({
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
