import {
  CommandError,
  EXIT_CODES,
  PROGRAM_NAME,
  usageError,
} from '../../operator/connection/command-error.ts';
import { isHelpOrVersion, type PetstoreCommand } from './petstore-command.ts';
import { prose, safeJson, safeOutput, styleOf } from './style.ts';

/** Runs a command line and returns the exit code. Prints every error to standard error. */
export async function runCommandLine(program: PetstoreCommand, words: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(words, { from: 'user' });
    // A command that did not fail may have set an exit code with Session.endWith.
    return Number(process.exitCode ?? EXIT_CODES.done);
  } catch (error) {
    const wantsJson = words.includes('--json');
    if (isHelpOrVersion(error)) {
      if (error.exitCode === 0) return EXIT_CODES.done;
      // commander has printed the help, because there was no command.
      if (!wantsJson) return EXIT_CODES.usage;
    }
    const failure = asCommandError(error);
    process.stderr.write(
      `${wantsJson ? safeJson({ error: failure }) : safeOutput(textOf(failure, words))}\n`,
    );
    return failure.exitCode;
  }
}

function textOf({ code, message, advice }: CommandError, words: readonly string[]): string {
  const style = styleOf(process.stderr, !words.includes('--no-color'));
  const title = code === 'cancelled' || code === 'interrupted' ? '' : `${style.red('Error:')} `;
  return [prose(`${title}${message}`, style), ...advice.map(line => prose(line, style, '  '))].join('\n');
}

function asCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  if (isHelpOrVersion(error)) return usageError('No command given.', `Help: ${PROGRAM_NAME} --help`);
  return new CommandError('internal_error', error instanceof Error ? error.message : String(error));
}
