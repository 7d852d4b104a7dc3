import type { Check, SmokeEnvironment } from './check.ts';
import { Broken, Skipped } from './check-outcomes.ts';
import { type Answer, NoAnswer } from './smoke-client.ts';

/** What became of a check. */
export interface CheckResult {
  readonly name: string;
  readonly outcome: 'ok' | 'broken' | 'skipped';
  /** What was expected and what was seen, or why the check was skipped. */
  readonly message?: string;
  /** The X-Request-Id of the answer that was not as expected, for `petstore request`. */
  readonly requestId?: string;
  /** The requests of the check that were answered, such as `GET /pets?limit=1`, with the status. */
  readonly requests: readonly { readonly request: string; readonly status: number }[];
}

/** An environment that answers nothing would let every check wait for its time limit. */
const MOST_UNANSWERED = 2;

/** Runs the checks one after another. `answers` collects the answers to the requests of the check that runs. */
export async function runChecks(
  checks: readonly Check[],
  environment: SmokeEnvironment,
  answers: Answer[],
  signal: AbortSignal,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const { stage } = environment.session.target;
  let unanswered = 0;
  for (const check of checks) {
    signal.throwIfAborted();
    if (check.writes && stage === 'production') {
      results.push({ ...skipped(check, 'production is only read'), requests: [] });
      continue;
    }
    if (unanswered >= MOST_UNANSWERED) {
      results.push({ ...skipped(check, 'the environment does not answer'), requests: [] });
      continue;
    }
    answers.length = 0;
    const outcome = await outcomeOf(check, environment, () => {
      unanswered += 1;
    });
    results.push({ ...outcome, requests: answers.map(({ request, status }) => ({ request, status })) });
  }
  return results;
}

function skipped({ name }: Check, message: string) {
  return { name, outcome: 'skipped', message } as const;
}

async function outcomeOf(
  check: Check,
  environment: SmokeEnvironment,
  onNoAnswer: () => void,
): Promise<Omit<CheckResult, 'requests'>> {
  const { name } = check;
  try {
    await check.run(environment);
    return { name, outcome: 'ok' };
  } catch (error) {
    if (error instanceof Skipped) return skipped(check, error.message);
    if (error instanceof NoAnswer) onNoAnswer();
    const { message } = error as Error;
    if (!(error instanceof Broken)) return { name, outcome: 'broken', message: `failed: ${message}` };
    const { requestId } = error;
    return { name, outcome: 'broken', message, ...(requestId && { requestId }) };
  }
}
