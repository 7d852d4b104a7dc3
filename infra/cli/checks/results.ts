import { prose, type Style, titled } from '../framework/style.ts';

/** A result on a terminal: a word, what was checked, what was found, and what to do about it. */
export interface ResultLine {
  readonly word: keyof typeof PAINTS;
  /** In a column of its own. */
  readonly title?: string;
  readonly text: string;
  readonly below?: string | undefined;
}

const PAINTS = {
  ok: 'green',
  warning: 'yellow',
  failure: 'red',
  broken: 'red',
  skipped: 'dim',
} as const satisfies Record<string, keyof Style>;

const WORD_COLUMNS = Math.max(...Object.keys(PAINTS).map(({ length }) => length));

/** The results with a summary below. */
export function resultsText(
  results: readonly ResultLine[],
  summary: readonly string[],
  style: Style,
): string {
  const columns = WORD_COLUMNS + 2;
  const width = Math.max(...results.map(({ title }) => (title === undefined ? 0 : title.length + 2)));
  const lines = results.flatMap(({ word, title = '', text, below }) => [
    titled(
      `${style[PAINTS[word]](word.padEnd(WORD_COLUMNS))}  ${title.padEnd(width)}`,
      columns + width,
      text,
      style,
    ),
    ...(below === undefined ? [] : [prose(below, style, ' '.repeat(columns))]),
  ]);
  return [...lines, '', ...summary.map(sentence => prose(sentence, style))].join('\n');
}
