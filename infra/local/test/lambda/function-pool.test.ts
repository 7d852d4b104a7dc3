import { describe, expect, test } from 'vitest';
import { EnvironmentSlots, OWN_SLOTS, SHARED_SLOTS, type SlotHolder } from '../../lambda/function-pool.ts';

/** A function that starts as many environments as it wants and gets slots for. */
class Pool implements SlotHolder {
  environmentCount = 0;
  wanted: number;
  readonly #slots: EnvironmentSlots;

  constructor(slots: EnvironmentSlots, wanted: number) {
    this.#slots = slots;
    this.wanted = wanted;
    this.startIfNeeded();
  }

  startIfNeeded(): void {
    while (this.environmentCount < this.wanted && this.#slots.take(this)) this.environmentCount++;
  }

  end(environments: number): void {
    this.wanted -= environments;
    for (let ended = 0; ended < environments; ended++) {
      this.environmentCount--;
      this.#slots.giveBack(this);
    }
  }
}

describe('the slots for execution environments', () => {
  test('bound the environments of all functions together', () => {
    const slots = new EnvironmentSlots();
    const pools = Array.from({ length: 20 }, () => new Pool(slots, 10));
    const total = pools.reduce((sum, { environmentCount }) => sum + environmentCount, 0);
    expect(total).toBe(20 * OWN_SLOTS + SHARED_SLOTS);
  });

  test('leave every function its own, whatever the others hold', () => {
    const slots = new EnvironmentSlots();
    const greedy = new Pool(slots, 1000);
    expect(greedy.environmentCount).toBe(OWN_SLOTS + SHARED_SLOTS);
    expect(new Pool(slots, 10).environmentCount).toBe(OWN_SLOTS);
  });

  test('go to the function that waits as soon as another one gives one back', () => {
    const slots = new EnvironmentSlots();
    const first = new Pool(slots, OWN_SLOTS + SHARED_SLOTS);
    const second = new Pool(slots, OWN_SLOTS + 2);
    first.end(1);
    expect(second.environmentCount).toBe(OWN_SLOTS + 1);
    first.end(1);
    expect(second.environmentCount).toBe(OWN_SLOTS + 2);
  });

  test('are given in turn to several functions that wait', () => {
    const slots = new EnvironmentSlots();
    const holder = new Pool(slots, OWN_SLOTS + SHARED_SLOTS);
    const waiting = [new Pool(slots, 10), new Pool(slots, 10)];
    holder.end(2);
    expect(waiting.map(({ environmentCount }) => environmentCount)).toEqual([OWN_SLOTS + 1, OWN_SLOTS + 1]);
  });

  test('that are given back can be taken again, by functions of any size', () => {
    const slots = new EnvironmentSlots();
    new Pool(slots, 10).end(10);
    new Pool(slots, 1).end(1);
    expect(new Pool(slots, 100).environmentCount).toBe(OWN_SLOTS + SHARED_SLOTS);
  });
});
