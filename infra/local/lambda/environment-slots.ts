/**
 * Bounds the execution environments of all functions together. Each one takes up to 40 MB, and two of each function keep
 * the processors of one machine busy: more of them help only functions that wait, for example for a silent name server.
 * So every function has two slots of its own, and all functions share some more.
 */

/** The slots that every function has for itself, so that no function can block another one. */
export const OWN_SLOTS = 2;
export const SHARED_SLOTS = 4;

/** The environments of one function. */
export interface SlotHolder {
  readonly environmentCount: number;
  /** Starts the environments that are needed, as far as there are slots for them. */
  startIfNeeded(): void;
}

export class EnvironmentSlots {
  readonly #waiting = new Set<SlotHolder>();
  #sharedTaken = 0;

  /** Takes a slot for one more environment. Without a free one, the holder is called as soon as there is one. */
  take(holder: SlotHolder): boolean {
    if (holder.environmentCount < OWN_SLOTS) return true;
    if (this.#sharedTaken >= SHARED_SLOTS) {
      this.#waiting.add(holder);
      return false;
    }
    this.#sharedTaken++;
    return true;
  }

  /** Gives back the slot of an environment that has ended. The holder no longer counts it. */
  giveBack(holder: SlotHolder): void {
    if (holder.environmentCount < OWN_SLOTS) return;
    this.#sharedTaken--;
    for (const next of [...this.#waiting]) {
      if (this.#sharedTaken >= SHARED_SLOTS) return;
      // It is added again, behind the others, if it needs more than it gets.
      this.#waiting.delete(next);
      next.startIfNeeded();
    }
  }
}
