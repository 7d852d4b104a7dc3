import { createInterface } from 'node:readline';
import { CommandError, EXIT_CODES, usageError } from '../../operator/connection/command-error.ts';

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** The question goes to standard error, because standard output is for the result. */
const TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

/** Asks for confirmation. Throws if it is declined, or if standard input is not a terminal. */
export async function confirm(what: string, { input, output }: Terminal = TERMINAL): Promise<void> {
  const isConfirmed = await ask(`${what} Continue?`, { input, output });
  if (isConfirmed === undefined) {
    throw usageError(`${what} Can't ask here. Re-run with --yes.`);
  }
  if (!isConfirmed) throw declined(EXIT_CODES.error);
}

/** Asks for yes or no. Undefined if standard input is not a terminal. */
export async function ask(
  text: string,
  { input, output }: Terminal = TERMINAL,
): Promise<boolean | undefined> {
  if (!input.isTTY) return undefined;
  const answer = await question(`${text} [y/N] `, input, output);
  if (answer === undefined) throw declined(EXIT_CODES.interrupted);
  return /^y(es)?$/i.test(answer.trim());
}

/** Asks to type a name. Throws if another is typed, or if standard input is not a terminal. */
export async function confirmByName(
  what: string,
  name: string,
  { input, output }: Terminal = TERMINAL,
): Promise<void> {
  if (!input.isTTY) {
    throw usageError(`${what} Can't ask here. Re-run with --confirm ${name}.`);
  }
  const answer = await question(`${what} Type ${name} to continue: `, input, output);
  if (answer === undefined) throw declined(EXIT_CODES.interrupted);
  if (answer.trim() !== name) throw declined(EXIT_CODES.error);
}

const declined = (exitCode: number) => new CommandError('cancelled', 'Nothing was changed.', { exitCode });

/** The answer, or undefined after Ctrl-C; Ctrl-D is an empty answer. */
function question(
  text: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string | undefined> {
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  return new Promise(resolve => {
    const end = (answer: string | undefined) => {
      resolve(answer);
      lines.close();
    };
    lines.on('SIGINT', () => {
      output.write('\n');
      end(undefined);
    });
    lines.on('close', () => {
      resolve('');
    });
    lines.question(text, end);
  });
}

/** Awaits work that Ctrl-C aborts. The message then says what goes on without this command. */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  message: string,
  ...advice: string[]
): Promise<Result> {
  const interruption = new AbortController();
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const onInterrupt = () => {
    reject(new CommandError('interrupted', message, { advice, exitCode: EXIT_CODES.interrupted }));
    interruption.abort();
  };
  // Not once(): log-update ends the process on SIGINT if it finds no other listener.
  process.on('SIGINT', onInterrupt);
  try {
    return await Promise.race([work(interruption.signal), interrupted]);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** Awaits work that Ctrl-C asks to stop: it finishes what it has begun, or leaves that too after a second Ctrl-C. */
export async function stoppable<Result>(
  work: (stop: AbortSignal, leave: AbortSignal) => Promise<Result>,
  onStop: () => void = () => {},
): Promise<Result> {
  const [stop, leave] = [new AbortController(), new AbortController()];
  const onInterrupt = () => {
    if (stop.signal.aborted) return leave.abort();
    stop.abort();
    onStop();
  };
  process.on('SIGINT', onInterrupt);
  try {
    return await work(stop.signal, leave.signal);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
