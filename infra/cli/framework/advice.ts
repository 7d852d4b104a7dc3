import type { Reason } from '../../../shared/operator/contract.ts';
import { CommandError } from './command-error.ts';

/** What to do about a refusal of the operator function, by its reason. */
export type AdviceByReason = { readonly [Each in Reason]?: string };

/** The result of the work. A refusal that there is advice for is thrown with that advice. */
export async function withAdvice<Result>(
  adviceByReason: AdviceByReason,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CommandError) || error.reason === undefined) throw error;
    const advice = adviceByReason[error.reason];
    throw advice === undefined ? error : error.withAdvice(advice);
  }
}
