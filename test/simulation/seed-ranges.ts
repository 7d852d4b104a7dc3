import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';

/** Seeds that follow one another. */
export interface SeedRange {
  readonly first: number;
  readonly count: number;
}

const Progress = z.object({
  /** Of the sources that the seeds were run with: others may give other runs. */
  sources: z.string(),
  done: z.array(z.object({ first: z.int(), count: z.int() })),
  wentLive: z.int(),
  longestHistory: z.int(),
  violations: z.array(z.object({ seed: z.int(), what: z.string() })),
});
type Progress = z.infer<typeof Progress>;

/** What a range of seeds came to. */
export interface RangeOutcome {
  readonly range: SeedRange;
  readonly wentLive: number;
  readonly longestHistory: number;
  readonly violations: readonly { readonly seed: number; readonly what: string }[];
}

/** The seeds that were run with the same sources, kept in a file, so that a run that was ended goes on where it was. */
export class SeedProgress {
  readonly #file: string;
  readonly #progress: Progress;

  constructor(file: string, sources: string) {
    this.#file = file;
    const kept = existsSync(file) ? Progress.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
    this.#progress =
      kept?.sources === sources
        ? kept
        : { sources, done: [], wentLive: 0, longestHistory: 0, violations: [] };
  }

  get violations(): Progress['violations'] {
    return this.#progress.violations;
  }

  get wentLive(): number {
    return this.#progress.wentLive;
  }

  get longestHistory(): number {
    return this.#progress.longestHistory;
  }

  /** How many seeds of this range were run. */
  doneOf({ first, count }: SeedRange): number {
    return this.#progress.done.reduce((sum, done) => {
      const begin = Math.max(first, done.first);
      const end = Math.min(first + count, done.first + done.count);
      return sum + Math.max(0, end - begin);
    }, 0);
  }

  /** The seeds of this range that were not run, in pieces of at most this length. */
  missing({ first, count }: SeedRange, pieceLength: number): SeedRange[] {
    const pieces: SeedRange[] = [];
    let next = first;
    const upTo = (end: number) => {
      while (next < end) {
        const piece = { first: next, count: Math.min(pieceLength, end - next) };
        pieces.push(piece);
        next += piece.count;
      }
    };
    for (const done of this.#progress.done) {
      upTo(Math.min(done.first, first + count));
      next = Math.max(next, done.first + done.count);
    }
    upTo(first + count);
    return pieces;
  }

  /** Records what a range came to, at once. */
  record({ range, wentLive, longestHistory, violations }: RangeOutcome): void {
    const progress = this.#progress;
    progress.done = merged([...progress.done, range]);
    progress.wentLive += wentLive;
    progress.longestHistory = Math.max(progress.longestHistory, longestHistory);
    progress.violations.push(...violations);
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.part`, `${JSON.stringify(progress, null, 2)}\n`);
    renameSync(`${this.#file}.part`, this.#file);
  }
}

/** The ranges in order, those that touch each other as one. */
function merged(ranges: readonly SeedRange[]): SeedRange[] {
  const result: { first: number; count: number }[] = [];
  for (const { first, count } of ranges.toSorted((one, other) => one.first - other.first)) {
    const last = result.at(-1);
    if (last && last.first + last.count >= first)
      last.count = Math.max(last.count, first + count - last.first);
    else result.push({ first, count });
  }
  return result;
}
