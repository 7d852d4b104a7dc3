/** Random choices, the same for the same seed. */
export type Dice = ReturnType<typeof dice>;

export function dice(seed: number) {
  let state = seed >>> 0;
  /** Between 0 and 1, by Mulberry32. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const chance = (probability: number): boolean => next() < probability;
  const pick = <T>(...all: readonly [T, ...T[]]): T => all[Math.floor(next() * all.length)] as T;
  /** How often something in this situation is not as it should be: in many nowhere, in some in most places. */
  const flawed = pick(0, 0.04, 0.08, 0.15, 0.3, 0.5);
  return {
    chance,
    pick,
    /** What is right, or now and then one of the ways in which it's wrong. */
    usually: <T>(right: T, ...wrong: readonly [T, ...T[]]): T => (chance(flawed) ? pick(...wrong) : right),
    /** One of these, as often as the number beside it says. */
    oneOf<T>(...all: readonly (readonly [weight: number, value: T])[]): T {
      let left = next() * all.reduce((sum, [weight]) => sum + weight, 0);
      const found = all.find(([weight]) => {
        left -= weight;
        return left < 0;
      });
      return (found ?? all[0])?.[1] as T;
    },
  };
}
