/** A process of `npm run simulate`: runs the ranges of seeds that its parent sends, one after another. */
import { Writable } from 'node:stream';
import { simulate } from './simulate.ts';

/** Seeds that follow one another. */
export interface SeedRange {
  readonly first: number;
  readonly count: number;
}

/** What a range of seeds came to. */
export interface RangeOutcome {
  readonly count: number;
  readonly wentLive: number;
  readonly longestHistory: number;
  readonly violations: readonly { readonly seed: number; readonly message: string }[];
}

// The service logs to standard output. Nobody reads that here.
Object.defineProperty(process, 'stdout', {
  value: new Writable({ write: (_chunk, _encoding, done) => done() }),
});

async function outcomeOf({ first, count }: SeedRange): Promise<RangeOutcome> {
  const violations: { seed: number; message: string }[] = [];
  let wentLive = 0;
  let longestHistory = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    try {
      const outcome = await simulate(seed);
      wentLive += outcome.wentLive;
      longestHistory = Math.max(longestHistory, outcome.historyEvents);
    } catch (error) {
      violations.push({ seed, message: (error as Error).message });
    }
  }
  return { count, wentLive, longestHistory, violations };
}

process.on('message', async (range: SeedRange) => {
  process.send?.(await outcomeOf(range));
});
process.on('disconnect', () => process.exit());
