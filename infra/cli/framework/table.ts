import { displayWidth, printable, type Style, titled, truncate } from './style.ts';

export interface Column<Row> {
  readonly title: string;
  value(row: Row): string;
  /** The values may be truncated when the terminal is too narrow. */
  readonly canShrink?: boolean;
  /** Truncates a value to so many columns; at its end if absent. */
  truncate?(text: string, columns: number): string;
  /** Colors a cell, after its width was measured. */
  paint?(text: string, row: Row): string;
}

const GAP = '  ';
/** Columns that a value keeps at least. */
const NARROWEST = 10;

/**
 * A table with a line per row and no borders. It is not made with cli-table3, which cannot shrink columns to the width of
 * the terminal, has no block form for a narrow one, and pads the last column. On a terminal that is too narrow, each row
 * becomes a block of lines. `note` has the lines below the line of a row, which are printed as they are.
 */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { width = Number.POSITIVE_INFINITY, dim: paintTitle }: Pick<Style, 'width' | 'dim'>,
  note?: (row: Row) => string[],
): string {
  const cells = rows.map(row => columns.map(({ value }) => printable(value(row))));
  const natural = columns.map(({ title }, index) =>
    Math.max(...[title, ...cells.map(line => line[index] ?? '')].map(displayWidth)),
  );
  const widths = shrink(natural, columns, width - GAP.length * (columns.length - 1));
  if (widths === undefined) return blocks(rows, columns, cells, width, paintTitle);

  const line = (texts: readonly string[], paint: (text: string, index: number) => string) =>
    texts
      .map((text, index) => {
        const shown = (columns[index]?.truncate ?? truncate)(text, widths[index] ?? 0);
        // The last cell is not padded, because trailing spaces could wrap to the next line.
        const isLast = index === texts.length - 1;
        const padding = isLast ? '' : ' '.repeat((widths[index] ?? 0) - displayWidth(shown));
        return paint(shown, index) + padding;
      })
      .join(GAP);
  return [
    line(
      columns.map(({ title }) => title),
      paintTitle,
    ),
    ...rows.flatMap((row, at) => [
      line(cells[at] ?? [], (text, index) => painted(columns[index], text, row)),
      ...(note?.(row) ?? []),
    ]),
  ].join('\n');
}

/** Shrinks the widest column again and again until the table fits; undefined if it cannot fit. */
function shrink<Row>(
  natural: readonly number[],
  columns: readonly Column<Row>[],
  available: number,
): number[] | undefined {
  const widths = [...natural];
  const total = () => widths.reduce((sum, width) => sum + width, 0);
  while (total() > available) {
    const shrinkable = widths.map((width, index) =>
      columns[index]?.canShrink && width > NARROWEST ? width : 0,
    );
    const widest = Math.max(...shrinkable);
    if (widest === 0) return undefined;
    widths[shrinkable.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function blocks<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  width: number,
  paintTitle: (text: string) => string,
): string {
  const titleWidth = Math.max(...columns.map(({ title }) => title.length));
  const valueWidth = Math.max(width - titleWidth - GAP.length, NARROWEST);
  return cells
    .map((texts, row) =>
      texts
        .map((text, index) => {
          const title = columns[index]?.title ?? '';
          const shown = columns[index]?.canShrink ? truncate(text, valueWidth) : text;
          const padding = ' '.repeat(titleWidth - title.length);
          return `${paintTitle(title)}${padding}${GAP}${painted(columns[index], shown, rows[row])}`;
        })
        .join('\n'),
    )
    .join('\n\n');
}

function painted<Row>(column: Column<Row> | undefined, text: string, row: Row | undefined): string {
  return column?.paint && row !== undefined ? column.paint(text, row) : text;
}

/** Names and their values, a line each; a long value is broken at the width of the terminal. Absent ones are left out. */
export function factLines(
  facts: readonly (readonly [name: string, value: string | null | undefined])[],
  style: Style,
): string[] {
  const known = facts.filter(([, value]) => value);
  const columns = Math.max(...known.map(([name]) => name.length)) + GAP.length;
  return known.map(([name, value]) =>
    titled(style.dim(name) + ' '.repeat(columns - name.length), columns, printable(value ?? ''), style),
  );
}
