import { usageError } from './command-error.ts';

/** The option of the commands that list the newest of something, as commander takes it. */
export function limitOption(what: string) {
  return ['--limit <n>', `how many ${what} to show`, readLimit] as const;
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1) throw usageError(`--limit takes a number from 1 on, not "${text}".`);
  return limit;
}
