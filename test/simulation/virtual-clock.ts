import type { Clock } from '../../infra/local/stepfunctions/interpreter.ts';
import { SECOND_MS, type VirtualTime } from './virtual-time.ts';

/** The clock of executions that pass in virtual time. */
export function virtualClock(time: VirtualTime): Clock {
  const pass = (seconds: number, signal: AbortSignal) =>
    new Promise<void>(resolve => {
      const end = () => {
        scheduled.isCancelled = true;
        signal.removeEventListener('abort', end);
        resolve();
      };
      const scheduled = time.after(seconds * SECOND_MS, undefined, end);
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
  return { nowMs: () => time.nowMs, sleep: pass, taskTimeout: pass };
}
