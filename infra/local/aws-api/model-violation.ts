import { AwsApiError, NOT_SUPPORTED } from './aws-api-error.ts';
import { constraintMessage } from './constraint-message.ts';
import type { OperationModel } from './service-model.ts';

/** An answer that AWS cannot give: a defect of the local runtime. It is not answered, and the endpoint reports it. */
export class ModelViolation extends Error {
  override readonly name = 'ModelViolation';

  constructor(operation: string, fault: string) {
    super(`${operation} broke its service model: ${fault}`);
  }
}

/** Performs an operation, and throws a ModelViolation for an output or an error that its model does not have. */
export async function withinModel(
  model: OperationModel,
  operation: string,
  { errorNames: { invalidInput } }: { readonly errorNames: { readonly invalidInput: string } },
  perform: () => unknown,
): Promise<unknown> {
  const output = await attempt(perform, error => {
    // Every operation can answer that its input is invalid; models list that for some of them only.
    const isListed = model.errors.has(error.name) || error.name === invalidInput;
    return isListed || error.name === NOT_SUPPORTED.name
      ? error
      : new ModelViolation(operation, `the error ${error.name} is not listed`);
  });
  const faults = model.outputFaults(output);
  if (faults.length > 0) throw new ModelViolation(operation, constraintMessage(faults));
  return output;
}

async function attempt(perform: () => unknown, toThrow: (error: AwsApiError) => Error): Promise<unknown> {
  try {
    return await perform();
  } catch (error) {
    throw error instanceof AwsApiError ? toThrow(error) : error;
  }
}
