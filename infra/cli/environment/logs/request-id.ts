import { type CommandError, usageError } from '../../framework/command-error.ts';
import { PROGRAM_NAME } from '../../framework/program-name.ts';

/** API Gateway's extended request id. All that were seen have 15 characters and the padding. */
const REQUEST_ID = /^[\w-]{12,60}={0,2}$/;
const UNPADDED_LENGTH = 15;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Reads an X-Request-Id. Does not repeat what may be a secret. */
export function readRequestId(text: string): string {
  const id = text.trim().replace(/^x-request-id:\s*/i, '');
  if (/pet_[a-z]+_|bearer/i.test(id)) {
    throw badId(
      'That is an API key, not a request id. Keys do not belong on a command line.',
      `Revoke it if others can read this terminal or its history: ${PROGRAM_NAME} keys revoke <id>`,
    );
  }
  if (UUID.test(id)) {
    throw badId(`${id} is an x-amzn-RequestId, which clients can choose. The logs have the X-Request-Id.`);
  }
  // A double click does not select the padding.
  if (REQUEST_ID.test(id)) return id.length === UNPADDED_LENGTH ? `${id}=` : id;
  throw badId(`"${id.slice(0, 60)}" is not an X-Request-Id.`);
}

function badId(message: string, ...advice: string[]): CommandError {
  return usageError(
    message,
    ...advice,
    'Every answer has the header X-Request-Id, such as JKJaXmPLvHcESHA=',
    `Example: ${PROGRAM_NAME} request JKJaXmPLvHcESHA=`,
  );
}
