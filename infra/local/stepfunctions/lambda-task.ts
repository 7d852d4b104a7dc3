import { randomUUID } from 'node:crypto';
import type { DeclaredRole } from '../iam/roles.ts';
import { arnOfFunction } from '../lambda/function-configuration.ts';
import type { InvokeFunction, ServiceCaller } from '../lambda/invocation.ts';
import { LambdaError } from '../lambda/invocation.ts';
import { LAMBDA_INVOKE } from './definition.ts';
import { runtimeError, StateError } from './state-error.ts';

export interface LambdaTask {
  /** The integration lambda:invoke, or a function's ARN. */
  readonly resource: string;
  readonly parameters: unknown;
  readonly role: DeclaredRole;
  readonly caller: ServiceCaller;
  /** The session in which the role is assumed. */
  readonly sessionName: string;
}

/**
 * Invokes the function of a task if the state machine's role allows it; the function's own policy is not asked, as on
 * AWS. The name of a function's error is its type; the names of Lambda's own errors begin with "Lambda.".
 */
export async function invokeLambdaTask(task: LambdaTask, invoke: InvokeFunction): Promise<unknown> {
  const { resource, parameters } = task;
  if (resource !== LAMBDA_INVOKE) {
    return JSON.parse(await invoked(task, arnOfFunction(resource), parameters, invoke));
  }
  const { FunctionName, Payload = {} } = parameters as { FunctionName?: unknown; Payload?: unknown };
  if (typeof FunctionName !== 'string') {
    throw runtimeError(`The parameter FunctionName is not a string: ${JSON.stringify(FunctionName)}`);
  }
  const text = await invoked(task, arnOfFunction(FunctionName), Payload, invoke);
  return {
    ExecutedVersion: '$LATEST',
    Payload: JSON.parse(text),
    SdkHttpMetadata: { HttpStatusCode: 200 },
    SdkResponseMetadata: { RequestId: randomUUID() },
    StatusCode: 200,
  };
}

async function invoked(
  { role, caller, sessionName }: LambdaTask,
  functionArn: string,
  event: unknown,
  invoke: InvokeFunction,
): Promise<string> {
  const denial = role.assumedBy(sessionName).denial('lambda:InvokeFunction', functionArn);
  if (denial !== undefined) {
    throw new StateError(
      'Lambda.AWSLambdaException',
      `${denial} (Service: Lambda, Status Code: 403, Error Code: AccessDeniedException)`,
    );
  }
  const { payload, functionError } = await invoke(functionArn, event, caller).catch(lambdaFailed);
  if (functionError !== undefined) {
    const { errorType } = JSON.parse(payload) as { errorType?: string };
    throw errorType === undefined ? unknownError(payload) : new StateError(errorType, payload);
  }
  return payload;
}

function lambdaFailed(error: unknown): never {
  throw error instanceof LambdaError
    ? new StateError(`Lambda.${error.name}`, error.message)
    : new StateError('Lambda.SdkClientException', (error as Error).message);
}

function unknownError(payload: string): StateError {
  return new StateError(
    'Lambda.Unknown',
    `The cause could not be determined because Lambda did not return an error type. Returned payload: ${payload}`,
  );
}
