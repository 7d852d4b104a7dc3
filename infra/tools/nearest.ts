/**
 * The candidate that was most likely meant by a mistyped word, if one is close enough: a third of its letters may be
 * wrong, missing, added or swapped, but at least one. A prefix of two letters or more, such as prod, counts as one wrong letter.
 */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const [best] = candidates
    .map(candidate => ({
      candidate,
      distance: word.length > 1 && candidate.startsWith(word) ? 1 : editDistance(word, candidate),
    }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .toSorted((left, right) => left.distance - right.distance);
  return best?.candidate;
}

/** Optimal string alignment: insertions, deletions, substitutions, and swaps of neighbours cost one each. */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const [above = 0, diagonal = 0, before = 0] = [previous[column + 1], previous[column], current[column]];
      const isSwap = letter === right[column - 1] && left[row - 1] === other;
      const swapped = isSwap ? (beforePrevious[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(above + 1, before + 1, diagonal + (letter === other ? 0 : 1), swapped));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
