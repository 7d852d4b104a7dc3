import * as z from 'zod';

const FunctionError = z.object({ errorMessage: z.string() });

/** The value of a JSON text; undefined when the text is not JSON. */
export function jsonValue(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

/** The message of a function's error: {"errorMessage": "…", "errorType": "Error", …}. */
export function functionErrorMessage(payload: string): string | undefined {
  return FunctionError.safeParse(jsonValue(payload)).data?.errorMessage;
}
