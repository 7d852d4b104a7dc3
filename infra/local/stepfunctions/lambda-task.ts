import type { DeclaredRole } from '../iam/roles.ts';
import { arnOfFunction } from '../lambda/function-configuration.ts';
import { type InvokeFunction, LambdaError, type ServiceCaller } from '../lambda/invocation.ts';
import type { TaskAttempt } from './interpreter.ts';
import { StateError } from './state-error.ts';

interface LambdaTask extends Pick<TaskAttempt, 'parameters'> {
  readonly role: DeclaredRole;
  readonly caller: ServiceCaller;
  /** The session in which the role is assumed. */
  readonly sessionName: string;
  readonly requestId: string;
}

/**
 * Invokes the function of a task if the state machine's role allows it; the function's own policy is not checked, as on
 * AWS. The name of a function's error is its type; the names of Lambda's own errors begin with "Lambda.".
 */
export async function invokeLambdaTask(
  { parameters, role, caller, sessionName, requestId }: LambdaTask,
  invoke: InvokeFunction,
): Promise<unknown> {
  const functionArn = arnOfFunction(parameters.FunctionName);
  const denial = role.assumedBy(sessionName).denial('lambda:InvokeFunction', functionArn);
  if (denial !== undefined) {
    throw new StateError(
      'Lambda.AWSLambdaException',
      `${denial} (Service: Lambda, Status Code: 403, Error Code: AccessDeniedException)`,
    );
  }
  const { payload, functionError } = await invoke(functionArn, parameters.Payload, caller).catch(
    lambdaFailed,
  );
  if (functionError !== undefined) throw taskError(payload);
  return {
    ExecutedVersion: '$LATEST',
    Payload: JSON.parse(payload),
    SdkHttpMetadata: { HttpStatusCode: 200 },
    SdkResponseMetadata: { RequestId: requestId },
    StatusCode: 200,
  };
}

function lambdaFailed(error: unknown): never {
  throw error instanceof LambdaError
    ? new StateError(`Lambda.${error.name}`, error.message)
    : new StateError('Lambda.SdkClientException', (error as Error).message);
}

function taskError(payload: string): StateError {
  const { errorType } = JSON.parse(payload) as { errorType?: string };
  if (errorType !== undefined) return new StateError(errorType, payload);
  return new StateError(
    'Lambda.Unknown',
    `The cause could not be determined because Lambda did not return an error type. Returned payload: ${payload}`,
  );
}
