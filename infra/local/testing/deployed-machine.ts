import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { onTestFinished, vi } from 'vitest';
import { awsService } from '../aws-api/aws-service.ts';
import type { Resource } from '../cloudformation/resource-type.ts';
import type { Principal } from '../iam/principal.ts';
import { declaredRoles } from '../iam/roles.ts';
import { functionArn } from '../lambda/function-configuration.ts';
import type { InvokeFunction } from '../lambda/invocation.ts';
import { Executions } from '../stepfunctions/executions.ts';
import { declaredStateMachines, stateMachineArn } from '../stepfunctions/state-machines.ts';
import { stepFunctionsApi } from '../stepfunctions/step-functions-service.ts';
import { serveEndpoint } from './served-endpoint.ts';

export const MACHINE_ARN = stateMachineArn('Flow');
export const FUNCTION_ARN = functionArn('fn');

/** A task that invokes the function fn. */
export const INVOKE = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: FUNCTION_ARN, 'Payload.$': '$' },
  OutputPath: '$.Payload',
} as const;

/** The resources of a state machine named Flow whose role may invoke the given functions. */
export function machineResources(definition: unknown, mayInvoke: string[] = ['*']): Resource[] {
  const stack = 'Zoo';
  return [
    {
      stack,
      logicalId: 'Role',
      type: 'AWS::IAM::Role',
      physicalId: 'FlowRole',
      properties: {
        AssumeRolePolicyDocument: {},
        Policies: [
          {
            PolicyName: 'Inline',
            PolicyDocument: {
              Statement: { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: mayInvoke },
            },
          },
        ],
      },
    },
    {
      stack,
      logicalId: 'Flow',
      type: 'AWS::StepFunctions::StateMachine',
      physicalId: MACHINE_ARN,
      properties: {
        DefinitionString: typeof definition === 'string' ? definition : JSON.stringify(definition),
        RoleArn: 'arn:aws:iam::000000000000:role/FlowRole',
      },
    },
  ];
}

export function declared(definition: unknown, mayInvoke?: string[]) {
  const resources = machineResources(definition, mayInvoke);
  return declaredStateMachines(resources, declaredRoles(resources));
}

/** What a function returns or throws. */
export type FunctionBody = (event: never) => unknown;

/** Lambda with one function, fn. An error that it throws is a function error. */
export function lambda(fn: FunctionBody): InvokeFunction {
  return async (_, event) => {
    try {
      return { payload: JSON.stringify((await fn(event as never)) ?? null) };
    } catch (error) {
      const { name: errorType, message: errorMessage } = error as Error;
      return { payload: JSON.stringify({ errorType, errorMessage }), functionError: 'Unhandled' };
    }
  };
}

export interface MachineOptions {
  readonly mayInvoke?: string[];
  readonly principal?: Principal;
  readonly waitScale?: number;
  readonly file?: string;
  /** The clock of the API's rates. */
  readonly now?: () => number;
}

/** A deployed state machine behind the Step Functions API, and a client of it. */
export async function deployedMachine(
  definition: unknown,
  invoke: InvokeFunction,
  { mayInvoke, principal, waitScale = 0.001, file, now = Date.now }: MachineOptions = {},
) {
  const executions = new Executions({ invoke, waitScale, file });
  executions.deploy(declared(definition, mayInvoke));
  const services = { states: awsService(stepFunctionsApi({ executions, waitScale, now })) };
  const { endpoint, clientOptions } = await serveEndpoint(services, principal);
  const client = new SFNClient(clientOptions);
  onTestFinished(() => {
    executions.close();
    client.destroy();
  });
  const ended = (executionArn: string | undefined) =>
    vi.waitFor(
      async () => {
        const execution = await client.send(new DescribeExecutionCommand({ executionArn }));
        if (execution.status === 'RUNNING') throw new Error('still running');
        return execution;
      },
      { interval: 5, timeout: 120_000 },
    );
  return {
    endpoint,
    client,
    executions,
    ended,
    /** Runs an execution to its end. */
    async run(input: unknown = {}, name?: string) {
      const { executionArn } = await client.send(
        new StartExecutionCommand({ stateMachineArn: MACHINE_ARN, name, input: JSON.stringify(input) }),
      );
      return ended(executionArn);
    },
  };
}

/** An error as functions throw it. */
export function named(name: string, message = ''): Error {
  return Object.assign(new Error(message), { name });
}
