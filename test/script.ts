import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { SynthesisError } from '../infra/start/synthesize.ts';

/** A mistake in how a script was called. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs a script with the arguments of its command line. Exit code 2 is a mistake in them, 1 any other failure. */
export async function runScript(
  help: string,
  script: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  const args = process.argv.slice(2);
  try {
    if (args.includes('--help')) process.stdout.write(help);
    else await script(args);
  } catch (error) {
    const isUserError = error instanceof UsageError || error instanceof SynthesisError;
    process.stderr.write(`${isUserError ? error.message : (error as Error).stack}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
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

/** The value of an option that is a whole number. */
export function wholeNumber(option: string, text: string, least: number, most = 999_999_999): number {
  if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new UsageError(`${option} takes a whole number from ${least} to ${most}, not "${text}".`);
}

/** The value of an option that is a list of names, separated by commas; all names by default. */
export function chosenNames<Name extends string>(
  option: string,
  text: string | undefined,
  names: readonly Name[],
): readonly Name[] {
  if (text === undefined) return names;
  return text.split(',').map(part => {
    const name = names.find(known => known === part.trim());
    if (name !== undefined) return name;
    throw new UsageError(`${option} takes ${names.join(', ')}, not "${part}".`);
  });
}

/** Seconds since the start of the process. */
export function elapsedSeconds(): number {
  return performance.now() / 1000;
}

/** Progress goes to standard error, because the results on standard output may be piped. */
export function reportProgress(line: string): void {
  process.stderr.write(`${elapsedSeconds().toFixed(0).padStart(5)} s  ${line}\n`);
}

/** Writes a result, and creates the folder of its file. */
export function writeResult(file: string, content: string | object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
}
