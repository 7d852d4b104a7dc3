/** How many letters may be wrong, added, missing or swapped: a third of the word, but at least one. */
const toleranceFor = (word: string) => Math.max(1, Math.floor(word.length / 3));

/** The candidate that was most likely meant by a mistyped word, if any is close enough. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    // A prefix of the candidate, such as prod, counts as one wrong letter.
    const distance = word.length > 1 && candidate.startsWith(word) ? 1 : editDistance(word, candidate);
    if (distance <= toleranceFor(candidate) && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * The command that was most likely meant by the words typed. A path is such as `keys list`. `kyes lst`, `key list` and
 * `keys.list` all match `keys list`, and `list` alone matches if only one command has that name.
 */
export function nearestCommand(words: readonly string[], paths: readonly string[]): string | undefined {
  const typed = words.filter(word => !word.startsWith('-')).flatMap(word => word.split(/[.:-]/));
  for (let count = typed.length; count > 0; count--) {
    const asTyped = typed.slice(0, count).join(' ');
    const found = nearest(
      asTyped,
      paths.filter(path => path.split(' ').length === count),
    );
    if (found) return found;
  }
  const [first = ''] = typed;
  const lastWords = new Map(paths.map(path => [path, path.split(' ').at(-1) ?? '']));
  const meant = nearest(first, [...lastWords.values()]);
  const leading = paths.filter(path => lastWords.get(path) === meant);
  return leading.length === 1 ? leading[0] : undefined;
}

/** Optimal string alignment: insertions, deletions, substitutions, and swaps of neighbours cost one each. */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
