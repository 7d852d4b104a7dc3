/** A process of `npm run simulate`: runs the seeds that its parent sends, one after another. */
import { Writable } from 'node:stream';
import { simulate } from './simulate.ts';

/** What a seed came to: a violation, or a run without one. */
export interface SeedOutcome {
  readonly violation?: string;
  readonly wentLive: number;
  readonly historyEvents: number;
  /** How often the service did what it is known to get wrong, by its name. */
  readonly known: Readonly<Record<string, number>>;
}

// The service logs to standard output. Nobody reads that here.
Object.defineProperty(process, 'stdout', {
  value: new Writable({ write: (_chunk, _encoding, done) => done() }),
});

async function outcomeOf(seed: number): Promise<SeedOutcome> {
  try {
    const { wentLive, historyEvents, known } = await simulate(seed);
    return { wentLive, historyEvents, known: Object.fromEntries(known) };
  } catch (error) {
    return { violation: (error as Error).message, wentLive: 0, historyEvents: 0, known: {} };
  }
}

process.on('message', async (seed: number) => {
  process.send?.(await outcomeOf(seed));
});
process.on('disconnect', () => process.exit());
