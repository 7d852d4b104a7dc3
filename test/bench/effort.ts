import type { MachineEffort } from './machine/one-machine.ts';
import type { WarmEffort } from './warm/warm-invocations.ts';

/** How many rounds and how much data a run of the benchmark uses. */
export interface Effort {
  readonly coldRounds: number;
  readonly warm: WarmEffort;
  /** Animals in the table when the operations are measured, the smaller number first. */
  readonly tableSizes: readonly number[];
  readonly machine: MachineEffort;
}

/** Takes 6 minutes on 2 idle cores, and twice that on busy ones. */
export const EFFORT: Effort = {
  coldRounds: 12,
  warm: { generations: 2, warmUp: 1500, blocks: 10, invocationsPerBlock: 100 },
  tableSizes: [1000, 100_000],
  // V8 optimizes the code of each of the ten execution environments by itself: the rate rises for half a minute.
  machine: { starts: 3, warmUpMs: 30_000, blocks: 6, blockMs: 3000 },
};

/** Takes a minute and a half, which is too short for the optimizing compiler to finish: the warm ratios are rough. */
export const QUICK_EFFORT: Effort = {
  coldRounds: 3,
  warm: { generations: 1, warmUp: 800, blocks: 5, invocationsPerBlock: 50 },
  tableSizes: [1000, 10_000],
  machine: { starts: 1, warmUpMs: 2000, blocks: 2, blockMs: 2000 },
};
