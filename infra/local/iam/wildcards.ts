/** A matcher for an IAM pattern, in which * matches any characters and ? any one character. */
export function wildcard(pattern: string, flags = ''): (text: string) => boolean {
  if (!/[*?]/.test(pattern) && flags === '') {
    return text => text === pattern;
  }
  const source = pattern
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, `s${flags}`);
  return text => expression.test(text);
}
