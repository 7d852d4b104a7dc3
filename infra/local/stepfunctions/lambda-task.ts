import { randomUUID } from 'node:crypto';
import type { DeclaredRole } from '../iam/roles.ts';
import { arnOfFunction } from '../lambda/function-name.ts';
import type { InvokeFunction, ServiceCaller } from '../lambda/invoker.ts';
import { LambdaError } from '../lambda/lambda-error.ts';
import { LAMBDA_INVOKE } from './definition.ts';
import { TaskError } from './task-error.ts';

/** Step Functions' limit for what goes from state to state. */
export const DATA_LIMIT_BYTES = 262_144;

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
 * Invokes the function of a task, if the state machine's role may: on AWS Step Functions needs no permission of the
 * function's own. Fails as on AWS: a function's error has the name of its type, Lambda's begin with "Lambda.".
 */
export async function invokeLambdaTask(task: LambdaTask, invoke: InvokeFunction): Promise<unknown> {
  const { resource, parameters } = task;
  if (resource !== LAMBDA_INVOKE) {
    return resultOf(await invoked(task, arnOfFunction(resource), parameters, invoke));
  }
  const { FunctionName, Payload = {} } = parameters as { FunctionName?: unknown; Payload?: unknown };
  if (typeof FunctionName !== 'string') {
    const cause = `The parameter FunctionName is not a string: ${JSON.stringify(FunctionName)}`;
    throw new TaskError('States.Runtime', cause, { isTerminal: true });
  }
  const text = await invoked(task, arnOfFunction(FunctionName), Payload, invoke);
  return {
    ExecutedVersion: '$LATEST',
    Payload: resultOf(text),
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
    throw new TaskError(
      'Lambda.AWSLambdaException',
      `${denial} (Service: Lambda, Status Code: 403, Error Code: AccessDeniedException)`,
    );
  }
  const { payload, functionError } = await invoke(functionArn, event, caller).catch(lambdaFailed);
  if (functionError !== undefined) {
    const { errorType = 'Lambda.Unknown' } = JSON.parse(payload) as { errorType?: string };
    throw new TaskError(errorType, payload);
  }
  return payload;
}

function lambdaFailed(error: unknown): never {
  throw error instanceof LambdaError
    ? new TaskError(`Lambda.${error.name}`, error.message)
    : new TaskError('Lambda.SdkClientException', (error as Error).message);
}

function resultOf(payload: string): unknown {
  if (Buffer.byteLength(payload) > DATA_LIMIT_BYTES) {
    throw new TaskError(
      'States.DataLimitExceeded',
      `The function returned a result larger than ${DATA_LIMIT_BYTES} bytes.`,
      { isTerminal: true },
    );
  }
  return JSON.parse(payload);
}
