import { AwsApiError } from '../aws-api/aws-api-error.ts';

/** The errors of the Step Functions API and their HTTP status. */
export const STEP_FUNCTIONS_STATUS_BY_ERROR = {
  AccessDeniedException: 400,
  ExecutionAlreadyExists: 400,
  ExecutionDoesNotExist: 400,
  InvalidExecutionInput: 400,
  InvalidName: 400,
  InvalidToken: 400,
  SerializationException: 400,
  StateMachineDoesNotExist: 400,
  ThrottlingException: 400,
  ValidationException: 400,
};

/** AwsApiError with the names of the table above. */
export const StepFunctionsError = AwsApiError<keyof typeof STEP_FUNCTIONS_STATUS_BY_ERROR>;
