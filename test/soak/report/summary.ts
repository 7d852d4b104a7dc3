import { PARTS } from '../options.ts';
import type { SoakResult } from '../soak.ts';

/** The result of a run for a reader: what was tried, how often, and what failed. */
export function summaryText(result: SoakResult): string {
  const { seed, minutes, parts, tried, faults, kills, violations, violationCounts } = result;
  const rows = Object.entries(tried).map(
    ([what, times]) => `  ${what.padEnd(44)} ${grouped(times).padStart(10)}`,
  );
  const faultRows = Object.entries(faults).map(
    ([what, times]) => `  ${what.padEnd(44)} ${grouped(times).padStart(10)}`,
  );
  const found = violations.map(
    ({ kind, what, atMs }) => `  ${(atMs / 1000).toFixed(1).padStart(6)} s  ${kind}: ${what}`,
  );
  const counts = Object.entries(violationCounts).map(([kind, count]) => `${grouped(count)} × ${kind}`);
  const only = parts.length === PARTS.length ? '' : ` --only ${parts.join(',')}`;
  return [
    `Soak of ${minutes} min, seed ${seed}.`,
    'Tried:',
    ...rows,
    `  ${'kills'.padEnd(44)} ${grouped(kills.length).padStart(10)}`,
    'Faults:',
    ...faultRows,
    ...(violations.length === 0
      ? ['Nothing was lost, doubled, altered, refused without reason, revealed or left behind.']
      : [
          `VIOLATED: ${counts.join(', ')}`,
          ...found,
          `Repeat it with: npm run soak -- --minutes ${minutes} --seed ${seed}${only}`,
        ]),
  ].join('\n');
}

function grouped(number: number): string {
  return number.toLocaleString('en-US');
}
