import measure from 'fast-string-truncated-width';

/** Columns that a text takes on a terminal: East Asian characters and emoji take two. */
export function displayWidth(text: string): number {
  return measure(text).width;
}

/** Truncates a text to this many columns, with an ellipsis at the end. */
export function truncate(text: string, columns: number): string {
  const { index, truncated } = measure(text, { limit: columns, ellipsis: '…' });
  return truncated ? `${text.slice(0, index).trimEnd()}…` : text;
}

/** Truncates a domain name to this many columns, with an ellipsis in the middle: both of its ends tell names apart. */
export function truncateName(name: string, columns: number): string {
  if (displayWidth(name) <= columns) return name;
  const characters = [...name];
  const end = Math.floor((columns - 1) / 2);
  return `${characters.slice(0, columns - 1 - end).join('')}…${characters.slice(-end).join('')}`;
}

/**
 * The text on one line, without characters that a terminal interprets: control characters, line and paragraph separators,
 * and marks that reverse the direction of writing.
 */
export function printable(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cs}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, '�');
}
