import { HOUR_MS, type VirtualAws } from '../../infra/local/simulation.ts';

interface ScheduleParts {
  readonly world: VirtualAws;
  readonly periodMs: number;
  /** Whether a run would change anything. */
  readonly hasWork: () => boolean;
  readonly run: () => Promise<unknown>;
  /** Whether a run may begin while an earlier one still works. */
  readonly overlaps?: boolean;
}

/** A function that is invoked at every multiple of a period. Runs that would change nothing are left out, to save time. */
export class Schedule {
  /** Whether a run is ahead or under way. */
  isAwaited = false;
  readonly #parts: ScheduleParts;
  #lookedAt = { version: -1, atMs: 0 };
  #next: { isCancelled: boolean } | undefined;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
  }

  /** Awaits the next run if it has something to do. */
  look(): void {
    if (this.isAwaited || !this.#isLookWorthwhile() || !this.#parts.hasWork()) return;
    this.isAwaited = true;
    this.#await();
  }

  /** Something may have become due if something has changed, or an hour has passed. */
  #isLookWorthwhile(): boolean {
    const { version, time } = this.#parts.world;
    if (this.#lookedAt.version === version && time.nowMs < this.#lookedAt.atMs + HOUR_MS) return false;
    this.#lookedAt = { version, atMs: time.nowMs };
    return true;
  }

  /** Gives up the next run if there is nothing left to do: nobody has to wait for it. */
  giveUp(): void {
    if (!this.#next || this.#parts.hasWork()) return;
    this.#next.isCancelled = true;
    this.#end();
  }

  #await(): void {
    const { world, periodMs, overlaps } = this.#parts;
    const { time } = world;
    this.#next = time.after(periodMs - (time.nowMs % periodMs), undefined, () => {
      this.#next = undefined;
      let isLost = true;
      const run = () => {
        if (isLost && overlaps) this.#end();
        isLost = false;
        return this.#parts.run();
      };
      void wakeUp(world, run).then(() => {
        if (isLost) this.#await();
        else if (!overlaps) this.#end();
      });
    });
  }

  #end(): void {
    this.#next = undefined;
    this.isAwaited = false;
    this.#lookedAt = { version: -1, atMs: 0 };
  }
}

/** Wakes a function up, unless that is lost; perhaps late, or another time a while later. */
export async function wakeUp(
  { weather, time, trace }: VirtualAws,
  run: () => Promise<unknown>,
): Promise<void> {
  const wake = weather.wakeUp();
  if (wake.kind !== 'once') trace.say('schedule', `a wake-up is ${wake.kind}`);
  if (wake.kind === 'lost') return;
  if (wake.kind === 'late') await time.sleep(wake.byMs);
  if (wake.kind === 'twice') time.after(wake.againMs, undefined, () => void run());
  await run();
}
