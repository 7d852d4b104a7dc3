import { styleText } from 'node:util';
import measure from 'fast-string-truncated-width';
import { PROGRAM_NAME } from '../../operator/connection/command-error.ts';

type Paint = (text: string) => string;

/** How text is formatted on a stream. There are colors only on a terminal, unless the user has disabled them. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  /** Columns of the terminal; undefined if the stream is not a terminal. */
  readonly width: number | undefined;
}

interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function hasColors({ isTTY }: OutputStream, wantsColors: boolean): boolean {
  return Boolean(isTTY) && wantsColors && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

export function styleOf(stream: OutputStream, wantsColors: boolean): Style {
  const isColored = hasColors(stream, wantsColors);
  const paint =
    (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow'): Paint =>
    text =>
      isColored ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    width: stream.isTTY ? stream.columns || undefined : undefined,
  };
}

/** What is never broken: a command line to paste, which reaches to the end of the line, text in quotes, and words. */
const UNITS = new RegExp(String.raw`\b${PROGRAM_NAME} (?:\w+ )?\w+.*$|"[^"]*"\S*|\S+`, 'g');

/**
 * Text for people, broken between words at the width of the terminal; a unit that is longer than a line has one for
 * itself. Every line is indented alike. Without a terminal nothing is broken.
 */
export function prose(text: string, { width }: Pick<Style, 'width'>, indent = ''): string {
  if (width === undefined) return `${indent}${text}`;
  return text
    .split('\n')
    .flatMap(line => broken(line, Math.max(width - indent.length, 1)))
    .map(line => `${indent}${line}`.trimEnd())
    .join('\n');
}

/** Wrapped text behind a title of so many columns, by which the lines after the first are indented. */
export function titled(title: string, columns: number, text: string, style: Pick<Style, 'width'>): string {
  return `${title}${prose(text, style, ' '.repeat(columns)).slice(columns)}`;
}

function broken(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const unit of text.match(UNITS) ?? ['']) {
    const last = lines.at(-1);
    const longer = `${last} ${unit}`;
    if (last !== undefined && displayWidth(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(unit);
  }
  return lines;
}

/** Blocks of lines with an empty line between them. */
export function sections(...blocks: readonly (readonly string[])[]): string {
  return blocks
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n');
}

const MOST_LISTED = 10;

/** The first of the names, and how many more there are. */
export function listOf(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return `${names.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Columns that a text takes on a terminal: East Asian characters and emoji take two. */
export function displayWidth(text: string): number {
  return measure(text).width;
}

/** The text in parts of at most so many columns. */
export function inColumns(text: string, columns: number): string[] {
  const parts: string[] = [];
  for (let rest = text; ; ) {
    const { index } = measure(rest, { limit: columns });
    parts.push(rest.slice(0, index));
    rest = rest.slice(index);
    if (index === 0 || rest === '') return parts;
  }
}

export function truncate(text: string, columns: number): string {
  const { index, truncated } = measure(text, { limit: columns, ellipsis: '…' });
  return truncated ? `${text.slice(0, index).trimEnd()}…` : text;
}

/** Truncates a domain name to this many columns, with an ellipsis in the middle: names differ at both ends. */
export function truncateName(name: string, columns: number): string {
  if (displayWidth(name) <= columns) return name;
  const characters = [...name];
  const end = Math.floor((columns - 1) / 2);
  return `${characters.slice(0, columns - 1 - end).join('')}…${characters.slice(-end).join('')}`;
}

/** What a terminal interprets: control characters, and marks that reverse the direction of writing. */
const INTERPRETED = /[\p{Cc}\p{Cs}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;

/** Text from elsewhere on one line, without what a terminal interprets. */
export function printable(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(INTERPRETED, '�');
}

const ESCAPE = '\u{1b}';
/** Ends of lines, and the colors of Style; everything else that a terminal interprets is from elsewhere. */
const OWN = new RegExp(`([\n\t]|${ESCAPE}\\[(?:1|2|22|31|32|33|39)m)`);

/** All that the command prints passes here, whatever it quotes. */
export function safeOutput(text: string): string {
  return text
    .split(OWN)
    .map(part => (OWN.test(part) ? part : part.replace(INTERPRETED, '�')))
    .join('');
}

/** JSON that a terminal shows as it is written. */
export function safeJson(value: unknown, indent?: number): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(INTERPRETED, found =>
    found === '\n' ? found : escaped(found),
  );
}

/** Such as `1 table` or `3 tables`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
