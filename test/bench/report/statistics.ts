export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The smallest value that so many per cent of the values do not exceed; the mean of both at an even middle. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const place = (percent / 100) * (sorted.length - 1);
  const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

/**
 * The median over the rounds of what a variant took in relation to what the bare handler took in the same round: the
 * two were measured within seconds of each other, so a machine that is slower for a while is so for both.
 */
export function ratioByRound(values: readonly number[], bareValues: readonly number[]): number {
  return median(values.map((value, round) => value / (bareValues[round] ?? Number.NaN)));
}
