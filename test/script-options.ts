import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** A mistake in how a script was called. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The values of the options of a script; a mistake in them is a UsageError. */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
