import { CommandError, EXIT_CODES } from './command-error.ts';

/** Does work that Ctrl-C ends early; what was started elsewhere goes on, and the words say so. */
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
  process.once('SIGINT', onInterrupt);
  try {
    return await Promise.race([work(interruption.signal), interrupted]);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
