import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { AlreadyDone, type AuditEntry, type AuditLog } from '../audit/audit-log.ts';
import { UNVERIFIED } from '../audit/author.ts';
import { isThrottling, Unavailable } from '../aws/retries.ts';
import { transact } from '../aws/transaction.ts';
import { describeFault, listFaults } from '../errors.ts';
import { describeError, log } from '../log.ts';
import { CallerProof, type IdentifyCaller } from './caller-proof.ts';
import { type Change, type Command, CommandError } from './command.ts';
import type { CommandName, Reason, Reply } from './contract.ts';
import { INPUTS } from './inputs.ts';
import { revisionOf } from './revision.ts';

const text = z.string('must be text').check(z.regex(/^.{1,600}$/su, 'must have 1 to 600 characters'));

/** The length of a key in DynamoDB. */
const MOST_ID_BYTES = 2048;
const isKeyLength = (id: string) => Buffer.byteLength(id) <= MOST_ID_BYTES;

/** The fields of every payload, besides those of its command. */
function envelope(commandNames: readonly string[]) {
  const names = commandNames.join(', ');
  return z.looseObject(
    {
      command: z.enum(commandNames, `must be one of ${names}`),
      /** Identifies the request: it's carried out once, however often it's delivered. */
      requestId: z.optional(text.check(z.refine(isKeyLength, 'must have at most 2,048 bytes'))),
      /** Who asks, according to the caller; not verified. */
      by: z.optional(text),
      /** The revision of the result that the caller of a read has. */
      known: z.optional(z.string('must be text')),
      /** Proves to IAM who asks. */
      proof: z.optional(CallerProof),
      /** What the result's secret is derived from (readRequestId); not recorded. */
      seed: z.optional(
        z.string('must be text').check(z.regex(/^[0-9a-f]{48}$/, 'must be 48 hexadecimal digits')),
      ),
    },
    `the payload must be a JSON object with a command, which is one of ${names}`,
  );
}

/** Whether the function may carry out a command with this input. */
export type Permits = (command: string, input: unknown) => Promise<boolean>;

