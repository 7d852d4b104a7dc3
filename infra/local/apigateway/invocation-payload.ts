import * as z from 'zod';

const FunctionError = z.object({ errorMessage: z.string() });

/** The value of a JSON text; undefined when it is none. */
export function jsonValue(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

/** The message of the error that a function ended with: {"errorMessage": "…", "errorType": "Error", …}. */
export function functionErrorMessage(payload: string): string | undefined {
  return FunctionError.safeParse(jsonValue(payload)).data?.errorMessage;
}
