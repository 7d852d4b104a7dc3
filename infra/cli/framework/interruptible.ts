import { CommandError, EXIT_CODES } from './command-error.ts';

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
