import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../display-width.ts';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_BELOW = '\u001b[J';
const upBy = (rows: number) => (rows > 0 ? `\u001b[${rows}A` : '');

/** What is known of the terminal at each moment: its owner may resize it. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
}

/** Lines at the bottom of a terminal that are drawn over and over in the same place. */
export class RedrawnBlock {
  readonly #screen: Screen;
  #rows = 0;
  #isCursorHidden = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  draw(lines: readonly string[]): void {
    const { columns, rows } = this.#screen;
    const shown: string[] = [];
    let height = 0;
    for (const line of lines) {
      // A line that is too long goes on in the next row.
      const lineRows = Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / (columns || 80)));
      // The cursor stands below the block; what has scrolled away could not be drawn over.
      if (height + lineRows > (rows || 24) - 1) break;
      shown.push(line);
      height += lineRows;
    }
    const hide = this.#isCursorHidden ? '' : HIDE_CURSOR;
    this.#screen.write(`${hide}${this.#start()}${shown.map(line => `${line}\n`).join('')}`);
    this.#rows = height;
    this.#isCursorHidden = true;
  }

  /** Takes the block away, for what comes in its place. */
  clear(): void {
    this.#end(this.#start());
  }

  /** Leaves the block as it is; what comes next stands below it, in the place of the ^C that the terminal shows. */
  leave(): void {
    this.#end(`\r${CLEAR_BELOW}`);
  }

  #end(last: string): void {
    this.#screen.write(`${last}${this.#isCursorHidden ? SHOW_CURSOR : ''}`);
    this.#isCursorHidden = false;
    this.#rows = 0;
  }

  #start(): string {
    return this.#rows > 0 ? `${upBy(this.#rows)}\r${CLEAR_BELOW}` : '';
  }
}
