/** Whether a text matches an IAM pattern, in which `*` stands for any characters, slashes included, and `?` for one. */
export function matchesWildcards(pattern: string, text: string): boolean {
  // Backtracks to the last star only. A text can contain a client's path, and a client could make a regular
  // expression with several stars backtrack exponentially.
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let position = 0; position < text.length; ) {
    const symbol = pattern[at];
    if (symbol === '*') {
      star = at++;
      resumeAt = position;
    } else if (symbol === '?' || symbol === text[position]) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resumeAt;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}
