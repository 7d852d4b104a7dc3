/** The errors of Lambda itself for an invocation, as JSON text. */

/** The error for an environment that ended before the function answered. */
export function exitError(requestId: string | undefined, reason: string): string {
  return errorPayload('Runtime.ExitError', requestId, reason);
}

export function timedOut(requestId: string | undefined, seconds: number): string {
  return errorPayload('Sandbox.Timedout', requestId, `Task timed out after ${seconds.toFixed(2)} seconds`);
}

export function initTimedOut(seconds: number): string {
  return errorPayload('Sandbox.Timedout', undefined, `Init timed out after ${seconds.toFixed(2)} seconds`);
}

/** Lambda's limit for an answer: 6 MB and 100 bytes. */
const RESPONSE_LIMIT_BYTES = 6_291_556;

/** The error for an answer above the limit, or undefined for one within it. */
export function responseTooLarge(payload: string): string | undefined {
  // A character has at most three bytes, so that most answers need not be counted.
  if (payload.length * 3 <= RESPONSE_LIMIT_BYTES || Buffer.byteLength(payload) <= RESPONSE_LIMIT_BYTES) {
    return undefined;
  }
  return JSON.stringify({
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded maximum allowed payload size (${RESPONSE_LIMIT_BYTES} bytes).`,
  });
}

function errorPayload(errorType: string, requestId: string | undefined, reason: string): string {
  const prefix = requestId === undefined ? '' : `RequestId: ${requestId} `;
  return JSON.stringify({ errorType, errorMessage: `${prefix}Error: ${reason}` });
}
