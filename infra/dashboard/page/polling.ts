/** From the start of a request to the start of the next: a change elsewhere is seen within two seconds. */
export const INTERVAL_MS = 1_400;
const LONGEST_INTERVAL_MS = 15_000;

interface Polled {
  /** Resolves to whether the read succeeded. */
  refresh(): Promise<boolean>;
  /** Whether anybody looks at the page. */
  isVisible(): boolean;
  readonly intervalMs?: number;
}

/**
 * Repeats a read while the page is visible. After errors the interval grows, and a success resets it. `now` asks at
 * once, for example when the page becomes visible again.
 */
export function startPolling({ refresh, isVisible, intervalMs: usualMs = INTERVAL_MS }: Polled): {
  now(): void;
  stop(): void;
} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let failures = 0;
  let rounds = 0;

  const round = async () => {
    clearTimeout(timer);
    rounds += 1;
    const own = rounds;
    const startedMs = Date.now();
    const isDone = await refresh();
    // Another round was started in the meantime and schedules the next one.
    if (isStopped || own !== rounds) return;
    failures = isDone ? 0 : failures + 1;
    const intervalMs = Math.min(usualMs * 2 ** failures, Math.max(usualMs, LONGEST_INTERVAL_MS));
    timer = setTimeout(tick, Math.max(0, startedMs + intervalMs - Date.now()));
  };
  const tick = () => {
    if (isVisible()) round();
  };

  round();
  return {
    now: round,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
