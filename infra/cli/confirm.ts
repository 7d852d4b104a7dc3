import { createInterface } from 'node:readline';
import { CommandError, EXIT_CODES, usageError } from './command-error.ts';

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** The question goes to standard error: standard output is for the result. */
const TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

/** Asks whether to go on. Returns if so; throws if not, or if there is nobody to ask. */
export async function confirm(what: string, { input, output }: Terminal = TERMINAL): Promise<void> {
  if (!input.isTTY) throw usageError(`${what} Nobody is at a terminal to confirm it: add --yes.`);
  const answer = await question(`${what} Continue? [y/N] `, input, output);
  if (answer === undefined) throw declined(EXIT_CODES.interrupted);
  if (!/^y(es)?$/i.test(answer.trim())) throw declined(EXIT_CODES.error);
}

const declined = (exitCode: number) => new CommandError('cancelled', 'Nothing was changed.', { exitCode });

/** The answer, or undefined after Ctrl-C; Ctrl-D is an empty answer. */
function question(
  text: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string | undefined> {
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  return new Promise(settle => {
    const end = (answer: string | undefined) => {
      settle(answer);
      lines.close();
    };
    lines.on('SIGINT', () => {
      output.write('\n');
      end(undefined);
    });
    lines.on('close', () => {
      settle('');
    });
    lines.question(text, end);
  });
}
