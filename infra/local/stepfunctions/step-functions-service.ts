import { constraintMessage } from '../aws-api/constraint-message.ts';
import { type JsonApi, jsonService } from '../aws-api/json-protocol.ts';
import type { AwsService } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { accountRates } from './account-rates.ts';
import { executionOperations } from './execution-operations.ts';
import type { Executions } from './executions.ts';
import { stateMachineOperations } from './state-machine-operations.ts';
import { STEP_FUNCTIONS_STATUS_BY_ERROR } from './step-functions-error.ts';

/** Step Functions' limit for a request. */
const BODY_LIMIT_BYTES = 1_048_576;

export interface StepFunctionsOptions {
  readonly executions: Executions;
  readonly waitScale?: number;
  now?(): number;
}

/** The Step Functions API. */
export function stepFunctionsApi({
  executions,
  waitScale = 1,
  now = Date.now,
}: StepFunctionsOptions): JsonApi {
  const rates = accountRates({ waitScale, now });
  return {
    title: 'Step Functions',
    actionPrefix: 'states',
    targetPrefix: 'AWSStepFunctions',
    jsonVersion: '1.0',
    operations: [...executionOperations(executions, rates), ...stateMachineOperations(executions, rates)],
    model: () => loadServiceModel('stepfunctions'),
    statusByError: STEP_FUNCTIONS_STATUS_BY_ERROR,
    errorNames: {
      accessDenied: 'AccessDeniedException',
      invalidInput: 'ValidationException',
      unreadableRequest: 'SerializationException',
      bodyTooLarge: 'ValidationException',
    },
    describeIssues: constraintMessage,
    bodyLimitBytes: BODY_LIMIT_BYTES,
  };
}

export function stepFunctionsService(options: StepFunctionsOptions): AwsService {
  return jsonService(stepFunctionsApi(options));
}
