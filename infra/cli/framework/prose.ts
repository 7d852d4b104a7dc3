import { displayWidth } from './display-width.ts';
import { PROGRAM_NAME } from './program-name.ts';
import type { Style } from './style.ts';

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

/** The same behind a title of so many columns: lines that follow the first are indented by them. */
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
