/** The maximum of a timer in Node.js. A longer one would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits for any time without keeping the process alive. Returns early when the signal is aborted. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  for (let restMs = ms; restMs > 0 && !signal.aborted; restMs -= LONGEST_TIMER_MS) {
    await timer(Math.min(restMs, LONGEST_TIMER_MS), signal);
  }
}

function timer(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timeout);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timeout = setTimeout(done, ms).unref();
    signal.addEventListener('abort', done, { once: true });
  });
}
