import { CommandError } from './command-error.ts';

/** Whoever names something that is not there, or nothing at all, is told where the ids are. */
export async function withAdvice<Result>(advice: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CommandError) || !['not_found', 'invalid_request'].includes(error.code))
      throw error;
    throw new CommandError(error.code, error.message, { advice: [advice] });
  }
}
