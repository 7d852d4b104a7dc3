export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The percentile of the values, interpolated linearly between the two nearest values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const position = (percent / 100) * (sorted.length - 1);
  const [below = Number.NaN, above = below] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  return below + (above - below) * (position - Math.floor(position));
}

/**
 * The median over the rounds of a variant's time divided by the bare handler's time in the same round. Both are measured
 * within seconds of each other, so a temporary slowdown of the machine affects both.
 */
export function ratioByRound(values: readonly number[], bareValues: readonly number[]): number {
  return median(values.map((value, round) => value / (bareValues[round] ?? Number.NaN)));
}
