/** A process of `npm run simulate`: runs the seeds that its parent sends, one after another. */
import { Writable } from 'node:stream';
import { simulate } from './simulate.ts';

/** What a seed came to: a violation, or a run without one. */
export interface SeedOutcome {
  readonly violation?: string;
  readonly wentLive: number;
  readonly historyEvents: number;
}

// The service logs to standard output. Nobody reads that here.
Object.defineProperty(process, 'stdout', {
  value: new Writable({ write: (_chunk, _encoding, done) => done() }),
});

async function outcomeOf(seed: number): Promise<SeedOutcome> {
  try {
    const { wentLive, historyEvents } = await simulate(seed);
    return { wentLive, historyEvents };
  } catch (error) {
    return { violation: (error as Error).message, wentLive: 0, historyEvents: 0 };
  }
}

process.on('message', async (seed: number) => {
  process.send?.(await outcomeOf(seed));
});
process.on('disconnect', () => process.exit());
