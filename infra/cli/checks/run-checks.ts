import { CommandError, EXIT_CODES } from '../../operator/connection/command-error.ts';
import { Broken, type Check, type Finding, ok, Skipped, skipped } from './check.ts';

type Named = Pick<Check<never>, 'name' | 'permissions'>;

export interface CheckResult<Of extends Named = Named> {
  readonly check: Of;
  readonly finding: Finding;
  /** What the check has thrown. */
  readonly error?: Error;
  /** Absent for a check that was not begun. */
  readonly durationMs?: number;
}

interface Options<Of> {
  /** Why a check is not begun; undefined if it is. */
  reasonToSkip?(check: Of): string | undefined;
  /** Says what is checked, before or while it is. */
  saying?<Result>(check: Of, work: () => Promise<Result>): Promise<Result>;
}

/** Runs checks one after another, whatever each has found. Throws if one of them was interrupted. */
export async function* runChecks<Parts, Of extends Check<Parts>>(
  checks: readonly Of[],
  parts: Parts,
  { reasonToSkip = () => undefined, saying = (_, work) => work() }: Options<Of> = {},
): AsyncGenerator<CheckResult<Of>, void> {
  for (const check of checks) {
    const reason = reasonToSkip(check);
    if (reason !== undefined) {
      yield { check, finding: skipped(reason) };
      continue;
    }
    const startedMs = Date.now();
    const found = await saying(check, () => findingOf(check, parts));
    yield { check, ...found, durationMs: Date.now() - startedMs };
  }
}

async function findingOf<Parts>(
  check: Check<Parts>,
  parts: Parts,
): Promise<Pick<CheckResult, 'finding' | 'error'>> {
  let noted: string | undefined;
  try {
    const finding = await check.run(parts, fact => {
      noted = fact;
    });
    return { finding: finding ?? ok(noted) };
  } catch (thrown) {
    const error = thrown as Error;
    if (error instanceof CommandError && error.exitCode === EXIT_CODES.interrupted) throw error;
    const { message } = error;
    if (error instanceof Skipped) return { finding: skipped(message), error };
    return { finding: { is: error instanceof Broken ? 'broken' : 'unable', message }, error };
  }
}

/** Services differ in the name of the error: AccessDenied, AccessDeniedException, AuthorizationErrorException (SNS). */
export function isDenial(error: Error | undefined): boolean {
  return /^(AccessDenied|AuthorizationError|Unauthorized)/.test(error?.name ?? '');
}
