import { styleText } from 'node:util';

type Paint = (text: string) => string;

/** How text is formatted on a stream. There are colours only on a terminal, unless the user has disabled them. */
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

export function hasColours({ isTTY }: OutputStream, wantsColours: boolean): boolean {
  return Boolean(isTTY) && wantsColours && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

export function styleOf(stream: OutputStream, wantsColours: boolean): Style {
  const isColoured = hasColours(stream, wantsColours);
  const paint =
    (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow'): Paint =>
    text =>
      isColoured ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    width: stream.isTTY ? stream.columns || undefined : undefined,
  };
}
