import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { AlreadyDone, type AuditEntry, type AuditLog } from '../audit/audit-log.ts';
import { transact } from '../aws/transaction.ts';
import { Unavailable } from '../aws/unavailable.ts';
import { describeFault, listFaults } from '../faults.ts';
import { describeError, log } from '../log.ts';
import { type Change, type Command, CommandError, type CommandErrorCode } from './command.ts';
import type { Reason } from './reason.ts';

export type Reply =
  | { readonly ok: true; readonly result: unknown; readonly replayed?: true }
  | {
      readonly ok: false;
      readonly error: {
        readonly code: CommandErrorCode;
        readonly reason?: Reason;
        readonly message: string;
      };
    };

const text = z.string('must be text').check(z.regex(/^.{1,600}$/su, 'must have 1 to 600 characters'));

/** What every payload has besides the fields of its command. */
function envelope(commandNames: readonly string[]) {
  const names = commandNames.join(', ');
  return z.looseObject(
    {
      command: z.enum(commandNames, `must be one of ${names}`),
      /** Names the request, so that it is carried out once however often it is delivered. */
      requestId: z.optional(text),
      /** Who asks, as far as the caller knows. */
      by: z.optional(text),
    },
    `the payload must be a JSON object with a command, which is one of ${names}`,
  );
}

/** Carries out commands: `{"command":"keys.create","name":"Acme"}` in, the result or a plain error out. */
export function operator(commands: Readonly<Record<string, Command>>, audit: AuditLog, now = Date.now) {
  const Envelope = envelope(Object.keys(commands).toSorted());

  async function carryOut(payload: unknown, invocationId: string): Promise<Reply> {
    const { command: name, requestId = invocationId, by = 'unknown', ...fields } = parse(Envelope, payload);
    const command = commands[name] as Command;
    const input = parse(command.accepts, fields);

    const commit: Change['commit'] = (writes, result) => {
      const entry = { requestId, at: new Date(now()).toISOString(), by, command: name, input, result };
      // The audit record comes first: a request that was carried out before is known as such, whatever else changed.
      return transact([audit.record(entry), ...writes]);
    };
    const run = async (): Promise<Reply> => {
      try {
        return { ok: true, result: await command.run(input as never, { commit }) };
      } catch (error) {
        if (error instanceof AlreadyDone) return replay(error.entry, name, input);
        throw error;
      }
    };

    const done = await audit.find(requestId);
    const reply = done ? replay(done, name, input) : await run();
    await command.followUp?.(input as never);
    return reply;
  }

  return async (payload: unknown, invocationId: string): Promise<Reply> => {
    try {
      return await carryOut(payload, invocationId);
    } catch (error) {
      const { code, reason, message } = toCommandError(error, invocationId);
      if (code === 'internal_error' || code === 'unavailable') {
        log.error('A command failed.', { requestId: invocationId, error: describeError(error) });
      }
      return { ok: false, error: { code, ...(reason && { reason }), message } };
    }
  };
}

/** The answer to a request that was carried out before: the same, but for what is shown only once. */
function replay(done: AuditEntry, command: string, input: unknown): Reply {
  // The audit log does not keep the order of fields, so the inputs are not compared as JSON.
  const isSame = done.command === command && isDeepStrictEqual(done.input, input);
  if (!isSame) {
    throw new CommandError('conflict', `The requestId ${done.requestId} was used before for something else.`);
  }
  return { ok: true, result: done.result, replayed: true };
}

function parse<Schema extends z.ZodMiniObject>(schema: Schema, input: unknown): z.output<Schema> {
  const result = z.safeParse(schema, input);
  if (result.success) return result.data;
  const allowed = Object.keys(schema.shape).join(', ') || 'no fields';
  const describe = (issue: z.core.$ZodIssue, value: unknown) => {
    if (issue.code === 'unrecognized_keys') {
      return `${issue.keys.join(', ')} not known here; the command takes ${allowed}`;
    }
    if (issue.path.length === 0) return issue.message;
    // What may be chosen from is worth saying of a field that is missing, too.
    return issue.code === 'invalid_value'
      ? `${issue.path.join('.')} ${issue.message}`
      : describeFault(issue, value);
  };
  throw new CommandError('invalid_request', listFaults(result.error.issues, input, describe));
}

function toCommandError(error: unknown, invocationId: string): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof Unavailable) {
    return new CommandError('unavailable', 'AWS did not answer in time. Nothing is lost: please try again.');
  }
  return new CommandError('internal_error', `The command failed. The log says why, under ${invocationId}.`);
}
