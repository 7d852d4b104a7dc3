import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from './outcome.ts';
import { type Situation, situationOf } from './situation.ts';

/** What makes an outcome of a situation. */
export type Run = (situation: Situation) => Promise<Outcome>;

/** Something that the new mechanism does otherwise on purpose. */
export interface IntendedDifference {
  readonly title: string;
  /** Paths in the outcome, such as `claim.reason`. Each stands for what is below it, too. */
  readonly fields: readonly string[];
  applies(situation: Situation, old: Outcome, now: Outcome): boolean;
}

/** The paths at which two outcomes differ. */
export function compare(old: Outcome, now: Outcome): string[] {
  return differing(old, now, '');
}

function differing(old: unknown, now: unknown, path: string): string[] {
  if (!isObject(old) || !isObject(now)) return isDeepStrictEqual(old, now) ? [] : [path];
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].flatMap(key => differing(old[key], now[key], path === '' ? key : `${path}.${key}`));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Situations that differ in the same way. */
interface Group {
  readonly fields: readonly string[];
  /** One of them. */
  readonly seed: number;
  count: number;
}

/** What the comparison of two runs has found. */
export interface Differences {
  readonly situations: number;
  /** By stage, ends and fields, the most frequent first. */
  readonly unexplained: ReadonlyMap<string, Group>;
  /** How many situations each of the intended differences has explained something of. */
  readonly explained: ReadonlyMap<string, number>;
}

/** Compares what two runs make of the situations of these seeds. A run that throws differs, too. */
export async function differences(
  seeds: Iterable<number>,
  old: Run,
  now: Run,
  intended: readonly IntendedDifference[],
): Promise<Differences> {
  const groups = new Map<string, Group>();
  const explained = new Map(intended.map(({ title }) => [title, 0]));
  let situations = 0;
  for (const seed of seeds) {
    situations += 1;
    const situation = situationOf(seed);
    const before = await old(situation);
    const after = await now(situation).catch(thrown);
    const reasons = 'error' in after ? [] : intended.filter(row => row.applies(situation, before, after));
    const found = 'error' in after ? [after.error] : compare(before, after);
    for (const row of reasons) {
      if (found.some(path => covers(row, path)))
        explained.set(row.title, (explained.get(row.title) ?? 0) + 1);
    }
    const fields = found.filter(path => !reasons.some(row => covers(row, path)));
    if (fields.length === 0) continue;
    const key = [situation.stage, `${endOf(before)} → ${endOf(after)}`, fields.join(', ')].join(': ');
    const group = groups.get(key) ?? { fields, seed, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  const sorted = [...groups].toSorted(([, left], [, right]) => right.count - left.count);
  return { situations, unexplained: new Map(sorted), explained };
}

interface Thrown {
  readonly error: string;
}

function thrown(error: unknown): Thrown {
  return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

function covers({ fields }: IntendedDifference, path: string): boolean {
  return fields.some(field => path === field || path.startsWith(`${field}.`));
}

function endOf(outcome: Outcome | Thrown): string {
  if ('error' in outcome) return 'an error';
  if (outcome.claim === null) return 'gone';
  const { status, reason } = outcome.claim;
  return reason === null ? status : `${status} (${reason})`;
}

/** The differences as text: the unexplained ones with a seed each, and the rows of the table that explain nothing. */
export function describeDifferences({ situations, unexplained, explained }: Differences, most = 40): string {
  const total = [...unexplained.values()].reduce((sum, { count }) => sum + count, 0);
  const byField = new Map<string, number>();
  for (const { fields, count } of unexplained.values()) {
    for (const field of fields) byField.set(field, (byField.get(field) ?? 0) + count);
  }
  const fields = [...byField].toSorted(([, left], [, right]) => right - left);
  const lines = [...unexplained].map(([key, { count, seed }]) => `${count} × ${key} (seed ${seed})`);
  const idle = [...explained].filter(([, count]) => count === 0).map(([title]) => title);
  return [
    `${total} of ${situations} situations differ without an explanation, in ${unexplained.size} ways.`,
    ...(fields.length > 0
      ? [`By field: ${fields.map(([field, count]) => `${field} ${count}`).join(', ')}.`]
      : []),
    ...lines.slice(0, most),
    ...(lines.length > most ? [`… and ${lines.length - most} more ways.`] : []),
    ...[...explained].map(([title, count]) => `${count} × ${title}`),
    ...(idle.length > 0 ? [`Nothing is explained by: ${idle.join('; ')}.`] : []),
  ].join('\n');
}