/** Carries out commands: `{"command":"keys.create","name":"Acme"}` in, a Reply with the result or the error out. */
export function operator(
  commands: Readonly<Record<string, Command>>,
  audit: AuditLog,
  now = Date.now,
  identify: IdentifyCaller = async () => undefined,
  permits: Permits = async () => true,
) {
  const Envelope = envelope(Object.keys(commands).toSorted());

  async function carryOut(payload: unknown, invocationId: string): Promise<Reply> {
    const envelope = parse(Envelope, payload);
    const {
      command: name,
      requestId = invocationId,
      by: claimedBy = null,
      known,
      proof,
      seed: givenSeed,
      ...fields
    } = envelope;
    // Includes the id, so that no two requests share a secret.
    const seed = givenSeed && `${givenSeed} ${requestId}`;
    const command = commands[name] as Command;
    const input = parse(command.accepts ?? INPUTS[name as CommandName], fields);
    if (!(await permits(name, input))) {
      const message = `This function runs only what petstore doctor and petstore smoke need, which isn't this ${name}. Invoke the operator function.`;
      throw new CommandError('forbidden', message, 'not_a_check');
    }
    // A proof is bound to its payload, and a request is carried out once: so a proof can be used once.
    if (proof !== undefined && envelope.requestId === undefined) {
      throw new CommandError('invalid_request', 'requestId is required with a proof', 'input_invalid');
    }

    // Only a change is worth a call to STS, and only one.
    let identified: Promise<string | undefined> | undefined;
    const author = async () => {
      if (proof === undefined) return UNVERIFIED;
      identified ??= identify(proof, withoutProof(payload));
      return (await identified) ?? UNVERIFIED;
    };
    const commit: Change['commit'] = async (writes, result) => {
      const at = new Date(now()).toISOString();
      const entry = { requestId, at, by: await author(), claimedBy, command: name, input, result };
      // The audit record is the first write: if the request was carried out before, its refusal is reported rather than
      // that of a later write, which this same change may have caused.
      return transact([audit.record(entry), ...writes]);
    };
    const run = async (): Promise<Reply> => {
      try {
        return { ok: true, result: await command.run(input as never, { commit, seed }) };
      } catch (error) {
        // The refusal may be due to this same change, made by another delivery in the meantime.
        const isRefused = error instanceof CommandError && envelope.requestId !== undefined;
        const made =
          error instanceof AlreadyDone ? error.entry : isRefused ? await audit.find(requestId) : undefined;
        if (made) return again(made);
        throw error;
      }
    };
    const again = (made: AuditEntry): Reply => {
      requireSame(made, name, input);
      const result = seed && command.withSecret ? command.withSecret(made.result, seed) : made.result;
      return { ok: true, result, replayed: true };
    };

    const done = await audit.find(requestId);
    const committed = done ? again(done) : await run();
    const followed = (await command.followUp?.(input as never)) as readonly string[] | undefined;
    const reply =
      command.resultAfter && committed.ok && !committed.replayed
        ? { ...committed, result: await command.resultAfter(input as never) }
        : committed;
    const isUnconfirmed = identified !== undefined && (await identified) === undefined;
    const warnings = [...(followed ?? []), ...(isUnconfirmed ? [UNCONFIRMED] : [])];
    if (known !== undefined && reply.ok && revisionOf(reply.result) === known) {
      return { ok: true, result: null, isUnchanged: true };
    }
    return reply.ok && warnings.length > 0 ? { ...reply, warnings } : reply;
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

const UNCONFIRMED =
  "AWS didn't confirm who made this change, so the audit log shows it as not verified. If it happens again, check your machine's clock.";

/** A payload as it was when its sender signed it: the order of the fields counts. */
function withoutProof(payload: unknown): object {
  const { proof: _, ...signed } = payload as { proof?: unknown };
  return signed;
}

/** Refuses a request whose id was used for another. */
function requireSame(done: AuditEntry, command: string, input: unknown): void {
  // The audit log does not keep the order of fields, so the inputs are not compared as JSON.
  if (done.command === command && isDeepStrictEqual(done.input, input)) return;
  const message = `The requestId ${done.requestId} was already used for a different request.`;
  throw new CommandError('conflict', message, 'request_id_reused');
}

function parse<Schema extends z.ZodMiniObject>(schema: Schema, input: unknown): z.output<Schema> {
  const result = z.safeParse(schema, input);
  if (result.success) return result.data;
  const allowed = Object.keys(schema.shape).join(', ') || 'no fields';
  const describe = (issue: z.core.$ZodIssue, value: unknown) => {
    if (issue.code === 'unrecognized_keys') {
      const verb = issue.keys.length === 1 ? 'is not a field' : 'are not fields';
      return `${issue.keys.join(', ')} ${verb} of this command; it takes ${allowed}`;
    }
    if (issue.path.length === 0) return issue.message;
    // The choices are listed for a missing field, too, where describeFault says only that it is required.
    return issue.code === 'invalid_value'
      ? `${issue.path.join('.')} ${issue.message}`
      : describeFault(issue, value);
  };
  const { issues } = result.error;
  throw new CommandError('invalid_request', listFaults(issues, input, describe), reasonOf(issues));
}

function reasonOf(issues: readonly z.core.$ZodIssue[]): Reason {
  const fields = new Set(issues.map(({ path }) => path[0]));
  if (fields.has('command')) return 'command_unknown';
  return fields.has('id') || fields.has('petId') ? 'id_invalid' : 'input_invalid';
}

function toCommandError(error: unknown, invocationId: string): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof Unavailable || isThrottling(error)) {
    return new CommandError('unavailable', "AWS didn't respond in time. Try again.");
  }
  return new CommandError('internal_error', `The command failed. The log says why, under ${invocationId}.`);
}
