import { relative } from 'node:path';
import type { Stryker } from '@stryker-mutator/core';
import type { Subject } from './subjects.ts';

/** What became of a change. */
export type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const LEAST_SCORE_PERCENT = 90;

/** A change that no test noticed. */
interface Survivor {
  /** Such as `shared/http/cursor.ts:28`. */
  readonly at: string;
  readonly mutator: string;
  readonly replacement: string;
}

export interface FileScore {
  readonly file: string;
  readonly subject: string;
  readonly caught: number;
  readonly survived: number;
  readonly scorePercent: number;
  readonly survivors: readonly Survivor[];
}

/** Whether tests have noticed: by failing, not ending or being unable to run. */
const isCaught = ({ status }: MutantResult) => ['Killed', 'Timeout', 'RuntimeError'].includes(status);

/** A change counts as survived, too, if nobody knows: Stryker could not run the tests. */
const isSurvivor = ({ status, statusReason = '' }: MutantResult) =>
  ['Survived', 'NoCoverage'].includes(status) || statusReason.startsWith('Test runner crashed');

/** The scores by file. What Stryker was told to leave alone, by a comment with a reason, does not count. */
export function fileScores(
  { name: subject }: Subject,
  results: readonly MutantResult[],
  project: string,
): FileScore[] {
  const byFile = Map.groupBy(results, ({ fileName }) => relative(project, fileName));
  return [...byFile].map(([file, mutants]) => {
    const caught = mutants.filter(mutant => isCaught(mutant) && !isSurvivor(mutant)).length;
    const survivors = mutants.filter(isSurvivor).map(({ location, mutatorName, replacement = '' }) => ({
      at: `${file}:${location.start.line}`,
      mutator: mutatorName,
      replacement: replacement.replaceAll(/\s+/g, ' '),
    }));
    const count = caught + survivors.length;
    return {
      file,
      subject,
      caught,
      survived: survivors.length,
      scorePercent: count === 0 ? 100 : (100 * caught) / count,
      survivors,
    };
  });
}

/** What is below the limits, in one line each. */
export function shortfalls(scores: readonly FileScore[], subjects: readonly Subject[]): string[] {
  const low = scores
    .filter(({ scorePercent }) => scorePercent < LEAST_SCORE_PERCENT)
    .map(({ file, scorePercent }) => `${file}: the score is ${scorePercent.toFixed(1)} %`);
  const strict = subjects.filter(({ isStrict }) => isStrict).map(({ name }) => name);
  const unexplained = scores
    .filter(({ subject }) => strict.includes(subject))
    .flatMap(({ survivors }) => survivors)
    .map(({ at, mutator }) => `${at}: ${mutator} survives and is not explained beside it`);
  return [...low, ...unexplained];
}

export function scoreTable(scores: readonly FileScore[]): string {
  const rows = scores.map(
    ({ file, caught, survived, scorePercent }) =>
      `| ${file} | ${caught} | ${survived} | ${scorePercent.toFixed(1)} % |`,
  );
  return ['| file | caught | survived | score |', '|---|--:|--:|--:|', ...rows].join('\n');
}
