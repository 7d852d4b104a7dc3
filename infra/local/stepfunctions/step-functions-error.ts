import { AwsApiError } from '../aws-api-error.ts';

/** The errors of the Step Functions API that occur here. */
type StepFunctionsErrorName =
  | 'AccessDeniedException'
  | 'ExecutionAlreadyExists'
  | 'ExecutionDoesNotExist'
  | 'InvalidExecutionInput'
  | 'InvalidName'
  | 'InvalidToken'
  | 'StateMachineDoesNotExist'
  | 'UnknownOperationException'
  | 'ValidationException';

/** An error of the Step Functions API, known by its name as clients know it. */
export class StepFunctionsError extends AwsApiError<StepFunctionsErrorName> {}
