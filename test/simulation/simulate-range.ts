/** A process of `npm run simulate`: runs the ranges of seeds that its parent sends, one after another. */
import { Writable } from 'node:stream';
import type { RangeOutcome, SeedRange } from './seed-ranges.ts';
import { simulate } from './simulate.ts';

// The service logs to standard output. Nobody reads that here.
Object.defineProperty(process, 'stdout', {
  value: new Writable({ write: (_chunk, _encoding, done) => done() }),
});

async function outcomeOf(range: SeedRange): Promise<RangeOutcome> {
  const violations: { seed: number; what: string }[] = [];
  let wentLive = 0;
  let longestHistory = 0;
  for (let seed = range.first; seed < range.first + range.count; seed += 1) {
    try {
      const outcome = await simulate(seed);
      wentLive += outcome.wentLive;
      longestHistory = Math.max(longestHistory, outcome.historyEvents);
    } catch (error) {
      violations.push({ seed, what: (error as Error).message });
    }
  }
  return { range, wentLive, longestHistory, violations };
}

process.on('message', async (range: SeedRange) => {
  process.send?.(await outcomeOf(range));
});
process.on('disconnect', () => process.exit());
