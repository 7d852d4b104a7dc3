import * as z from 'zod/mini';
import { apiKeyStore, NewApiKey } from '../../shared/api-keys/api-key-store.ts';
import { Unavailable } from '../../shared/aws/unavailable.ts';
import { required } from '../../shared/environment.ts';
import { listFaults } from '../../shared/faults.ts';
import { describeError, log } from '../../shared/log.ts';

const apiKeys = apiKeyStore(required('API_KEYS_TABLE'), required('API_KEY_PREFIX'));

/** What operators can ask for: what each command accepts besides its name, and what it does. */
const COMMANDS = {
  'keys.create': command(NewApiKey, newKey => apiKeys.add(newKey)),
};

type Reply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/** The operator function: `{"command":"keys.create","name":"Acme"}` in, the result or a plain error out. */
export async function handler(payload: unknown, context: { awsRequestId: string }): Promise<Reply> {
  const requested = z.safeParse(z.looseObject({ command: z.enum(Object.keys(COMMANDS)) }), payload);
  if (!requested.success) {
    return refuse('invalid_request', `command must be one of ${Object.keys(COMMANDS).join(', ')}`);
  }
  const run = COMMANDS[requested.data.command as keyof typeof COMMANDS];
  try {
    return await run(payload);
  } catch (error) {
    log.error('A command failed.', { requestId: context.awsRequestId, error: describeError(error) });
    return error instanceof Unavailable
      ? refuse('unavailable', 'The service cannot do this at the moment. Please try again.')
      : refuse('internal_error', `The command failed. The log has the reason under ${context.awsRequestId}.`);
  }
}

function command<Schema extends z.ZodMiniType>(
  schema: Schema,
  run: (input: z.output<Schema>) => Promise<unknown>,
): (payload: unknown) => Promise<Reply> {
  return async payload => {
    const input = z.safeParse(schema, payload);
    if (!input.success) return refuse('invalid_request', listFaults(input.error.issues, payload));
    return { ok: true, result: await run(input.data) };
  };
}

function refuse(code: string, message: string): Reply {
  return { ok: false, error: { code, message } };
}
