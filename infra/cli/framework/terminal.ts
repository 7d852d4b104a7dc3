import { createInterface } from 'node:readline';
import type { WriteStream } from 'node:tty';
import { CommandError, EXIT_CODES, usageError } from '../../operator/connection/command-error.ts';
import { displayWidth, inColumns } from './style.ts';

/** Asks for confirmation. Throws if it is declined, or if standard input is not a terminal. */
export async function confirm(what: string): Promise<void> {
  const isConfirmed = await ask(`${what} Continue?`);
  if (isConfirmed === undefined) throw usageError(`${what} Can't ask here. Re-run with --yes.`);
  if (!isConfirmed) throw declined(EXIT_CODES.error);
}

/** Asks for yes or no. Undefined if standard input is not a terminal. */
export async function ask(text: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY) return undefined;
  return /^y(es)?$/i.test(await question(`${text} [y/N] `));
}

/** Asks to type a name. Throws if another is typed, or if standard input is not a terminal. */
export async function confirmByName(what: string, name: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw usageError(`${what} Can't ask here. Re-run with --confirm ${name}.`);
  }
  if ((await question(`${what} Type ${name} to continue: `)) !== name) throw declined(EXIT_CODES.error);
}

const declined = (exitCode: number) => new CommandError('cancelled', 'Nothing was changed.', { exitCode });

/** The answer; Ctrl-D is an empty one, and Ctrl-C declines. Standard output is for the result, so it asks on standard error. */
function question(text: string): Promise<string> {
  const { stdin: input, stderr: output } = process;
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    lines.on('SIGINT', () => {
      output.write('\n');
      reject(declined(EXIT_CODES.interrupted));
      lines.close();
    });
    lines.on('close', () => resolve(''));
    lines.question(text, answer => {
      resolve(answer.trim());
      lines.close();
    });
  });
}

/** Awaits work that Ctrl-C aborts. The message then says what goes on without this command. */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  said: string | (() => readonly [message: string, ...advice: string[]]),
  ...given: string[]
): Promise<Result> {
  const interruption = new AbortController();
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const onInterrupt = () => {
    const [message, ...advice] = typeof said === 'string' ? [said, ...given] : said();
    reject(new CommandError('interrupted', message, { advice, exitCode: EXIT_CODES.interrupted }));
    interruption.abort();
  };
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

const CSI = '\u001b[';
const CURSOR = { hide: `${CSI}?25l`, show: `${CSI}?25h` };
/** A terminal shows what is between these at once. */
const FRAME = { begin: `${CSI}?2026h`, end: `${CSI}?2026l` };

/** Lines at the end of a terminal that are drawn again in place: as many as fit, since what has scrolled away stays. */
export function redrawnLines(terminal: WriteStream) {
  let shown: readonly string[] = [];
  const draw = (lines: readonly string[]) => {
    const { columns, rows } = terminal;
    // Rows are broken anew when the terminal has become narrower.
    const up = shown.reduce((sum, row) => sum + Math.max(1, Math.ceil(displayWidth(row) / columns)), 0);
    shown = lines.flatMap(line => inColumns(line, columns)).slice(0, rows - 1);
    const erasure = `${up > 0 ? `${CSI}${up}A` : ''}${CSI}J`;
    const text = shown.map(row => `${row}\n`).join('');
    terminal.write(`${CURSOR.hide}${FRAME.begin}${erasure}${text}${FRAME.end}`);
  };
  return {
    draw,
    clear: () => draw([]),
    /** Leaves the lines as they are, erases what was typed below them, and shows the cursor again. */
    end: () => terminal.write(`\r${CSI}K${CURSOR.show}`),
  };
}
